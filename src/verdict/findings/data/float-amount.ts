import type { OperationName } from '../../../contract/service/operation-name.ts';
import { currencyDecimals, isCurrency } from '../../../domain/money/money.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { leavesOf } from '../json-leaves.ts';
import { formatCount, formatTimes } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { examplesOf, groupByPlace } from './field-sightings.ts';

/** Finds amounts that floating-point arithmetic produced, such as 19.990000000000002. */
export const floatAmount: FindingRule = {
  id: 'float-amount',
  severity: 'high',
  about: 'An amount was sent as floating-point arithmetic leaves it, not as a decimal string.',
  remedy:
    'Calculate in whole minor units, and write amounts as strings with the decimals of their currency.',
  find: findFloatAmounts,
};

const moneyOperations: ReadonlySet<OperationName | undefined> = new Set([
  'payment.create',
  'sale.refund',
  'capture.refund',
  'auth.capture',
  'auth.reauthorize',
] as const);

/** Paths of amounts. Other numbers in a body are not money. */
const amountPath =
  /(?:^|\.)amount\.(?:total|details\.\w+)$|^transactions\[\d+\]\.item_list\.items\[\d+\]\.(?:price|tax)$/;

function* findFloatAmounts(evidence: Evidence): Generator<Detection> {
  const sightings: { readonly place: string; readonly entry: StoredEntry }[] = [];
  for (const entry of evidence.whereBodyHas('oddAmount')) {
    if (!moneyOperations.has(entry.operation)) continue;
    const body = evidence.bodyOf(entry);
    const amount = memberAt(body, 'transactions[0].amount') ?? memberOf(body, 'amount');
    const currency = memberOf(amount, 'currency');
    for (const { path, value } of leavesOf(body)) {
      const fault = amountPath.test(path) ? describeFault(value, currency) : undefined;
      if (fault !== undefined) {
        sightings.push({ place: `${path} of ${entry.operation ?? ''} ${fault}`, entry });
      }
    }
  }
  for (const [place, ofPlace] of groupByPlace(sightings)) {
    yield { what: `${place}, ${formatTimes(ofPlace.length)}.`, evidence: examplesOf(ofPlace) };
  }
}

/** What shows that an amount comes from a float; `undefined` for a good amount or another kind of mistake. */
function describeFault(value: unknown, currency: unknown): string | undefined {
  if (typeof value === 'number') return 'was a number instead of a string';
  if (typeof value !== 'string') return undefined;
  if (/^-?\d*\.?\d+e[+-]?\d+$/i.test(value)) return 'was written with an exponent';
  if (/^-?(?:NaN|Infinity)$/.test(value)) return `was ${value}`;
  const [, decimals] = value.match(/^-?\d*\.(\d*)$/) ?? [];
  if (decimals === undefined) return undefined;
  const isKnown = typeof currency === 'string' && isCurrency(currency);
  const expected = isKnown ? currencyDecimals[currency] : 2;
  if (decimals.length === expected) return undefined;
  // The service does not take dinars, which have three decimals, but they are no float.
  if (!isKnown && decimals.length === 3) return undefined;
  return expected === 0
    ? `had decimals, but ${String(currency)} has none`
    : `had ${formatCount(decimals.length, 'decimal')} instead of ${expected}`;
}
