import type { FindingRule, Detection } from '../finding-rule.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { type Sighting, notices } from './text-sightings.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import { leavesOf } from '../../evidence/json-leaves.ts';
import { isCurrency, currencyDecimals } from '../../../domain/money/money.ts';

/** An amount was sent as floating-point arithmetic leaves it, and not as money is written. */
export const floatAmount: FindingRule = {
  id: 'float-amount',
  severity: 'high',
  about: 'An amount was sent as floating-point arithmetic leaves it, and not as money is written.',
  remedy:
    'Count money in whole minor units, and write it as a string with the decimals of its currency.',
  find: floatAmounts,
};

/** Operations that move an amount of money. */
const ofMoney: ReadonlySet<OperationName | undefined> = new Set([
  'payment.create',
  'sale.refund',
  'capture.refund',
  'auth.capture',
  'auth.reauthorize',
] as const);

/** Where the members of an amount stand. Other numbers of a body are none. */
const amountPath =
  /(?:^|\.)amount\.(?:total|details\.\w+)$|^transactions\[\d+\]\.item_list\.items\[\d+\]\.(?:price|tax)$/;

function* floatAmounts(evidence: Evidence): Generator<Detection> {
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
