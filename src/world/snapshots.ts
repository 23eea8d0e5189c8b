/** Named snapshots of worlds, limited in number for each merchant. */
import { SnapshotError } from './errors.ts';
import { didYouMean, nearest } from '../shared/did-you-mean.ts';
import { redactFreeText } from '../redaction/redact.ts';
import { describeValue } from '../shared/unknown-value.ts';
import type { SavedWorld } from './world-state.ts';

/** A saved world, and whether it had its own initial state. */
export interface Snapshot extends SavedWorld {
  readonly isCustomized: boolean;
}

/** A snapshot as listed. */
export interface SnapshotReading {
  readonly name: string;
  /** Time of the merchant's clock, RFC 3339 with milliseconds. */
  readonly at: string;
  /** The number of records in the world. */
  readonly records: number;
}

/** Names appear in addresses, where `.` and `..` would be read as folders. */
const nameForm = /^[A-Za-z0-9][A-Za-z0-9._~@+-]{0,127}$/;

export class Snapshots {
  readonly #snapshots = new Map<string, Map<string, Snapshot>>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Saves a merchant's world and returns the snapshot's name. Replaces a snapshot of the same name;
   * without a name it chooses one.
   */
  save(merchant: string, name: string | undefined, take: () => Snapshot): string {
    const snapshots = this.#snapshots.get(merchant) ?? new Map<string, Snapshot>();
    const snapshotName = name === undefined ? freeName(snapshots) : name;
    if (typeof snapshotName !== 'string' || !nameForm.test(snapshotName)) {
      throw new SnapshotError(
        'invalid-name',
        'Invalid snapshot name. Use 1 to 128 letters, digits and . _ ~ @ + -, starting with a letter or digit.',
      );
    }
    if (redactFreeText(snapshotName) !== snapshotName) {
      throw new SnapshotError(
        'invalid-name',
        'The snapshot name contains a card number. Names are kept and shown, so choose one without.',
      );
    }
    if (!snapshots.has(snapshotName) && snapshots.size >= this.#max) {
      throw new SnapshotError(
        'snapshots-full',
        `The merchant ${merchant} has reached the limit of ${this.#max} snapshots (limits.maxSnapshots). Drop one first, or reuse the name of one that you no longer need.`,
      );
    }
    const snapshot = take();
    // Delete first, so that a replaced snapshot moves to the end.
    snapshots.delete(snapshotName);
    snapshots.set(snapshotName, snapshot);
    this.#snapshots.set(merchant, snapshots);
    return snapshotName;
  }

  find(merchant: string, name: string): Snapshot {
    const snapshot = this.#snapshots.get(merchant)?.get(name);
    if (snapshot === undefined) throw this.#unknown(merchant, name);
    return snapshot;
  }

  /** A merchant's snapshots, newest last. */
  list(merchant: string): SnapshotReading[] {
    return [...(this.#snapshots.get(merchant) ?? [])].map(([name, { store, state }]) => ({
      name,
      at: new Date(state.clock.atMs).toISOString(),
      records: store.size,
    }));
  }

  drop(merchant: string, name: string): void {
    if (this.#snapshots.get(merchant)?.delete(name) !== true) throw this.#unknown(merchant, name);
  }

  /** Drops all snapshots of a merchant. */
  dropAll(merchant: string): void {
    this.#snapshots.delete(merchant);
  }

  countOf(merchant: string): number {
    return this.#snapshots.get(merchant)?.size ?? 0;
  }

  /** The number of snapshots of all merchants, and of the records in them. */
  totals(): { readonly snapshots: number; readonly snapshotRecords: number } {
    const all = [...this.#snapshots.values()].flatMap((snapshots) => [...snapshots.values()]);
    const snapshotRecords = all.reduce((sum, { store }) => sum + store.size, 0);
    return { snapshots: all.length, snapshotRecords };
  }

  #unknown(merchant: string, given: unknown): SnapshotError {
    const name = typeof given === 'string' ? given : describeValue(given);
    const known = this.list(merchant).map((one) => one.name);
    return new SnapshotError(
      'unknown-snapshot',
      `The merchant ${merchant} has no snapshot "${name}".${didYouMean(name, known)} Known: ${known.join(', ') || 'none yet'}.`,
      { allowed: known, nearest: nearest(name, known) },
    );
  }
}

/** The first unused `snapshot-<n>`, counted from 1. */
function freeName(snapshots: ReadonlyMap<string, Snapshot>): string {
  for (let at = 1; ; at++) {
    const name = `snapshot-${at}`;
    if (!snapshots.has(name)) return name;
  }
}
