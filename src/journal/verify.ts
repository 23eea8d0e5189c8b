/** Holds a journal against what a test expects of it, and says so when the journal cannot know. */
import type { z } from '@hono/zod-openapi';
import type { VerifyRequest } from '../contract/journal-queries.ts';
import { conditionsOf, judge, type Condition } from './condition.ts';
import type { Entry } from './entry.ts';
import { fieldConditions } from './field.ts';
import type { Journal } from './journal.ts';
import { exchanges, nearestOf, tableOf, wordsOf } from './report.ts';

/** What is expected, once it was read. */
export type Expectation = z.output<typeof VerifyRequest>;

export interface Verification {
  readonly status: 'ok' | 'failed' | 'unsure';
  /** Absent where the journal no longer holds what would decide it. */
  readonly ok: boolean | undefined;
  readonly message: string;
  /** The exchanges that were counted. */
  readonly seen: readonly Entry[];
}

type Status = Verification['status'];

/** What is known of a number: it lies between the two. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/** Counts the exchanges that meet `match` and `fields`, and looks for `sequence` among them. */
export function verify(journal: Journal, expected: Expectation): Verification {
  const { match, sequence } = expected;
  const conditions = [...conditionsOf(match), ...fieldConditions(expected.fields)];
  const all = journal.find();
  const fitting = all.filter((entry) => judge(entry, conditions) === 'meets');
  const possible = all.filter((entry) => judge(entry, conditions) === 'unknown').length;
  const gone = canHaveDropped(journal, match.from) ? Number.POSITIVE_INFINITY : 0;
  const counted = { least: fitting.length, most: fitting.length + possible + gone };
  const wanted = wantedOf(expected);
  const status = statusOf(counted, wanted);
  if (status !== 'ok') {
    const said = `Expected ${wordOf(wanted)} ${wordsOf(conditions)}; saw ${fitting.length}.`;
    return verdict(journal, status, possible, fitting, [
      said,
      `Seen:\n${tableOf(fitting.length > 0 ? fitting : all)}`,
      fitting.length < wanted.least ? nearestOf(all, conditions) : '',
    ]);
  }
  if (sequence === undefined) {
    return verdict(journal, 'ok', possible, fitting, [
      `Saw ${exchanges(fitting.length)} ${wordsOf(conditions)}, as expected.`,
    ]);
  }
  return verifyOrder(journal, fitting, counted, sequence.map(conditionsOf));
}

/** Looks for each step after the one before it. What comes between does not matter. */
function verifyOrder(
  journal: Journal,
  among: readonly Entry[],
  counted: Range,
  steps: readonly (readonly Condition[])[],
): Verification {
  const seen: Entry[] = [];
  let from = 0;
  for (const [at, step] of steps.entries()) {
    const found = among.findIndex(
      (entry, index) => index >= from && judge(entry, step) === 'meets',
    );
    const entry = among[found];
    if (entry === undefined) {
      const before = seen.at(-1);
      const after = before === undefined ? '' : ` after #${before.seq}`;
      const status = counted.most > among.length ? 'unsure' : 'failed';
      return verdict(journal, status, 0, seen, [
        `Expected ${steps.length} exchanges in this order; step ${at + 1}, ${wordsOf(step)}, did not come${after}.`,
        `Seen:\n${tableOf(among)}`,
        nearestOf(among.slice(from), step),
      ]);
    }
    seen.push(entry);
    from = found + 1;
  }
  return verdict(journal, 'ok', 0, seen, [
    `Saw ${exchanges(steps.length)} in the expected order: ${seen.map(({ seq }) => `#${seq}`).join(', ')}.`,
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
  if (least === most) return exchanges(least);
  if (most === Number.POSITIVE_INFINITY) return `at least ${exchanges(least)}`;
  return least === 0 ? `at most ${exchanges(most)}` : `${least} to ${exchanges(most)}`;
}

/** The merchant's clock never runs back, so nothing that was dropped is later than the last of it. */
function canHaveDropped(journal: Journal, fromMs: number | undefined): boolean {
  return journal.dropped > 0 && (fromMs === undefined || fromMs <= journal.droppedUntilMs);
}

function verdict(
  journal: Journal,
  status: Status,
  possible: number,
  seen: readonly Entry[],
  lines: readonly string[],
): Verification {
  const doubts = status === 'unsure' ? doubtsOf(journal, possible) : [];
  const message = [...doubts, ...lines].filter((line) => line !== '').join('\n');
  return { status, ok: status === 'unsure' ? undefined : status === 'ok', message, seen };
}

function doubtsOf({ dropped, limits }: Journal, possible: number): string[] {
  const doubts: string[] = [];
  if (dropped > 0) {
    doubts.push(
      `Cannot tell: ${exchanges(dropped)} made room for newer ones, and could have counted. The journal keeps ${limits.maxEntries} of them and ${limits.maxBytes} bytes. Clear it before what is to be verified, ask for a later time with from, or give it more room.`,
    );
  }
  if (possible > 0) {
    doubts.push(
      `Cannot tell: of ${exchanges(possible)} the journal does not keep the fields asked for. Verification codes and secrets are never kept, and bodies only up to ${limits.maxTextLength} characters.`,
    );
  }
  return doubts;
}
