/** Reads findings from a verdict. */
import type { Shop } from '../../../support/transports.ts';

type Verdict = Awaited<ReturnType<Shop['merchant']['verdict']>>;
type Order = NonNullable<Parameters<Shop['merchant']['verdict']>[0]>;

/** The findings of a new verdict, as severity and rule, the most severe first. */
export async function foundIn(shop: Shop, order: Order = {}): Promise<string[]> {
  return namesOf(await shop.merchant.verdict(order));
}

export function namesOf({ findings }: Verdict): string[] {
  return findings.map(({ rule, severity }) => `${severity} ${rule}`);
}

/** The first finding of a rule. */
export function findingOf(verdict: Verdict, rule: string): Verdict['findings'][number] {
  const finding = verdict.findings.find((one) => one.rule === rule);
  if (finding === undefined) throw new Error(`No ${rule} among: ${namesOf(verdict).join(', ')}.`);
  return finding;
}
