import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { formatCount, firstExamples } from '../../phrases.ts';
import type { AttemptGroup } from '../../purchases/attempts.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds request ids that another process could create as well: the current time, or a counter. */
export const keyLowEntropy: FindingRule = {
  id: 'key-low-entropy',
  severity: 'medium',
  about:
    'Request ids are made from the current time or from a counter, so two processes can create the same one.',
  remedy: 'Use a random id (UUID v4) or the number of your order as PayPal-Request-Id.',
  find: findGuessableKeys,
};

function* findGuessableKeys(evidence: Evidence): Generator<Detection> {
  const withDigits = new Set(evidence.whereKeyHas('digits'));
  if (withDigits.size === 0) return;
  const groups = evidence.attemptGroups.filter(
    ({ attempts: [first] }) => first !== undefined && withDigits.has(first),
  );
  yield* findTimeKeys(groups);
  yield* findCounterKeys(groups);
}

/** A request id that contains the current time. */
interface TimeKey {
  readonly key: string;
  /** The id without the time. */
  readonly rest: string;
  readonly entry: StoredEntry;
}

function* findTimeKeys(groups: readonly AttemptGroup[]): Generator<Detection> {
  const keys = groups.flatMap((group) => timeKeyOf(group) ?? []);
  for (const [, alike] of groupBy(keys, ({ rest }) => rest)) {
    const entries = new Map(alike.map(({ key, entry }) => [key, entry]));
    if (entries.size < 2) continue;
    const shown = firstExamples([...entries.values()]);
    yield {
      what: `${formatCount(entries.size, 'PayPal-Request-Id')} differ only in the time, for example ${shown[0]?.requestId ?? ''}.`,
      evidence: shown,
      confidence: 'likely',
    };
  }
}

const timePattern = /(?<!\d)(?:\d{13}|\d{10}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?)(?!\d)/;

const minuteMs = 60_000;

/** How far the clocks of client, merchant and machine may differ. Other numbers of ten digits are years away. */
const maxClockDifferenceMs = 60 * minuteMs;

function timeKeyOf({ attempts, purchase }: AttemptGroup): TimeKey | undefined {
  const [entry] = attempts;
  const key = entry?.requestId;
  const time = key?.match(timePattern)?.[0];
  if (entry === undefined || key === undefined || time === undefined) return undefined;
  const atMs = parseTime(time);
  // The begin of a month, hour or quarter of an hour names a period, which each process must send alike.
  if (atMs % minuteMs === 0) return undefined;
  const isNow = [entry.atMs, entry.openedRealMs].some(
    (ms) => Math.abs(ms - atMs) <= maxClockDifferenceMs,
  );
  if (!isNow) return undefined;
  // An order number is a good request id, even if it contains a time.
  if (namesOf(purchase).some((name) => key.includes(name) || name.includes(time))) return undefined;
  return { key, rest: key.replace(time, ''), entry };
}

function parseTime(time: string): number {
  if (time.includes('-')) return Date.parse(time);
  return Number(time) * (time.length === 10 ? 1000 : 1);
}

/** Fewer numbers in a row may be chance. */
const minCount = 3;
/** A counter that starts again with each process starts at or below this number. */
const maxStart = 10;

/** Finds ids that are bare numbers in a row. Numbers with a prefix may be names from a test. */
function* findCounterKeys(groups: readonly AttemptGroup[]): Generator<Detection> {
  const counted = groups.flatMap(({ attempts: [entry], purchase }) => {
    const key = entry?.requestId;
    const isCount = key !== undefined && /^\d{1,6}$/.test(key) && !isOrderNumber(purchase, key);
    return entry !== undefined && isCount ? [{ entry, count: Number(key) }] : [];
  });
  const [first] = counted;
  if (first === undefined || counted.length < minCount || first.count > maxStart) return;
  if (counted.some(({ count }, at) => count !== first.count + at)) return;
  yield {
    what: `${formatCount(counted.length, 'PayPal-Request-Id')} count up from ${first.count}, so the next process will send the same ones.`,
    evidence: firstExamples(counted.map(({ entry }) => entry)),
    severity: 'low',
    confidence: 'possible',
  };
}

/** Whether a number is part of the purchase's name: `INV-1042` has the number 1042. */
function isOrderNumber(purchase: Purchase | undefined, number: string): boolean {
  return namesOf(purchase).some((name) => name.match(/\d+/g)?.includes(number) === true);
}

function namesOf(purchase: Purchase | undefined): string[] {
  return [purchase?.invoiceNumber, purchase?.custom].filter((name) => name !== undefined);
}
