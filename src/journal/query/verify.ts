/** Compares a journal with what a test expects, and reports when the journal cannot know. */
import type { z } from '@hono/zod-openapi';
import type { VerifyRequestSchema } from '../../contract/control/inputs.ts';
import { conditionsOf, matchEntry, type QueryCondition } from './condition.ts';
import type { Entry } from '../entry.ts';
import { fieldConditions } from './body-field.ts';
import type { Journal } from '../journal.ts';
import type { StoredEntry } from '../stored-entry.ts';
import { countExchanges, nearestOf, tableOf, describeConditions } from '../explain/report.ts';

/** An expectation after validation. */
export type Expectation = z.output<VerifyRequestSchema>;

export interface Verification {
  readonly status: 'ok' | 'failed' | 'unsure';
  /** Absent if the journal no longer contains the deciding exchanges. */
  readonly ok: boolean | undefined;
  readonly message: string;
  /** The exchanges that were counted. */
  readonly seen: readonly Entry[];
}

type Status = Verification['status'];

/** The bounds of a number that is not known exactly. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/** The exchanges that match an expectation. */
interface Count {
  readonly journal: Journal;
  readonly all: readonly StoredEntry[];
  readonly fitting: readonly StoredEntry[];
  /** The number of exchanges whose deciding values are not kept. */
  readonly doubtful: number;
  readonly range: Range;
}

/** Counts the exchanges that meet `match` and `fields`, and looks for `sequence` among them. */
export function verify(journal: Journal, expected: Expectation): Verification {
  const { masking } = journal;
  const conditions = [
    ...conditionsOf(expected.match, masking),
    ...fieldConditions(expected.fields, masking),
  ];
  const count = countOf(journal, expected.match.from, conditions);
  const counted = verifyCount(count, wantedOf(expected), conditions);
  return counted.ok !== true || expected.sequence === undefined
    ? counted
    : verifyOrder(
        count,
        expected.sequence.map((step) => conditionsOf(step, masking)),
      );
}

function countOf(
  journal: Journal,
  fromMs: number | undefined,
  conditions: readonly QueryCondition[],
): Count {
  const all = journal.all();
  const fitting = all.filter((entry) => matchEntry(entry, conditions) === 'meets');
  const doubtful = all.filter((entry) => matchEntry(entry, conditions) === 'unknown').length;
  const droppedAtMost = canHaveDropped(journal, fromMs) ? Number.POSITIVE_INFINITY : 0;
  const range = { least: fitting.length, most: fitting.length + doubtful + droppedAtMost };
  return { journal, all, fitting, doubtful, range };
}

function verifyCount(
  count: Count,
  wanted: Range,
  conditions: readonly QueryCondition[],
): Verification {
  const { all, fitting, range } = count;
  const status = statusOf(range, wanted);
  if (status === 'ok') {
    const summary = `Received ${countExchanges(fitting.length)} ${describeConditions(conditions)}, as expected.`;
    return verificationOf(count, status, fitting, [summary]);
  }
  return verificationOf(count, status, fitting, [
    `Expected ${wordOf(wanted)} ${describeConditions(conditions)}; received ${fitting.length}.`,
    `Received:\n${tableOf(fitting.length > 0 ? fitting : all)}`,
    fitting.length < wanted.least ? nearestOf(all, conditions) : '',
  ]);
}

/** Looks for each step after the previous one. Exchanges in between do not matter. */
function verifyOrder(count: Count, steps: readonly (readonly QueryCondition[])[]): Verification {
  const { fitting, range } = count;
  const seen: StoredEntry[] = [];
  let rest = fitting;
  for (const [at, step] of steps.entries()) {
    const found = rest.findIndex((entry) => matchEntry(entry, step) === 'meets');
    const entry = rest[found];
    if (entry === undefined) {
      const before = seen.at(-1);
      const after = before === undefined ? '' : ` after #${before.seq}`;
      return verificationOf(count, range.most > range.least ? 'unsure' : 'failed', seen, [
        `Expected ${steps.length} exchanges in this order; step ${at + 1}, ${describeConditions(step)}, did not arrive${after}.`,
        `Received:\n${tableOf(fitting)}`,
        nearestOf(rest, step),
      ]);
    }
    seen.push(entry);
    rest = rest.slice(found + 1);
  }
  const order = seen.map(({ seq }) => `#${seq}`).join(', ');
  return verificationOf(count, 'ok', seen, [
    `Received ${countExchanges(steps.length)} in the expected order: ${order}.`,
  ]);
}

function wantedOf({ times, atLeast, atMost, sequence }: Expectation): Range {
  if (times !== undefined) return { least: times, most: times };
  const isCounted = atLeast !== undefined || atMost !== undefined || sequence !== undefined;
  return { least: atLeast ?? (isCounted ? 0 : 1), most: atMost ?? Number.POSITIVE_INFINITY };
}

function statusOf(counted: Range, wanted: Range): Status {
  if (counted.least >= wanted.least && counted.most <= wanted.most) return 'ok';
  return counted.least > wanted.most || counted.most < wanted.least ? 'failed' : 'unsure';
}

function wordOf({ least, most }: Range): string {
  if (least === most) return countExchanges(least);
  if (most === Number.POSITIVE_INFINITY) return `at least ${countExchanges(least)}`;
  return least === 0 ? `at most ${countExchanges(most)}` : `${least} to ${countExchanges(most)}`;
}

/**
 * The merchant's clock never runs backwards, so all dropped exchanges are at or before
 * `droppedUntilMs`.
 */
function canHaveDropped(journal: Journal, fromMs: number | undefined): boolean {
  return journal.dropped > 0 && (fromMs === undefined || fromMs <= journal.droppedUntilMs);
}

function verificationOf(
  { journal, doubtful }: Count,
  status: Status,
  counted: readonly StoredEntry[],
  lines: readonly string[],
): Verification {
  const doubts = status === 'unsure' ? describeDoubts(journal, doubtful) : [];
  const message = [...doubts, ...lines].filter((line) => line !== '').join('\n');
  const seen = counted.map((entry) => entry.plain());
  return { status, ok: status === 'unsure' ? undefined : status === 'ok', message, seen };
}

function describeDoubts({ dropped, isOff, limits }: Journal, doubtful: number): string[] {
  const doubts: string[] = [];
  if (isOff) {
    doubts.push(
      `Cannot tell: ${countExchanges(dropped)} arrived while the journal was off. Set limits.maxJournalEntries (--max-journal-entries).`,
    );
  } else if (dropped > 0) {
    doubts.push(
      `Cannot tell: the journal dropped ${countExchanges(dropped)} that might match. It keeps ${limits.maxEntries} exchanges and ${limits.maxBytes} bytes. Clear it before the test, start later with from, or raise its limits.`,
    );
  }
  if (doubtful > 0) {
    doubts.push(
      `Cannot tell: the journal does not keep the requested fields of ${countExchanges(doubtful)}. It never keeps verification codes and secrets, and at most ${limits.maxTextLength} characters of a body.`,
    );
  }
  return doubts;
}
