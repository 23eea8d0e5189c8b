import type { FindingRule, Detection } from '../finding-rule.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { AttemptGroup } from '../../purchases/attempts.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import type { Purchase } from '../../purchases/purchase.ts';

/** Request ids are the time they were made at, or count up from the start of a process. */
export const keyLowEntropy: FindingRule = {
  id: 'key-low-entropy',
  severity: 'medium',
  about: 'Request ids are the time they were made at, or count up from the start of a process.',
  remedy:
    'Use a random id (UUID v4) or the number of your order: two processes count alike, and meet in one millisecond.',
  find: guessableKeys,
};

/** A key, and what is left of it without the time in it. */
interface TimeKey {
  readonly key: string;
  readonly rest: string;
  readonly entry: StoredEntry;
}

function* guessableKeys(evidence: Evidence): Generator<Detection> {
  const sent = new Set(evidence.whereKeyHas('digits'));
  if (sent.size === 0) return;
  const withDigits = evidence.attemptGroups.filter(
    ({ attempts: [entry] }) => entry !== undefined && sent.has(entry),
  );
  yield* timeKeys(withDigits);
  yield* countedKeys(withDigits);
}

function* timeKeys(tasks: readonly AttemptGroup[]): Generator<Detection> {
  const keys = tasks.flatMap((task) => timeKeyOf(task) ?? []);
  for (const [, alike] of groupBy(keys, ({ rest }) => rest)) {
    const different = new Map(alike.map((one) => [one.key, one.entry]));
    if (different.size < 2) continue;
    const shown = firstExamples([...different.values()]);
    yield {
      what: `${formatCount(different.size, 'PayPal-Request-Id')} differ in nothing but the time, such as ${shown[0]?.requestId ?? ''}.`,
      evidence: shown,
      confidence: 'likely',
    };
  }
}

const timeRun = /(?<!\d)(?:\d{13}|\d{10}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?)(?!\d)/;

/** Clocks of client, merchant and machine differ; a number of ten digits that is no time misses this by years. */
const nearMs = 3_600_000;

function timeKeyOf({ attempts, purchase }: AttemptGroup): TimeKey | undefined {
  const [entry] = attempts;
  const key = entry?.requestId;
  const run = key?.match(timeRun)?.[0];
  if (entry === undefined || key === undefined || run === undefined) return undefined;
  const atMs = timeIn(run);
  const near = [entry.atMs, entry.openedRealMs].some((ms) => Math.abs(ms - atMs) <= nearMs);
  if (!near) return undefined;
  // The number of an order is a good key, whatever it is made of.
  if (namesOf(purchase).some((name) => key.includes(name) || name.includes(run))) return undefined;
  return { key, rest: key.replace(run, ''), entry };
}

function timeIn(run: string): number {
  if (run.includes('-')) return Date.parse(run);
  return Number(run) * (run.length === 10 ? 1000 : 1);
}

/** Fewer may be chance; a counter that was not begun anew with its process is long past these. */
const fewestCounted = 3;

const lowestCounts = 10;

/** Bare numbers only: with anything else beside them, they are as likely to be names that a test gives out. */
function* countedKeys(tasks: readonly AttemptGroup[]): Generator<Detection> {
  const counted = tasks.flatMap(({ attempts: [entry], purchase }) => {
    const key = entry?.requestId;
    const isOne = key !== undefined && /^\d{1,6}$/.test(key) && !isNumberOf(purchase, key);
    return entry !== undefined && isOne ? [{ entry, count: Number(key) }] : [];
  });
  const [first] = counted;
  if (first === undefined || counted.length < fewestCounted || first.count > lowestCounts) return;
  if (counted.some(({ count }, at) => count !== first.count + at)) return;
  yield {
    what: `${formatCount(counted.length, 'PayPal-Request-Id')} count up from ${first.count}, so the next process will send the same ones.`,
    evidence: firstExamples(counted.map(({ entry }) => entry)),
    severity: 'low',
    confidence: 'possible',
  };
}

/** `INV-1042` has the number 1042. */
function isNumberOf(purchase: Purchase | undefined, number: string): boolean {
  return namesOf(purchase).some((name) => name.match(/\d+/g)?.includes(number) === true);
}

function namesOf(purchase: Purchase | undefined): string[] {
  return [purchase?.invoiceNumber, purchase?.custom].filter((name) => name !== undefined);
}
