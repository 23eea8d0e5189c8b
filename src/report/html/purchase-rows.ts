/** What happened to a purchase, in rows: each exchange with the money that it charged. */
import type { Attempt, Charge, Purchase } from '../verdicts.ts';

/** One row of a purchase's timeline. */
export interface Row {
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
  readonly knowledge: 'known' | 'never' | 'unsure';
  /** For `known`: `at once`, or the time since the first row as `+3 d`. */
  readonly knownSince?: string;
}

/** The rows of a purchase in order of time. */
export function rowsOf({ attempts, charges }: Purchase): readonly Row[] {
  const debugIds = new Set(attempts.map(({ debugId }) => debugId));
  const events = [
    ...attempts.map((attempt) => ({
      at: attempt.at,
      attempt,
      charges: charges.filter(({ createdBy }) => createdBy === attempt.debugId),
    })),
    ...charges
      .filter(({ createdBy }) => !debugIds.has(createdBy))
      .map((charge) => ({ at: charge.at, attempt: undefined, charges: [charge] })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const startAt = events[0]?.at ?? '';
  return events.map((event) => ({
    at: event.at,
    since: formatSince(startAt, event.at),
    attempt: event.attempt,
    charges: event.charges.map((charge) => toChargeRow(charge, startAt)),
  }));
}

function toChargeRow(charge: Charge, startAt: string): ChargeRow {
  const { known, createdBy, disclosedBy } = charge;
  if (disclosedBy === undefined)
    return { charge, knowledge: known === 'never' ? 'never' : 'unsure' };
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
