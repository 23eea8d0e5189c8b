/** Exchanges by the record that their path names. */
import type { StoredEntry } from '../../journal/stored-entry.ts';

/** Nearly every record is named once or twice: a chain from the latest to the first takes less than a list for each. */
export class ByRecord {
  readonly #entries: StoredEntry[] = [];
  readonly #latest = new Map<string, number>();
  /** For each, the place of the one before that names the same record; -1 where there is none. */
  readonly #before: number[] = [];

  add(record: string, entry: StoredEntry): void {
    const place = this.#entries.push(entry) - 1;
    this.#before.push(this.#latest.get(record) ?? -1);
    this.#latest.set(record, place);
  }

  /** Those that name it, oldest first. */
  of(record: string): StoredEntry[] {
    const found: StoredEntry[] = [];
    let place = this.#latest.get(record) ?? -1;
    while (place >= 0) {
      const entry = this.#entries[place];
      if (entry !== undefined) found.push(entry);
      place = this.#before[place] ?? -1;
    }
    return found.reverse();
  }
}
