/** Formats journal entries for messages: a small table, and the entry nearest to a query. */
import type { QueryCondition } from '../query/condition.ts';
import type { Entry } from '../entry.ts';

/** The most rows of a table. Earlier ones are only counted. */
export const maxRows = 10;

/** The cells of a table row. */
export type Row = readonly string[];

/** Conditions as text: `operation card.create, status 201`. */
export function describeConditions(conditions: readonly QueryCondition[]): string {
  return conditions.length === 0
    ? 'of any kind'
    : `with ${conditions.map(({ name, wanted }) => `${name} ${wanted}`).join(', ')}`;
}

/** `1 exchange`, `2 exchanges`. */
export function countExchanges(count: number): string {
  return count === 1 ? '1 exchange' : `${count} exchanges`;
}

/** A table with one line for each entry, or for the latest ones if there are many. */
export function tableOf(entries: readonly Entry[]): string {
  const shown = entries.slice(-maxRows);
  return tableOfRows(shown.map(rowOf), entries.length - shown.length);
}

/** A table of rows. `earlier` ones are only counted. */
export function tableOfRows(shown: readonly Row[], earlier: number): string {
  if (shown.length === 0) return '  nothing';
  const heads = ['', 'operation', 'answer', 'client knows', 'outcomes'];
  const rows: readonly Row[] = [heads, ...shown];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...(earlier > 0 ? [`... ${earlier} earlier exchanges, then`] : []), ...lines]
    .map((line) => `  ${line}`)
    .join('\n');
}

export function rowOf(entry: Entry): Row {
  const { seq, operation, method, path, status, problem, concludes, delivery } = entry;
  const answer = status === 0 ? 'none yet' : `${status} ${problem ?? ''}`.trimEnd();
  const outcomes = entry.outcomes.map(({ id, by }) => `${id} (${by})`).join(', ');
  return [
    `#${seq}`,
    operation ?? `${method} ${path}`,
    entry.replayed ? `${answer}, replayed` : answer,
    delivery.state === 'delivered' ? concludes : `${concludes}, ${delivery.state}`,
    outcomes === '' ? '-' : outcomes,
  ];
}

/** Describes the entry that misses the fewest conditions; empty if there is none. */
export function nearestOf(
  entries: readonly Entry[],
  conditions: readonly QueryCondition[],
): string {
  const nearest = new NearestEntry(conditions);
  for (const entry of entries) nearest.consider(entry);
  return nearest.text;
}

/** Finds the nearest entry among those it considers, and keeps none of them. */
export class NearestEntry {
  readonly #conditions: readonly QueryCondition[];
  #fewest = Number.POSITIVE_INFINITY;
  #text = '';

  constructor(conditions: readonly QueryCondition[]) {
    this.#conditions = conditions;
  }

  /** Empty until an entry misses some condition. */
  get text(): string {
    return this.#text;
  }

  /** @param when When the entry came, if that is not clear. */
  consider(entry: Entry, when = ''): void {
    const missed = this.#conditions.filter((condition) => condition.match(entry) !== 'meets');
    if (missed.length === 0 || missed.length > this.#fewest) return;
    this.#fewest = missed.length;
    const why = missed.map(
      ({ name, wanted, actual }) => `${name} is ${actual(entry)}, not ${wanted}`,
    );
    this.#text = `Nearest: #${entry.seq}${when}, but ${why.join('; ')}.`;
  }
}
