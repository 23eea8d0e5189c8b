/** Every merchant's world, made on first use from the same beginning, bounded in number. */
import { createWorld, type InitialState } from './initial-state.ts';
import { Snapshots, type Snapshot } from './snapshots.ts';
import { RejectedMerchants } from './identity/rejected-merchants.ts';
import { World } from './world.ts';
import type { SavedWorld } from './world-state.ts';

export class Worlds {
  readonly #worlds = new Map<string, World>();
  /** Worlds of merchants that asked for nothing yet, and have something to go on from once they do. */
  readonly #pending = new Map<string, World>();
  /** Worlds that were made from another beginning than the one all share. */
  readonly #customized = new WeakSet<World>();
  readonly #max: number;
  /** They outlive a reset, and go with their merchant. */
  readonly snapshots: Snapshots;
  /** Requests of merchants that there was no room for, until those begin anew. */
  readonly rejected = new RejectedMerchants();
  #initialState: InitialState;

  constructor(initialState: InitialState, max: number, maxSnapshots: number) {
    this.#initialState = initialState;
    this.#max = max;
    this.snapshots = new Snapshots(maxSnapshots);
  }

  get size(): number {
    return this.#worlds.size;
  }

  get max(): number {
    return this.#max;
  }

  /** Request ids that were forgotten before their time, in all worlds. */
  get droppedRequestIds(): number {
    let dropped = 0;
    for (const { requestIds } of this.#worlds.values()) dropped += requestIds.dropped;
    return dropped;
  }

  /** The scenario that every new world plays. */
  get scenario(): string | undefined {
    return this.#initialState.scenario?.name;
  }

  /** The world of a merchant; made if it is new, `undefined` if there is no room for another. */
  getOrCreate(merchant: string): World | undefined {
    return this.#worlds.get(merchant) ?? this.#put(merchant, () => this.peek(merchant));
  }

  /** The world of a merchant; where there is none, one as it would begin, which is not kept. */
  peek(merchant: string): World {
    return (
      this.#worlds.get(merchant) ??
      this.#pending.get(merchant) ??
      createWorld(merchant, this.#initialState)
    );
  }

  /** Whether there is room for a merchant's world, or one that it has. */
  hasCapacityFor(merchant: string): boolean {
    return this.#worlds.has(merchant) || this.#worlds.size < this.#max;
  }

  /** Makes a world that was looked at the merchant's own. There must be room for it. */
  adopt(world: World): void {
    if (this.#worlds.get(world.merchant) !== world) this.#put(world.merchant, () => world);
  }

  /**
   * Keeps a world that was looked at for when its merchant comes, which makes no merchant of it. Of more than there may
   * be merchants the oldest is forgotten.
   */
  keepPending(world: World): void {
    const { merchant } = world;
    if (this.#worlds.has(merchant)) return;
    this.#pending.set(merchant, world);
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > this.#max && oldest !== undefined) this.#pending.delete(oldest);
  }

  /** Puts a world with a beginning of its own in the place of a merchant's; `undefined` if there is no room for it. */
  replace(merchant: string, initialState: InitialState): World | undefined {
    const world = this.#replaceWorld(merchant, () => createWorld(merchant, initialState));
    if (world !== undefined) this.#customized.add(world);
    return world;
  }

  /** A merchant's world as it is now, to go on from. */
  save(world: World): Snapshot {
    return { ...world.save(), isCustomized: this.#customized.has(world) };
  }

  /** Goes on where a world was kept, in the place of a merchant's; `undefined` if there is no room for it. */
  restore(merchant: string, kept: SavedWorld, isCustomized: boolean): World | undefined {
    const world = this.#replaceWorld(
      merchant,
      () => new World(merchant, this.#initialState.settings, kept),
    );
    if (world !== undefined && isCustomized) this.#customized.add(world);
    return world;
  }

  /** Puts a fresh world in the place of a merchant's. A request under way ends in the old one. */
  reset(merchant: string): void {
    this.rejected.forget(merchant);
    this.#pending.delete(merchant);
    if (this.#worlds.has(merchant))
      this.#put(merchant, () => createWorld(merchant, this.#initialState));
  }

  /** Forgets every merchant but those that keep snapshots, which begin anew: so their number stays bounded too. */
  resetAll(): void {
    for (const merchant of this.#worlds.keys()) {
      if (this.snapshots.countOf(merchant) > 0) this.reset(merchant);
      else this.remove(merchant);
    }
    this.rejected.forgetAll();
    this.#pending.clear();
  }

  /** From now on worlds begin in another way. Gives those that began in the way all did so far; they go on. */
  setInitialState(initialState: InitialState): World[] {
    this.#initialState = initialState;
    return [...this.all(), ...this.#pending.values()].filter(
      (world) => !this.#customized.has(world),
    );
  }

  /** Forgets a merchant; `false` if there was none. */
  remove(merchant: string): boolean {
    this.#end(merchant);
    this.#pending.delete(merchant);
    this.snapshots.dropAll(merchant);
    const wasTurnedAway = this.rejected.forget(merchant);
    return this.#worlds.delete(merchant) || wasTurnedAway;
  }

  /** Every world there is. */
  all(): World[] {
    return [...this.#worlds.values()];
  }

  /** Those that have a world, and those that asked while there was no room for one. */
  merchants(): string[] {
    return [...new Set([...this.#worlds.keys(), ...this.rejected.merchants()])];
  }

  #replaceWorld(merchant: string, make: () => World): World | undefined {
    const world = this.#put(merchant, make);
    if (world !== undefined) this.rejected.forget(merchant);
    return world;
  }

  #put(merchant: string, make: () => World): World | undefined {
    if (!this.hasCapacityFor(merchant)) return undefined;
    // A scenario that cannot be played throws here, and the merchant keeps the world it has.
    const world = make();
    this.#end(merchant);
    this.#worlds.set(merchant, world);
    this.#pending.delete(merchant);
    return world;
  }

  #end(merchant: string): void {
    this.#worlds
      .get(merchant)
      ?.waits.cancel(`The merchant ${merchant} was begun anew: what was waited for will not come.`);
  }
}
