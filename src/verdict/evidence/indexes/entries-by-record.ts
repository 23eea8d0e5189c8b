import type { StoredEntry } from '../../../journal/stored-entry.ts';

/**
 * Exchanges by the record that their path names.
 *
 * Most records are named once or twice, so a chain from the latest to the first takes less memory than many lists.
 */
export class EntriesByRecord {
  readonly #entries: StoredEntry[] = [];
  readonly #latest = new Map<string, number>();
  /** For each entry, the index of the previous one for the same record; -1 if there is none. */
  readonly #previous: number[] = [];

  add(recordId: string, entry: StoredEntry): void {
    const index = this.#entries.push(entry) - 1;
    this.#previous.push(this.#latest.get(recordId) ?? -1);
    this.#latest.set(recordId, index);
  }

  has(recordId: string): boolean {
    return this.#latest.has(recordId);
  }

  /** The exchanges of a record, oldest first. */
  of(recordId: string): StoredEntry[] {
    const entries: StoredEntry[] = [];
    let index = this.#latest.get(recordId) ?? -1;
    while (index >= 0) {
      const entry = this.#entries[index];
      if (entry !== undefined) entries.push(entry);
      index = this.#previous[index] ?? -1;
    }
    return entries.reverse();
  }
}
