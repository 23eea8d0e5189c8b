/** Holds the numbers of given cards against what any card number must be, whenever the scenario is played. */
import { brandOf, brands, passesLuhn, type Brand } from '../../domain/card/brand.ts';
import type { Path } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import type { ReportProblem } from '../rules/raw-rule.ts';

/** Reports a number that no card has, and one of another brand than it is said to be. */
export function checkGivenCard(card: unknown, path: Path, report: ReportProblem): void {
  const number = memberOf(card, 'number');
  // Another form is a mistake of its own, which is named already.
  if (typeof number !== 'string' || !/^\d{12,19}$/.test(number)) return;
  const issuer = brandOf(number);
  if (!passesLuhn(number) || issuer === undefined) {
    const fault = passesLuhn(number)
      ? 'no brand issues numbers like this one'
      : 'its last digit is not the one that the others ask for (Luhn)';
    report([...path, 'number'], `this is no card number: ${fault}. Take a published test number.`);
    return;
  }
  const brand = brandNamed(memberOf(card, 'type'));
  if (brand === undefined || brand === issuer) return;
  report([...path, 'type'], `the number is not one of ${brand} but of ${issuer}.`);
}

function brandNamed(word: unknown): Brand | undefined {
  return brands.find((brand) => brand === word);
}
