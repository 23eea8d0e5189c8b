/** Prints what happened to a merchant, for the reader of a failed test. */
import type { VerdictOptions } from '../client/connect.ts';
import type { Severity } from '../contract/constants.ts';
import type { JournalReading } from '../journal/query/read-query.ts';
import type { Verdict } from '../report/verdicts.ts';
import { tableOf } from '../journal/explain/report.ts';
import { storiesText, verdictText } from '../report/text.ts';

/** A merchant of either kind of sandbox. */
export interface ReadableMerchant {
  readonly id: string;
  journal(): JournalReading | Promise<JournalReading>;
  verdict(options: VerdictOptions): Promise<Verdict>;
}

const printedSeverities: ReadonlySet<Severity> = new Set(['critical', 'high', 'medium']);

/** Prints findings of a verdict that passed: a green test may still hide a buyer who paid twice. */
export function printFindings(verdict: Verdict): void {
  const { findings } = verdict;
  const hasFindings = findings.some(
    ({ severity, suppressed }) => suppressed === undefined && printedSeverities.has(severity),
  );
  if (hasFindings) console.warn(verdictText([verdict], 100));
}

/** Prints requests and purchases to the console, which vitest shows with the test. */
export async function printStory(merchant: ReadableMerchant): Promise<void> {
  const [{ entries }, verdict] = await Promise.all([
    merchant.journal(),
    merchant.verdict({ waitMs: 0 }),
  ]);
  const stories = verdict.purchases.length === 0 ? '' : `\n${storiesText(verdict)}`;
  console.error(`Requests of merchant ${merchant.id}:\n${tableOf(entries)}${stories}`);
}
