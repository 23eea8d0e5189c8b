/** Shows to people what stands in a journal: a small table, and the entry that came nearest to what was asked for. */
import type { QueryCondition } from '../query/condition.ts';
import type { Entry } from '../entry.ts';

/** The most rows that a table shows; earlier ones are counted. */
export const maxRows = 10;

/** What a table shows of an entry, cell by cell. */
export type Row = readonly string[];

/** Conditions in words: `operation card.create, status 201`. */
export function describeConditions(conditions: readonly QueryCondition[]): string {
  return conditions.length === 0
    ? 'of any kind'
    : `with ${conditions.map(({ name, wanted }) => `${name} ${wanted}`).join(', ')}`;
}

/** `1 exchange`, `2 exchanges`. */
export function countExchanges(count: number): string {
  return count === 1 ? '1 exchange' : `${count} exchanges`;
}

/** One line for each entry, the latest ones if there are many. */
export function tableOf(entries: readonly Entry[]): string {
  const shown = entries.slice(-maxRows);
  return tableOfRows(shown.map(rowOf), entries.length - shown.length);
}

/** One line for each row. `earlier` ones are counted only. */
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
  return [...(earlier > 0 ? [`... ${earlier} earlier ones, then`] : []), ...lines]
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

/** The entry that misses the fewest conditions, and which; empty when there is none. */
export function nearestOf(
  entries: readonly Entry[],
  conditions: readonly QueryCondition[],
): string {
  const nearest = new NearestEntry(conditions);
  for (const entry of entries) nearest.consider(entry);
  return nearest.text;
}

/** Finds that entry among those that it is shown, and keeps none of them. */
export class NearestEntry {
  readonly #conditions: readonly QueryCondition[];
  #fewest = Number.POSITIVE_INFINITY;
  #text = '';

  constructor(conditions: readonly QueryCondition[]) {
    this.#conditions = conditions;
  }

  /** Empty until an entry was seen that misses some. */
  get text(): string {
    return this.#text;
  }

  consider(entry: Entry): void {
    const missed = this.#conditions.filter((condition) => condition.match(entry) !== 'meets');
    if (missed.length === 0 || missed.length > this.#fewest) return;
    this.#fewest = missed.length;
    const why = missed.map(
      ({ name, wanted, actual }) => `${name} is ${actual(entry)}, not ${wanted}`,
    );
    this.#text = `Nearest: #${entry.seq}, but ${why.join('; ')}.`;
  }
}
