/**
 * Finds the requests whose text may interest a rule, so that rules parse few bodies.
 *
 * A search in a text costs less than a walk through a parsed body. Each text is searched once for all rules.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { numberMask, redacted } from '../../../redaction/secret.ts';

type TraitTest = (text: string, operation: StoredEntry['operation']) => boolean;

const tokenInPath = /[?&;](?:access|refresh)[_-]?token=[^&#;]/i;
/** A redacted verification code after its name. */
export const codeInText =
  /(?:cvv2?|cvc2?|security[_ -]?code)(?:\W{0,8}|\s{1,8}is\s{1,8})\[redacted\]/i;
const tokenInBody = /(?:access|refresh)[_-]?token"/i;
const rawCard = /t_card"\s*:/;
/** All that comes before the data of the first raw card of a payment, if the payer comes before the transactions. */
const toRawCard =
  /^\s*\{[^{}[\]]*"payer"\s*:\s*\{[^{}[\]]*"funding_instruments"\s*:\s*\[\s*\{\s*"(?:credit|payment)_card"\s*:\s*$/;
const oddAmount =
  /"(?:total|subtotal|shipping(?:_discount)?|tax|handling_fee|insurance|gift_wrap|price)"\s*:\s*(?!"-?\d+(?:\.\d\d)?")/;
const oddCurrency = /"(?:HUF|JPY|TWD)"/;
const telephone = /tel|phone|mobile|cell/i;
const ownedCard = /"(?:external_customer_id|payer_id)"\s*:\s*(?:"[^"]|-?\d)/;
const ownedToken = /"credit_card_token"\s*:\s*\{[^{}]*"(?:external_customer_id|payer_id)"\s*:/;

const hasCardNumber: TraitTest = (text) => text.includes(numberMask);

/** Traits of a path. */
const inPath = {
  token: (path) => tokenInPath.test(path),
  cardNumber: hasCardNumber,
  securityCode: (path) => path.includes(redacted) && codeInText.test(path),
  slashAtEnd: (path) => path.endsWith('/') || path.includes('/?'),
} satisfies Readonly<Record<string, TraitTest>>;

/** Traits of a body. If it is faster, a fixed character is searched before the pattern. */
const inBody = {
  token: (body) => tokenInBody.test(body),
  cardNumber: hasCardNumber,
  /** A redacted card number or verification code that may be outside its own field. */
  strayNumber: (body, operation) => isStray(body, operation, numberMask, 'number'),
  strayCode: (body, operation) => isStray(body, operation, redacted, 'cvv2'),
  /** `credit_card` or `payment_card` as a key. The former is also a payment method. */
  rawCard: (body) => rawCard.test(body),
  /** An amount in an unusual notation, or in a currency without decimals. */
  oddAmount: (body) => oddAmount.test(body) || oddCurrency.test(body),
  /** Characters and keys of mail addresses and telephone numbers. */
  personal: (body) => body.includes('@') || body.includes('+') || telephone.test(body),
  /** A card, or the token of one, without a customer id. */
  ownerlessCard: (body, operation) => operation === 'card.create' && !ownedCard.test(body),
  ownerlessToken: (body) => body.includes('_card_token"') && !ownedToken.test(body),
} satisfies Readonly<Record<string, TraitTest>>;

/**
 * Whether a redacted value may be outside its own field.
 *
 * Most cards have it once, in the field of a stored or a raw card, and the text alone shows that.
 */
function isStray(
  body: string,
  operation: StoredEntry['operation'],
  mark: string,
  field: string,
): boolean {
  const at = body.indexOf(mark);
  if (at < 0) return false;
  const isOnly = body.lastIndexOf(mark) === at;
  if (!isOnly || !body.endsWith(`"${field}":"`, at)) return true;
  const card = body.lastIndexOf('{', at);
  if (operation === 'card.create') return card !== body.indexOf('{');
  return operation !== 'payment.create' || !toRawCard.test(body.slice(0, card));
}

/** Traits of a request id. */
const inKey = {
  /** Digits of a time or a counter, which random ids rarely have. */
  digits: (key) => /\d{10}|\d{4}-\d\d-\d\dT|^\d{1,6}$/.test(key),
} satisfies Readonly<Record<string, TraitTest>>;

export type PathTrait = keyof typeof inPath;
export type BodyTrait = keyof typeof inBody;
export type KeyTrait = keyof typeof inKey;

/** Exchanges by the traits of their requests, in the order in which they were added. */
export class TextPrefilter {
  readonly #inPaths = emptyMatches(inPath);
  readonly #inBodies = emptyMatches(inBody);
  readonly #inKeys = emptyMatches(inKey);
  #latestBody: string | undefined;
  #latestOperation: StoredEntry['operation'];
  #latestTraits: readonly TraitMatches<BodyTrait>[] = [];

  /** Searches the texts of a request. */
  add(entry: StoredEntry): void {
    const { path, request, requestId, operation } = entry;
    for (const { test, entries } of this.#inPaths) if (test(path, operation)) entries.push(entry);
    if (requestId !== undefined) {
      for (const { test, entries } of this.#inKeys)
        if (test(requestId, operation)) entries.push(entry);
    }
    if (request === undefined) return;
    for (const { entries } of this.#traitsOf(request, operation)) entries.push(entry);
  }

  /** A body that repeats the previous one is not searched again. */
  #traitsOf(body: string, operation: StoredEntry['operation']): readonly TraitMatches<BodyTrait>[] {
    if (body !== this.#latestBody || operation !== this.#latestOperation) {
      this.#latestBody = body;
      this.#latestOperation = operation;
      this.#latestTraits = this.#inBodies.filter(({ test }) => test(body, operation));
    }
    return this.#latestTraits;
  }

  inPath(trait: PathTrait): readonly StoredEntry[] {
    return matchesOf(this.#inPaths, trait);
  }

  inBody(trait: BodyTrait): readonly StoredEntry[] {
    return matchesOf(this.#inBodies, trait);
  }

  inKey(trait: KeyTrait): readonly StoredEntry[] {
    return matchesOf(this.#inKeys, trait);
  }
}

interface TraitMatches<Name> {
  readonly name: Name;
  readonly test: TraitTest;
  readonly entries: StoredEntry[];
}

function emptyMatches<Name extends string>(
  tests: Readonly<Record<Name, TraitTest>>,
): TraitMatches<Name>[] {
  // The keys of a Record<Name, …> are Name; the type of Object.keys does not say so.
  return (Object.keys(tests) as Name[]).map((name) => ({ name, test: tests[name], entries: [] }));
}

function matchesOf<Name extends string>(
  matches: readonly TraitMatches<Name>[],
  trait: Name,
): StoredEntry[] {
  return matches.find(({ name }) => name === trait)?.entries ?? [];
}
