/** Spans of time as a reader takes them in. */

const units = [
  { name: 'd', ms: 86_400_000, from: 2 * 86_400_000 },
  { name: 'h', ms: 3_600_000, from: 2 * 3_600_000 },
  { name: 'min', ms: 60_000, from: 2 * 60_000 },
  { name: 's', ms: 1000, from: 1000 },
] as const;

/** `28 ms`, `3.2 s`, `12 d`: two digits say enough. */
export function spanWords(ms: number): string {
  const unit = units.find(({ from }) => ms >= from);
  if (unit === undefined) return `${Math.round(ms)} ms`;
  const count = ms / unit.ms;
  return `${count < 10 ? Number(count.toFixed(1)) : Math.round(count)} ${unit.name}`;
}

/** Time from one instant to another, as `+28 ms`; the first of them is the start. */
export function sinceWords(startAt: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(startAt);
  return ms <= 0 ? '0 ms' : `+${spanWords(ms)}`;
}
