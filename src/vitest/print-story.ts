/** What a merchant asked and what came of it, for whoever looks into a test that failed. */
import type { VerdictOptions } from '../client/connect.ts';
import type { Severity } from '../contract/constants.ts';
import type { JournalReading } from '../journal/query/read-query.ts';
import type { Verdict } from '../report/verdicts.ts';
import { tableOf } from '../journal/explain/report.ts';
import { storiesText, verdictText } from '../report/text.ts';

/** Whoever can tell: a merchant, be it here or elsewhere. */
export interface Teller {
  readonly id: string;
  journal(): JournalReading | Promise<JournalReading>;
  verdict(order: VerdictOptions): Promise<Verdict>;
}

const worthTelling: ReadonlySet<Severity> = new Set(['critical', 'high', 'medium']);

/** Writes what a verdict found although it passed: where a buyer may have paid twice, a green test is not all there is. */
export function tellFindings(verdict: Verdict): void {
  const { findings } = verdict;
  const isAny = findings.some(
    ({ severity, suppressed }) => suppressed === undefined && worthTelling.has(severity),
  );
  if (isAny) console.warn(verdictText([verdict], 100));
}

/** Writes it where vitest shows it with the test. */
export async function tellStory(merchant: Teller): Promise<void> {
  const [{ entries }, { purchases }] = await Promise.all([
    merchant.journal(),
    merchant.verdict({ waitMs: 0 }),
  ]);
  const stories = purchases.length === 0 ? '' : `\n${storiesText(purchases)}`;
  console.error(`What merchant ${merchant.id} asked:\n${tableOf(entries)}${stories}`);
}
