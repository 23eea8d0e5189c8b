/** What came in place of what is waited for: only what a message shows of it, however long the wait lasts. */
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

  /** One that was there before: it can be the nearest, but it did not come. */
  addEarlier(entry: Entry): void {
    this.#nearest.consider(entry);
  }

  addArrived(entry: Entry): void {
    this.#nearest.consider(entry);
    if (this.#rows.push(rowOf(entry)) <= maxRows) return;
    this.#rows.shift();
    this.#earlier++;
  }

  /** The latest of those that came, and the nearest of all. */
  get text(): string {
    const table = `What came instead:\n${tableOfRows(this.#rows, this.#earlier)}`;
    return [table, this.#nearest.text].filter((line) => line !== '').join('\n');
  }
}
