/** The worlds of all merchants, created on first use and limited in number. */
import { createWorld, type InitialState } from './initial-state.ts';
import { Snapshots, type Snapshot } from './snapshots.ts';
import { RejectedMerchants } from './identity/rejected-merchants.ts';
import { World } from './world.ts';
import { SharedRules } from './shared-rules.ts';
import type { Facts } from '../outcomes/rules/facts.ts';
import type { SavedWorld } from './world-state.ts';

/** With how many other merchants a request is compared. */
const maxCompared = 5;

/** A rule of another merchant. */
export interface RuleElsewhere {
  readonly merchant: string;
  readonly rule: string;
}

export class Worlds {
  readonly #worlds = new Map<string, World>();
  /** Prepared worlds of merchants that have not sent a request yet. */
  readonly #pending = new Map<string, World>();
  /** Worlds with an initial state of their own. */
  readonly #customized = new WeakSet<World>();
  readonly #max: number;
  /** Snapshots survive a reset and go with their merchant. */
  readonly snapshots: Snapshots;
  /** Requests that were rejected because there was no capacity for another merchant. */
  readonly rejected = new RejectedMerchants();
  /** Rules for several merchants. */
  readonly shared = new SharedRules();
  /** Worlds whose own rules may wait for the first request. */
  readonly #waiting = new Set<World>();
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

  /** Request ids in all worlds that were dropped before they expired. */
  get droppedRequestIds(): number {
    let dropped = 0;
    for (const { requestIds } of this.#worlds.values()) dropped += requestIds.dropped;
    return dropped;
  }

  /** The scenario that every new world plays. */
  get scenario(): string | undefined {
    return this.#initialState.scenario?.name;
  }

  /**
   * Returns a merchant's world, and creates it if it is new. `undefined` if there is no capacity.
   */
  getOrCreate(merchant: string): World | undefined {
    return this.#worlds.get(merchant) ?? this.#put(merchant, () => this.peek(merchant));
  }

  /** Reads a merchant's world without creating it. An unknown merchant reads as fresh. */
  peek(merchant: string): World {
    return (
      this.#worlds.get(merchant) ??
      this.#pending.get(merchant) ??
      this.#create(merchant, this.#initialState)
    );
  }

  /** Whether the merchant has a world or could get one. */
  hasCapacityFor(merchant: string): boolean {
    return this.#worlds.has(merchant) || this.#worlds.size < this.#max;
  }

  /** Makes a peeked world the merchant's own. There must be capacity for it. */
  adopt(world: World): void {
    if (this.#worlds.get(world.merchant) !== world) this.#put(world.merchant, () => world);
  }

  /**
   * Keeps a peeked world until its merchant sends a request. Beyond the limit the oldest one is
   * dropped.
   */
  keepPending(world: World): void {
    const { merchant } = world;
    if (this.#worlds.has(merchant)) return;
    this.#pending.set(merchant, world);
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > this.#max && oldest !== undefined) this.#pending.delete(oldest);
  }

  /**
   * Replaces a merchant's world by one with its own initial state. `undefined` if there is no
   * capacity.
   */
  replace(merchant: string, initialState: InitialState): World | undefined {
    const world = this.#replaceWorld(merchant, () => this.#create(merchant, initialState));
    if (world !== undefined) this.#customized.add(world);
    return world;
  }

  /** Saves a merchant's world. */
  save(world: World): Snapshot {
    return { ...world.save(), isCustomized: this.#customized.has(world) };
  }

  /**
   * Replaces a merchant's world by one that continues a saved world. `undefined` if there is no
   * capacity.
   */
  restore(merchant: string, kept: SavedWorld, isCustomized: boolean): World | undefined {
    const world = this.#replaceWorld(
      merchant,
      () => new World(merchant, this.#initialState.settings, kept),
    );
    if (world !== undefined) this.shared.applyTo(world, this.#realNowMs());
    if (world !== undefined && isCustomized) this.#customized.add(world);
    return world;
  }

  /** Replaces a merchant's world by a fresh one. A running request finishes in the old world. */
  reset(merchant: string): void {
    this.rejected.forget(merchant);
    this.#pending.delete(merchant);
    if (this.#worlds.has(merchant))
      this.#put(merchant, () => this.#create(merchant, this.#initialState));
  }

  /**
   * Removes every merchant, except that those with snapshots are reset. This keeps their number
   * limited.
   */
  resetAll(): void {
    for (const merchant of this.#worlds.keys()) {
      if (this.snapshots.countOf(merchant) > 0) this.reset(merchant);
      else this.remove(merchant);
    }
    this.rejected.forgetAll();
    this.#pending.clear();
  }

  /**
   * Sets the initial state of future worlds. Returns the existing worlds that had the previous
   * shared one.
   */
  setInitialState(initialState: InitialState): World[] {
    this.#initialState = initialState;
    return [...this.all(), ...this.#pending.values()].filter(
      (world) => !this.#customized.has(world),
    );
  }

  /** Removes a merchant; returns `false` if it did not exist. */
  remove(merchant: string): boolean {
    this.#end(merchant);
    this.#pending.delete(merchant);
    this.snapshots.dropAll(merchant);
    const wasRejected = this.rejected.forget(merchant);
    return this.#worlds.delete(merchant) || wasRejected;
  }

  /** Worlds with state of their own: those of merchants, and those that are prepared. */
  get existing(): readonly World[] {
    return [...this.#worlds.values(), ...this.#pending.values()];
  }

  /** Notes that a rule was armed in a world, so that requests of other merchants can be compared with it. */
  noteArmed(world: World): void {
    if (world.ruleBook.hasUntouched) this.#waiting.add(world);
  }

  /**
   * Finds a rule of another merchant that would have matched a request. It must wait for its first request: a rule that
   * saw one belongs to a merchant that works. Only a few merchants and rules are compared.
   */
  findRuleElsewhere(merchant: string, facts: Facts): RuleElsewhere | undefined {
    let compared = 0;
    for (const world of this.#waiting) {
      if (this.#worlds.get(world.merchant) !== world || !world.ruleBook.hasUntouched) {
        this.#waiting.delete(world);
        continue;
      }
      if (world.merchant === merchant) continue;
      if (++compared > maxCompared) return undefined;
      const rule = world.ruleBook.findUntouched(facts);
      if (rule !== undefined) return { merchant: world.merchant, rule: rule.id };
    }
    return undefined;
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  #realNowMs(): number {
    return this.#initialState.settings.realNowMs();
  }

  #create(merchant: string, initialState: InitialState): World {
    const world = createWorld(merchant, initialState);
    if (this.shared.size > 0) this.shared.applyTo(world, this.#realNowMs());
    return world;
  }

  all(): World[] {
    return [...this.#worlds.values()];
  }

  /** Merchants that have a world or whose requests were rejected. */
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
    // A scenario that cannot be played throws here, and the merchant keeps its current world.
    const world = make();
    this.#end(merchant);
    this.#worlds.set(merchant, world);
    this.#pending.delete(merchant);
    return world;
  }

  /** Ends waits for exchanges, and lets held requests end in the world that is left. */
  #end(merchant: string): void {
    const world = this.#worlds.get(merchant);
    world?.waits.cancel(
      `The merchant ${merchant} was reset or deleted, so the exchanges that you wait for cannot arrive.`,
    );
    world?.gates.end();
  }
}
