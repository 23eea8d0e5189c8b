/**
 * Describes the exchanges that arrived instead of the expected ones. It keeps only those that the message shows, even
 * during a long wait.
 */
import type { QueryCondition } from './condition.ts';
import type { Entry } from '../entry.ts';
import { maxRows, NearestEntry, rowOf, tableOfRows, type Row } from '../explain/report.ts';

export class WaitTimeoutReport {
  readonly #nearest: NearestEntry;
  readonly #rows: Row[] = [];
  #earlier = 0;

  constructor(conditions: readonly QueryCondition[]) {
    this.#nearest = new NearestEntry(conditions);
  }

  /** Adds an entry from before the wait. It can be the nearest one but did not arrive. */
  addEarlier(entry: Entry): void {
    this.#nearest.consider(entry, ' from before the wait');
  }

  addArrived(entry: Entry): void {
    this.#nearest.consider(entry);
    if (this.#rows.push(rowOf(entry)) <= maxRows) return;
    this.#rows.shift();
    this.#earlier++;
  }

  /** The latest entries that arrived, and the nearest of all. */
  get text(): string {
    const table = `Arrived instead:\n${tableOfRows(this.#rows, this.#earlier)}`;
    return [table, this.#nearest.text].filter((line) => line !== '').join('\n');
  }
}
