/**
 * What the text of a request must hold for a rule to read it closely. Most texts hold nothing of it, and a look costs
 * less than a walk: everything is looked for once in each text, by all rules together.
 */
import type { Entry } from '../journal/entry.ts';

/** What may stand in an address. */
const inPath = {
  token: /[?&;](?:access|refresh)[_-]?token=[^&#;]/i,
  /** What redaction leaves of a card number. */
  cardNumber: /x{12}/,
  securityCode: /(?:cvv2?|cvc2?|security[_-]?code)\W{0,4}[:=]\s*["'\\]*\[redacted\]/i,
  slashAtEnd: /\/(?:\?|$)/,
} as const;

/** What may stand in a body. */
const inBody = {
  token: /(?:access|refresh)[_-]?token"/i,
  cardNumber: /x{12}/,
  /** What redaction leaves of anything else, verification codes among it. */
  redacted: /\[redacted\]/,
  /** `credit_card` is also what a payment's method is called. */
  rawCard: /"(?:credit|payment)_card"\s*:/,
  /** An amount that is not written as most are, or is of a currency that writes its own otherwise. */
  oddAmount:
    /"(?:total|subtotal|shipping|tax|handling_fee|shipping_discount|insurance|gift_wrap|price)"\s*:\s*(?!"-?\d+(?:\.\d\d)?")|"(?:HUF|JPY|TWD)"/,
  /** What mailboxes and telephone numbers have, or stand behind. */
  personal: /@|\+[1-9]|tel|phone|mobile|cell/i,
} as const;

export type PathClue = keyof typeof inPath;
export type BodyClue = keyof typeof inBody;

/** Exchanges by what the text of their requests holds, oldest first. */
export interface Clues {
  readonly paths: Readonly<Record<PathClue, readonly Entry[]>>;
  readonly bodies: Readonly<Record<BodyClue, readonly Entry[]>>;
}

/** Looks through the texts of all requests. */
export function cluesIn(entries: readonly Entry[]): Clues {
  return {
    paths: sorted(entries, inPath, ({ path }) => path),
    bodies: sorted(entries, inBody, ({ request }) => request),
  };
}

function sorted<Name extends string>(
  entries: readonly Entry[],
  clues: Readonly<Record<Name, RegExp>>,
  textOf: (entry: Entry) => string | undefined,
): Record<Name, Entry[]> {
  const all = Object.entries<RegExp>(clues);
  const found = new Map(all.map(([name]) => [name, new Array<Entry>()]));
  for (const entry of entries) {
    const text = textOf(entry);
    if (text === undefined) continue;
    for (const [name, clue] of all) if (clue.test(text)) found.get(name)?.push(entry);
  }
  // Its keys are those of `clues`.
  return Object.fromEntries(found) as Record<Name, Entry[]>;
}
