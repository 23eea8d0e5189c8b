/** The canonical form of an amount in a body, so that two notations of it compare as equal. */
import { formatMinor, isCurrency, parseMinor } from '../../domain/money/money.ts';
import { memberOf, textOf } from '../../shared/unknown-value.ts';

/**
 * Total and currency of an amount in canonical form: `30` USD is `30.00` USD.
 *
 * The order of keys does not matter. An invalid amount stays as written; a missing one is empty.
 */
export function canonicalAmount(amount: unknown): readonly [total: string, currency: string] {
  const total = textOf(memberOf(amount, 'total'));
  const currency = textOf(memberOf(amount, 'currency'));
  if (!isCurrency(currency)) return [total, currency];
  const minor = parseMinor(total, currency);
  return [minor === undefined ? total : formatMinor(minor, currency), currency];
}
