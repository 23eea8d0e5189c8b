/**
 * What the text of a request must hold for a rule to read it closely. Most texts hold nothing of it, and a look costs
 * less than a walk: everything is looked for once in each text, by all rules together.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { numberMask, redacted } from '../../redaction/secret.ts';

type TraitTest = (text: string, operation: StoredEntry['operation']) => boolean;

const tokenInPath = /[?&;](?:access|refresh)[_-]?token=[^&#;]/i;
const codeInPath = /(?:cvv2?|cvc2?|security[_-]?code)\W{0,4}[:=]\s*["'\\]*\[redacted\]/i;
const tokenInBody = /(?:access|refresh)[_-]?token"/i;
const rawCard = /t_card"\s*:/;
const oddAmount =
  /"(?:total|subtotal|shipping(?:_discount)?|tax|handling_fee|insurance|gift_wrap|price)"\s*:\s*(?!"-?\d+(?:\.\d\d)?")/;
const oddCurrency = /"(?:HUF|JPY|TWD)"/;
const telephone = /tel|phone|mobile|cell/i;
const ownedCard = /"(?:external_customer_id|payer_id)"\s*:\s*"[^"]/;
const ownedToken = /"credit_card_token"\s*:\s*\{[^{}]*"(?:external_customer_id|payer_id)"\s*:/;

const hasCardNumber: TraitTest = (text) => text.includes(numberMask);

/** What may stand in an address. */
const inPath = {
  token: (path) => tokenInPath.test(path),
  cardNumber: hasCardNumber,
  securityCode: (path) => path.includes(redacted) && codeInPath.test(path),
  slashAtEnd: (path) => path.endsWith('/') || path.includes('/?'),
} satisfies Readonly<Record<string, TraitTest>>;

/** What may stand in a body. Where a sign is searched for first, it is the quicker look. */
const inBody = {
  token: (body) => tokenInBody.test(body),
  cardNumber: hasCardNumber,
  /** What is left of a card number, or of a code, and may stand where none belongs. */
  strayNumber: (body, operation) => isStray(body, operation, numberMask, 'number'),
  strayCode: (body, operation) => isStray(body, operation, redacted, 'cvv2'),
  /** `credit_card` or `payment_card`; the former is also what a payment's method is called. */
  rawCard: (body) => rawCard.test(body),
  /** An amount that is not written as most are, or is of a currency that writes its own otherwise. */
  oddAmount: (body) => oddAmount.test(body) || oddCurrency.test(body),
  /** What mailboxes and telephone numbers have, or stand behind. */
  personal: (body) => body.includes('@') || body.includes('+') || telephone.test(body),
  /** A card, or the token of one, of nobody. */
  ownerlessCard: (body) => !ownedCard.test(body),
  ownerlessToken: (body) => body.includes('_card_token"') && !ownedToken.test(body),
} satisfies Readonly<Record<string, TraitTest>>;

/** Most cards that are stored have the field of their own on the top, and nothing like it elsewhere: the text tells. */
function isStray(
  body: string,
  operation: StoredEntry['operation'],
  mark: string,
  field: string,
): boolean {
  const at = body.indexOf(mark);
  if (at < 0 || operation !== 'card.create') return at >= 0;
  const isOnly = body.lastIndexOf(mark) === at;
  const isOnTop = body.lastIndexOf('{', at) === body.indexOf('{');
  return !(isOnly && isOnTop && body.endsWith(`"${field}":"`, at));
}

/** What may stand in a request id. */
const inKey = {
  /** What times and counts have, and random ids hardly ever. */
  digits: (key) => /\d{10}|\d{4}-\d\d-\d\dT|^\d{1,6}$/.test(key),
} satisfies Readonly<Record<string, TraitTest>>;

export type PathTrait = keyof typeof inPath;
export type BodyTrait = keyof typeof inBody;
export type KeyTrait = keyof typeof inKey;

/** Exchanges by what the text of their requests holds, in the order in which they were looked at. */
export class TextPrefilter {
  readonly #inPaths = emptyMatches(inPath);
  readonly #inBodies = emptyMatches(inBody);
  readonly #inKeys = emptyMatches(inKey);
  #latestBody: string | undefined;
  #latestOperation: StoredEntry['operation'];
  #inLatestBody: readonly TraitMatches<BodyTrait>[] = [];

  /** Looks through the texts of a request. */
  add(entry: StoredEntry): void {
    const { path, request, requestId, operation } = entry;
    for (const { clue, found } of this.#inPaths) if (clue(path, operation)) found.push(entry);
    if (requestId !== undefined) {
      for (const { clue, found } of this.#inKeys) if (clue(requestId, operation)) found.push(entry);
    }
    if (request === undefined) return;
    for (const { found } of this.#heldBy(request, operation)) found.push(entry);
  }

  /** Where the same body comes again, it was looked through before. */
  #heldBy(body: string, operation: StoredEntry['operation']): readonly TraitMatches<BodyTrait>[] {
    if (body !== this.#latestBody || operation !== this.#latestOperation) {
      this.#latestBody = body;
      this.#latestOperation = operation;
      this.#inLatestBody = this.#inBodies.filter(({ clue }) => clue(body, operation));
    }
    return this.#inLatestBody;
  }

  inPath(clue: PathTrait): readonly StoredEntry[] {
    return matchesOf(this.#inPaths, clue);
  }

  inBody(clue: BodyTrait): readonly StoredEntry[] {
    return matchesOf(this.#inBodies, clue);
  }

  inKey(clue: KeyTrait): readonly StoredEntry[] {
    return matchesOf(this.#inKeys, clue);
  }
}

interface TraitMatches<Name> {
  readonly name: Name;
  readonly clue: TraitTest;
  readonly found: StoredEntry[];
}

function emptyMatches<Name extends string>(
  clues: Readonly<Record<Name, TraitTest>>,
): TraitMatches<Name>[] {
  // The keys of a Record<Name, …> are Name; the library type of Object.keys forgets it.
  return (Object.keys(clues) as Name[]).map((name) => ({ name, clue: clues[name], found: [] }));
}

function matchesOf<Name extends string>(
  sorters: readonly TraitMatches<Name>[],
  clue: Name,
): StoredEntry[] {
  return sorters.find(({ name }) => name === clue)?.found ?? [];
}
