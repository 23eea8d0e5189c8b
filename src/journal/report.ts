/** Shows to people what stands in a journal: a small table, and the entry that came nearest to what was asked for. */
import type { Condition } from './condition.ts';
import type { Entry } from './entry.ts';

const maxRows = 10;

/** Conditions in words: `operation card.create, status 201`. */
export function wordsOf(conditions: readonly Condition[]): string {
  return conditions.length === 0
    ? 'of any kind'
    : `with ${conditions.map(({ name, wanted }) => `${name} ${wanted}`).join(', ')}`;
}

/** `1 exchange`, `2 exchanges`. */
export function exchanges(count: number): string {
  return count === 1 ? '1 exchange' : `${count} exchanges`;
}

/** One line for each entry, the latest ones if there are many. `earlier` ones are counted only: nobody has kept them. */
export function tableOf(entries: readonly Entry[], earlier = 0): string {
  if (earlier + entries.length === 0) return '  nothing';
  const shown = entries.slice(-maxRows);
  const rows = [['', 'operation', 'answer', 'client knows', 'outcomes'], ...shown.map(rowOf)];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const hidden = earlier + entries.length - shown.length;
  return [...(hidden > 0 ? [`... ${hidden} earlier ones, then`] : []), ...lines]
    .map((line) => `  ${line}`)
    .join('\n');
}

function rowOf(entry: Entry): string[] {
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
export function nearestOf(entries: readonly Entry[], conditions: readonly Condition[]): string {
  let nearest: { readonly entry: Entry; readonly missed: readonly Condition[] } | undefined;
  for (const entry of entries) {
    const missed = conditions.filter((condition) => condition.judge(entry) !== 'meets');
    const isNearer = nearest === undefined || missed.length <= nearest.missed.length;
    if (missed.length > 0 && isNearer) nearest = { entry, missed };
  }
  if (nearest === undefined) return '';
  const { entry, missed } = nearest;
  const why = missed.map(({ name, wanted, found }) => `${name} is ${found(entry)}, not ${wanted}`);
  return `Nearest: #${entry.seq}, but ${why.join('; ')}.`;
}
