import type { OperationName } from '../../../contract/service/operation-name.ts';
import { currencyDecimals, isCurrency } from '../../../domain/money/money.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { leavesOf } from '../json-leaves.ts';
import { formatCount, formatTimes } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { amountIn, isCorrected, moneyOperations, testsBadAmounts } from './bad-amounts.ts';
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

const operations: ReadonlySet<OperationName | undefined> = new Set(moneyOperations);

/** Paths of amounts. Other numbers in a body are not money. */
const amountPath =
  /(?:^|\.)amount\.(?:total|details\.\w+)$|^transactions\[\d+\]\.item_list\.items\[\d+\]\.(?:price|tax)$/;

function* findFloatAmounts(evidence: Evidence): Generator<Detection> {
  const sightings: { readonly place: string; readonly entry: StoredEntry }[] = [];
  for (const entry of evidence.whereBodyHas('oddAmount')) {
    if (!operations.has(entry.operation)) continue;
    const currency = memberOf(amountIn(evidence, entry), 'currency');
    for (const { path, value } of leavesOf(evidence.bodyOf(entry))) {
      const fault = amountPath.test(path) ? describeFault(value, currency) : undefined;
      if (fault !== undefined) {
        sightings.push({ place: `${path} of ${entry.operation ?? ''} ${fault}`, entry });
      }
    }
  }
  for (const [place, ofPlace] of groupByPlace(sightings)) {
    const isOnPurpose = ofPlace.length === 1 && testsBadAmounts(evidence);
    const areCorrected = ofPlace.every(({ entry }) => isCorrected(evidence, entry));
    yield {
      what: `${place}, ${formatTimes(ofPlace.length)}${areCorrected ? ', and the client then sent it as a proper amount' : ''}.`,
      evidence: examplesOf(ofPlace),
      // The service refused it, and nothing was lost.
      ...((areCorrected || isOnPurpose) && { severity: 'low', confidence: 'possible' }),
    };
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
