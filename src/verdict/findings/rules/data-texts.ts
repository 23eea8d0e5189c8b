/** Findings about amounts and free texts. */
import type { OperationName } from '../../../contract/service/operations.ts';
import { currencyDecimals, isCurrency } from '../../../domain/money/money.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { leavesOf } from '../../evidence/json-leaves.ts';
import { firstExamples, formatTimes } from '../../phrases.ts';

export const textRules: readonly FindingRule[] = [
  {
    id: 'float-amount',
    severity: 'high',
    about:
      'An amount was sent as floating-point arithmetic leaves it, and not as money is written.',
    remedy:
      'Count money in whole minor units, and write it as a string with the decimals of its currency.',
    find: floatAmounts,
  },
  {
    id: 'pii-in-description',
    severity: 'low',
    about: 'A free text held an e-mail address or a telephone number.',
    remedy:
      'Keep personal data out of descriptions and notes: they are shown and stored elsewhere.',
    find: personalTexts,
  },
];

/** Operations that move an amount of money. */
const ofMoney: ReadonlySet<OperationName | undefined> = new Set([
  'payment.create',
  'sale.refund',
  'capture.refund',
  'auth.capture',
  'auth.reauthorize',
] as const);

interface Sighting {
  readonly place: string;
  readonly entry: StoredEntry;
}

/** Where the members of an amount stand. Other numbers of a body are none. */
const amountPath =
  /(?:^|\.)amount\.(?:total|details\.\w+)$|^transactions\[\d+\]\.item_list\.items\[\d+\]\.(?:price|tax)$/;

function* floatAmounts(evidence: Evidence): Generator<Notice> {
  const seen: Sighting[] = [];
  for (const entry of evidence.whereBodyHas('oddAmount')) {
    if (!ofMoney.has(entry.operation)) continue;
    const body = evidence.bodyOf(entry);
    const amount = memberAt(body, 'transactions[0].amount') ?? memberOf(body, 'amount');
    const currency = memberOf(amount, 'currency');
    for (const { path, value } of leavesOf(body)) {
      const fault = amountPath.test(path) ? faultOf(value, currency) : undefined;
      if (fault !== undefined) {
        seen.push({ place: `${path} of ${entry.operation ?? ''} ${fault}`, entry });
      }
    }
  }
  yield* notices(seen);
}

/** What gives an amount away as a float's; `undefined` for one that is well written, or is wrong in another way. */
function faultOf(value: unknown, currency: unknown): string | undefined {
  if (typeof value === 'number') return 'was a number and not a string';
  if (typeof value !== 'string') return undefined;
  if (/^-?\d*\.?\d+e[+-]?\d+$/i.test(value)) return 'was written with an exponent';
  if (/^-?(?:NaN|Infinity)$/.test(value)) return `was ${value}`;
  const [, decimals] = value.match(/^-?\d*\.(\d*)$/) ?? [];
  if (decimals === undefined) return undefined;
  const wanted =
    typeof currency === 'string' && isCurrency(currency) ? currencyDecimals[currency] : 2;
  if (decimals.length === wanted) return undefined;
  return wanted === 0
    ? `had decimals, which ${String(currency)} does not take`
    : `had ${decimals.length} decimals and not ${wanted}`;
}

/** Operations that take free texts. */
const withTexts: ReadonlySet<OperationName | undefined> = new Set([
  'payment.create',
  'sale.refund',
  'capture.refund',
] as const);

const freeText =
  /^(?:note_to_payer|description|reason|transactions\[\d+\]\.(?:description|note_to_payee|item_list\.items\[\d+\]\.(?:name|description)))$/;
const email = /(?<![\w.+-])([\w.+-]{1,64})@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})*\.[a-z]{2,}/i;
/** Mailboxes of a shop, which it may well name. */
const ofShop =
  /^(?:support|help|info|sales|shop|store|orders?|contact|hello|billing|service|office|no-?reply)$/i;
/** With the country's prefix, or after a word that says so: other digits are numbers of orders. */
const telephone =
  /(?<![\w+])\+[1-9]\d{0,2}[ ().-]{0,2}\d(?:[ ().-]{0,2}\d){6,12}(?!\w)|\b(?:tel|phone|mobile|cell)\b\.?:?\s*\(?\d(?:[ ().-]{0,2}\d){6,12}(?!\w)/i;

function* personalTexts(evidence: Evidence): Generator<Notice> {
  const seen: Sighting[] = [];
  for (const entry of evidence.whereBodyHas('personal')) {
    if (!withTexts.has(entry.operation)) continue;
    for (const { path, value } of leavesOf(evidence.bodyOf(entry))) {
      if (typeof value !== 'string' || !freeText.test(path)) continue;
      const mailbox = value.match(email)?.[1];
      const kind =
        mailbox !== undefined && !ofShop.test(mailbox)
          ? 'an e-mail address'
          : telephone.test(value)
            ? 'a telephone number'
            : undefined;
      if (kind !== undefined) {
        seen.push({ place: `${path} of ${entry.operation ?? ''} held ${kind}`, entry });
      }
    }
  }
  for (const notice of notices(seen)) yield { ...notice, confidence: 'possible' };
}

/** One notice for each place and fault: a client writes all its requests in one way. */
function* notices(seen: readonly Sighting[]): Generator<Notice> {
  for (const [place, ofOne] of groupBy(seen, (sighting) => sighting.place)) {
    yield {
      what: `${place}, ${formatTimes(ofOne.length)}.`,
      evidence: firstExamples([...new Set(ofOne.map(({ entry }) => entry))]),
    };
  }
}
