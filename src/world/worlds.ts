/** Every merchant's world, made on first use from the same beginning, bounded in number. */
import { begin, type Beginning } from './beginning.ts';
import { Snapshots, type Snapshot } from './snapshots.ts';
import { TurnedAway } from './turned-away.ts';
import { World } from './world.ts';
import type { KeptWorld } from './world-state.ts';

export class Worlds {
  readonly #worlds = new Map<string, World>();
  /** Worlds that were made from another beginning than the one all share. */
  readonly #apart = new WeakSet<World>();
  readonly #max: number;
  /** They outlive a reset, and go with their merchant. */
  readonly snapshots: Snapshots;
  /** Requests of merchants that there was no room for, until those begin anew. */
  readonly turnedAway = new TurnedAway();
  #beginning: Beginning;

  constructor(beginning: Beginning, max: number, maxSnapshots: number) {
    this.#beginning = beginning;
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
    return this.#beginning.scenario?.name;
  }

  /** The world of a merchant; made if it is new, `undefined` if there is no room for another. */
  enter(merchant: string): World | undefined {
    return (
      this.#worlds.get(merchant) ?? this.#put(merchant, () => begin(merchant, this.#beginning))
    );
  }

  /** The world of a merchant; where there is none, one as it would begin, which is not kept. */
  look(merchant: string): World {
    return this.#worlds.get(merchant) ?? begin(merchant, this.#beginning);
  }

  /** Puts a world with a beginning of its own in the place of a merchant's; `undefined` if there is no room for it. */
  remake(merchant: string, beginning: Beginning): World | undefined {
    const world = this.#anew(merchant, () => begin(merchant, beginning));
    if (world !== undefined) this.#apart.add(world);
    return world;
  }

  /** A merchant's world as it is now, to go on from. */
  keep(world: World): Snapshot {
    return { ...world.keep(), apart: this.#apart.has(world) };
  }

  /** Goes on where a world was kept, in the place of a merchant's; `undefined` if there is no room for it. */
  resume(merchant: string, kept: KeptWorld, apart: boolean): World | undefined {
    const world = this.#anew(merchant, () => new World(merchant, this.#beginning.settings, kept));
    if (world !== undefined && apart) this.#apart.add(world);
    return world;
  }

  /** Puts a fresh world in the place of a merchant's. A request under way ends in the old one. */
  reset(merchant: string): void {
    this.turnedAway.forget(merchant);
    if (this.#worlds.has(merchant)) this.#put(merchant, () => begin(merchant, this.#beginning));
  }

  /** Forgets every merchant but those that keep snapshots, which begin anew: so their number stays bounded too. */
  resetAll(): void {
    for (const merchant of this.#worlds.keys()) {
      if (this.snapshots.countOf(merchant) > 0) this.reset(merchant);
      else this.remove(merchant);
    }
    this.turnedAway.forgetAll();
  }

  /** From now on worlds begin in another way. Gives those that began in the way all did so far; they go on. */
  beginWith(beginning: Beginning): World[] {
    this.#beginning = beginning;
    return this.all().filter((world) => !this.#apart.has(world));
  }

  /** Forgets a merchant; `false` if there was none. */
  remove(merchant: string): boolean {
    this.#end(merchant);
    this.snapshots.forget(merchant);
    this.turnedAway.forget(merchant);
    return this.#worlds.delete(merchant);
  }

  /** Every world there is. */
  all(): World[] {
    return [...this.#worlds.values()];
  }

  merchants(): string[] {
    return [...this.#worlds.keys()];
  }

  #anew(merchant: string, make: () => World): World | undefined {
    const world = this.#put(merchant, make);
    if (world !== undefined) this.turnedAway.forget(merchant);
    return world;
  }

  #put(merchant: string, make: () => World): World | undefined {
    if (!this.#worlds.has(merchant) && this.#worlds.size >= this.#max) return undefined;
    // A scenario that cannot be played throws here, and the merchant keeps the world it has.
    const world = make();
    this.#end(merchant);
    this.#worlds.set(merchant, world);
    return world;
  }

  #end(merchant: string): void {
    this.#worlds
      .get(merchant)
      ?.ended.end(`The merchant ${merchant} was begun anew: what was waited for will not come.`);
  }
}
