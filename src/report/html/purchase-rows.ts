/** What happened to a purchase, in rows: each exchange with the money that it charged. */
import type { Attempt, Charge, PendingFates, Purchase } from '../verdicts.ts';

/** One row of a purchase's timeline. A request that a gate held has two: it is held, and it is released. */
export interface Row {
  readonly part: 'whole' | 'held' | 'released';
  readonly at: string;
  /** Time since the first row, as `+28 ms`. */
  readonly since: string;
  /** Absent if the page does not show the exchange that charged the money. */
  readonly attempt: Attempt | undefined;
  readonly charges: readonly ChargeRow[];
}

/** A charge, and when the client learned of it. */
export interface ChargeRow {
  readonly charge: Charge;
  /** `pending`: the client knows of it, but not what it becomes. */
  readonly knowledge: 'known' | 'pending' | 'never' | 'unsure';
  /** For `known`: `at once`, or the time since the first row as `+3 d`. */
  readonly knownSince?: string;
}

interface RowEvent extends Pick<Row, 'part' | 'at' | 'attempt'> {
  readonly charges: readonly Charge[];
}

/** The rows of a purchase in order of time. */
export function rowsOf(
  { attempts, charges }: Purchase,
  fates: PendingFates = new Map(),
): readonly Row[] {
  const debugIds = new Set(attempts.map(({ debugId }) => debugId));
  const events = [
    ...attempts.map((attempt): RowEvent => {
      const { at, held, debugId } = attempt;
      const isLater = held?.holds.some((hold) => hold.at === 'before-commit') === true;
      return {
        part: held === undefined ? 'whole' : 'held',
        at,
        attempt,
        charges: isLater ? [] : charges.filter(({ createdBy }) => createdBy === debugId),
      };
    }),
    ...charges
      .filter(({ createdBy }) => !debugIds.has(createdBy))
      .map((charge): RowEvent => ({
        part: 'whole',
        at: charge.at,
        attempt: undefined,
        charges: [charge],
      })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  addReleases(events, attempts, charges);
  const startAt = events[0]?.at ?? '';
  return events.map((event) => ({
    ...event,
    since: formatSince(startAt, event.at),
    charges: event.charges.map((charge) => toChargeRow(charge, startAt, fates)),
  }));
}

/** Adds the release of each held request after the last request that had come by then. */
function addReleases(
  events: RowEvent[],
  attempts: readonly Attempt[],
  charges: readonly Charge[],
): void {
  const held = attempts.filter((attempt) => attempt.held !== undefined);
  for (const attempt of held.toSorted((a, b) => releaseNumber(a) - releaseNumber(b))) {
    const shown = new Set(events.flatMap((event) => event.charges));
    const last = events.findIndex((event) => event.attempt?.debugId === attempt.held?.after);
    const next = events.findIndex((event, index) => index > last && event.part !== 'released');
    events.splice(next < 0 ? events.length : next, 0, {
      part: 'released',
      at: attempt.held?.endedAt ?? attempt.at,
      attempt,
      charges: charges.filter((one) => one.createdBy === attempt.debugId && !shown.has(one)),
    });
  }
}

function releaseNumber({ held }: Attempt): number {
  return held?.holds.at(-1)?.released ?? 0;
}

function toChargeRow(charge: Charge, startAt: string, fates: PendingFates): ChargeRow {
  const { id, known, createdBy, disclosedBy } = charge;
  if (disclosedBy === undefined)
    return { charge, knowledge: known === 'never' ? 'never' : 'unsure' };
  if (fates.has(id)) return { charge, knowledge: 'pending' };
  const knownSince =
    disclosedBy.debugId === createdBy ? 'at once' : formatSince(startAt, disclosedBy.at);
  return { charge, knowledge: 'known', knownSince };
}

const units = [
  { name: 'd', ms: 86_400_000, from: 2 * 86_400_000 },
  { name: 'h', ms: 3_600_000, from: 2 * 3_600_000 },
  { name: 'min', ms: 60_000, from: 2 * 60_000 },
  { name: 's', ms: 1000, from: 1000 },
] as const;

/** `28 ms`, `3.2 s`, `12 d`: rounded to two digits, or whole units. */
export function formatRounded(ms: number): string {
  const unit = units.find(({ from }) => ms >= from);
  if (unit === undefined) return `${Math.round(ms)} ms`;
  const count = ms / unit.ms;
  return `${count < 10 ? Number(count.toFixed(1)) : Math.round(count)} ${unit.name}`;
}

/** The time from one instant to another, as `+28 ms`; `0 ms` for the start itself. */
export function formatSince(startAt: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(startAt);
  return ms <= 0 ? '0 ms' : `+${formatRounded(ms)}`;
}
