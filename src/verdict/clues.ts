/**
 * What the text of a request must hold for a rule to read it closely. Most texts hold nothing of it, and a look costs
 * less than a walk: everything is looked for once in each text, by all rules together.
 */
import type { KeptEntry } from '../journal/kept-entry.ts';
import type { StoredText } from '../journal/text-store.ts';

type Clue = (text: string) => boolean;

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

/** What redaction leaves of a card number, and of anything else, verification codes among it. */
const hasCardNumber: Clue = (text) => text.includes('xxxxxxxxxxxx');
const hasRedacted: Clue = (text) => text.includes('[redacted]');

/** What may stand in an address. */
const inPath = {
  token: (path) => tokenInPath.test(path),
  cardNumber: hasCardNumber,
  securityCode: (path) => hasRedacted(path) && codeInPath.test(path),
  slashAtEnd: (path) => path.endsWith('/') || path.includes('/?'),
} satisfies Readonly<Record<string, Clue>>;

/** What may stand in a body. Where a sign is searched for first, it is the quicker look. */
const inBody = {
  token: (body) => tokenInBody.test(body),
  cardNumber: hasCardNumber,
  redacted: hasRedacted,
  /** `credit_card` or `payment_card`; the former is also what a payment's method is called. */
  rawCard: (body) => rawCard.test(body),
  /** An amount that is not written as most are, or is of a currency that writes its own otherwise. */
  oddAmount: (body) => oddAmount.test(body) || oddCurrency.test(body),
  /** What mailboxes and telephone numbers have, or stand behind. */
  personal: (body) => body.includes('@') || body.includes('+') || telephone.test(body),
  /** A card, or the token of one, of nobody. */
  ownerlessCard: (body) => !ownedCard.test(body),
  ownerlessToken: (body) => body.includes('_card_token"') && !ownedToken.test(body),
} satisfies Readonly<Record<string, Clue>>;

/** What may stand in a request id. */
const inKey = {
  /** What times and counts have, and random ids hardly ever. */
  digits: (key) => /\d{10}|\d{4}-\d\d-\d\dT|^\d{1,6}$/.test(key),
} satisfies Readonly<Record<string, Clue>>;

export type PathClue = keyof typeof inPath;
export type BodyClue = keyof typeof inBody;
export type KeyClue = keyof typeof inKey;

/** Exchanges by what the text of their requests holds, in the order in which they were looked at. */
export class Clues {
  readonly #inPaths = sortersOf(inPath);
  readonly #inBodies = sortersOf(inBody);
  readonly #inKeys = sortersOf(inKey);
  #latestBody: StoredText | undefined;
  #inLatestBody: readonly Sorter<BodyClue>[] = [];

  /** Looks through the texts of a request. */
  lookAt(entry: KeptEntry): void {
    const { path, storedRequest, requestId } = entry;
    for (const { clue, found } of this.#inPaths) if (clue(path)) found.push(entry);
    if (requestId !== undefined) {
      for (const { clue, found } of this.#inKeys) if (clue(requestId)) found.push(entry);
    }
    if (storedRequest === undefined) return;
    for (const { found } of this.#heldBy(storedRequest)) found.push(entry);
  }

  /** Where the same body comes again, it was looked through before. */
  #heldBy(body: StoredText): readonly Sorter<BodyClue>[] {
    if (body !== this.#latestBody) {
      const text = body.read() ?? '';
      this.#latestBody = body;
      this.#inLatestBody = this.#inBodies.filter(({ clue }) => clue(text));
    }
    return this.#inLatestBody;
  }

  inPath(clue: PathClue): readonly KeptEntry[] {
    return foundBy(this.#inPaths, clue);
  }

  inBody(clue: BodyClue): readonly KeptEntry[] {
    return foundBy(this.#inBodies, clue);
  }

  inKey(clue: KeyClue): readonly KeptEntry[] {
    return foundBy(this.#inKeys, clue);
  }
}

interface Sorter<Name> {
  readonly name: Name;
  readonly clue: Clue;
  readonly found: KeptEntry[];
}

function sortersOf<Name extends string>(clues: Readonly<Record<Name, Clue>>): Sorter<Name>[] {
  // The keys of a Record<Name, …> are Name; the library type of Object.keys forgets it.
  return (Object.keys(clues) as Name[]).map((name) => ({ name, clue: clues[name], found: [] }));
}

function foundBy<Name extends string>(sorters: readonly Sorter<Name>[], clue: Name): KeptEntry[] {
  return sorters.find(({ name }) => name === clue)?.found ?? [];
}
