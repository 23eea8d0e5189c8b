/** An amount in a body as it is meant. */
import { formatMinor, isCurrency, parseMinor } from '../../domain/money/money.ts';
import { memberOf } from '../../shared/unknown-value.ts';

/**
 * Total and currency of an amount, however it is spelled: `30` USD is `30.00` USD, in any order of keys. What is no
 * amount stays as it was written; what is missing is empty.
 */
export function canonicalAmount(amount: unknown): readonly [total: string, currency: string] {
  const total = String(memberOf(amount, 'total') ?? '');
  const currency = String(memberOf(amount, 'currency') ?? '');
  if (!isCurrency(currency)) return [total, currency];
  const minor = parseMinor(total, currency);
  return [minor === undefined ? total : formatMinor(minor, currency), currency];
}
