/** The snapshots that merchants keep of their worlds: by name, bounded in number. */
import { didYouMean, nearest } from '../shared/did-you-mean.ts';
import { shown } from '../shared/unknown-value.ts';
import type { SavedWorld } from './world-state.ts';

/** A world that is kept, and whether it had a beginning of its own. */
export interface Snapshot extends SavedWorld {
  readonly isCustomized: boolean;
}

/** What a snapshot shows of itself. */
export interface SnapshotReading {
  readonly name: string;
  /** Where the merchant's clock stood, RFC 3339 with milliseconds. */
  readonly at: string;
  /** How many records the world held. */
  readonly records: number;
}

/** What was asked of snapshots cannot be: there is none of that name, no room for another, or no such name can be. */
export class SnapshotError extends Error {
  readonly kind: 'unknown-snapshot' | 'snapshots-full' | 'invalid-name';
  /** Names there are, where one of them was asked for. */
  readonly allowed: readonly string[] | undefined;
  readonly nearest: string | undefined;

  constructor(
    kind: SnapshotError['kind'],
    message: string,
    detail: { readonly allowed?: readonly string[]; readonly nearest?: string | undefined } = {},
  ) {
    super(message);
    this.name = 'SnapshotError';
    this.kind = kind;
    this.allowed = detail.allowed;
    this.nearest = detail.nearest;
  }
}

/** It stands in addresses, where `.` and `..` would be read as folders. */
const nameForm = /^[A-Za-z0-9][A-Za-z0-9._~@+-]{0,127}$/;

export class Snapshots {
  readonly #snapshots = new Map<string, Map<string, Snapshot>>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Keeps a merchant's world, in the place of an earlier one of that name; gives the name, which may be drawn up here. */
  save(merchant: string, name: string | undefined, take: () => Snapshot): string {
    const kept = this.#snapshots.get(merchant) ?? new Map<string, Snapshot>();
    const chosen = name === undefined ? freeName(kept) : name;
    if (typeof chosen !== 'string' || !nameForm.test(chosen)) {
      throw new SnapshotError(
        'invalid-name',
        'A snapshot cannot have this name. Use 1 to 128 letters, digits and . _ ~ @ + -, a letter or a digit first.',
      );
    }
    if (!kept.has(chosen) && kept.size >= this.#max) {
      throw new SnapshotError(
        'snapshots-full',
        `The merchant ${merchant} keeps ${this.#max} snapshots, the most it may (limits.maxSnapshots). Drop one first, or take this one under the name of one that is no longer needed.`,
      );
    }
    const snapshot = take();
    // The newest stands last, also where it took another's place.
    kept.delete(chosen);
    kept.set(chosen, snapshot);
    this.#snapshots.set(merchant, kept);
    return chosen;
  }

  /** The snapshot of that name. */
  find(merchant: string, name: string): Snapshot {
    const snapshot = this.#snapshots.get(merchant)?.get(name);
    if (snapshot === undefined) throw this.#unknown(merchant, name);
    return snapshot;
  }

  /** All that a merchant keeps, the newest last. */
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

  /** Drops all that a merchant keeps. */
  dropAll(merchant: string): void {
    this.#snapshots.delete(merchant);
  }

  countOf(merchant: string): number {
    return this.#snapshots.get(merchant)?.size ?? 0;
  }

  /** How many all merchants keep, and the records in them. */
  totals(): { readonly snapshots: number; readonly snapshotRecords: number } {
    const all = [...this.#snapshots.values()].flatMap((kept) => [...kept.values()]);
    const snapshotRecords = all.reduce((sum, { store }) => sum + store.size, 0);
    return { snapshots: all.length, snapshotRecords };
  }

  #unknown(merchant: string, asked: unknown): SnapshotError {
    const name = typeof asked === 'string' ? asked : shown(asked);
    const known = this.list(merchant).map((one) => one.name);
    return new SnapshotError(
      'unknown-snapshot',
      `The merchant ${merchant} keeps no snapshot "${name}".${didYouMean(name, known)} Known: ${known.join(', ') || 'none yet'}.`,
      { allowed: known, nearest: nearest(name, known) },
    );
  }
}

/** Counted from 1; the first name that is not taken. */
function freeName(kept: ReadonlyMap<string, Snapshot>): string {
  for (let at = 1; ; at++) {
    const name = `snapshot-${at}`;
    if (!kept.has(name)) return name;
  }
}
