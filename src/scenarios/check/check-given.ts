/** Checks the card numbers of given cards. */
import { brandOf, brands, passesLuhn, type Brand } from '../../domain/card/brand.ts';
import type { Path } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import type { ReportProblem } from '../rules/raw-rule.ts';

/** Reports an impossible card number, and a number of another brand than the card's type. */
export function checkGivenCard(card: unknown, path: Path, report: ReportProblem): void {
  const number = memberOf(card, 'number');
  // The schema already reports a number of another form.
  if (typeof number !== 'string' || !/^\d{12,19}$/.test(number)) return;
  const issuer = brandOf(number);
  if (!passesLuhn(number) || issuer === undefined) {
    const fault = passesLuhn(number)
      ? 'no supported brand has such a number'
      : 'its check digit is wrong (Luhn)';
    report(
      [...path, 'number'],
      `this is not a valid card number: ${fault}. Use a published test number.`,
    );
    return;
  }
  const brand = brandNamed(memberOf(card, 'type'));
  if (brand === undefined || brand === issuer) return;
  report([...path, 'type'], `must be ${issuer}, which is the brand of this number, not ${brand}.`);
}

function brandNamed(word: unknown): Brand | undefined {
  return brands.find((brand) => brand === word);
}
