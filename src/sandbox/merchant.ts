/** The verbs that act on one merchant. */
import { MerchantError } from '../control/verbs.ts';
import type { Entry } from '../journal/entry.ts';
import { explanationOf, type Explanation } from '../journal/explain/explain.ts';
import { noDebugId } from '../journal/errors.ts';
import {
  readExpectation,
  readMatch,
  readQuery,
  readWaitInput,
  type JournalQueryInput,
  type MatchInput,
  type RequestsReading,
  type VerifyInput,
  type WaitInput,
} from '../journal/query/read-query.ts';
import { verify, type Verification } from '../journal/query/verify.ts';
import { WaitCanceller, waitUntilIdle, waitFor } from '../journal/query/wait.ts';
import { keyed } from '../shared/unknown-value.ts';
import type { CheckedOptions } from './options.ts';
import { checkText } from '../outcomes/argument-error.ts';
import { findOutcome } from '../outcomes/catalogue.ts';
import type { Rule } from '../outcomes/rules/rule.ts';
import { toRuleStatus, type RuleStatus } from '../outcomes/rules/rule-status.ts';
import { packageVersion } from '../shared/package-root.ts';
import { createAdhocRules } from '../scenarios/rules/adhoc-rule.ts';
import { ScenarioError } from '../scenarios/scenario-error.ts';
import { readLedger, type LedgerReading } from '../verdict/ledger.ts';
import type { OrderInput } from '../verdict/options.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { WorldExport } from '../world/export/document.ts';
import { readWorld } from '../world/export/read-world.ts';
import { writeWorld } from '../world/export/write-world.ts';
import { stageOf } from '../world/scenario/play-scenario.ts';
import { clockReading, type ClockReading, spanMs, type WorldClock } from '../world/time/clock.ts';
import type { SnapshotReading } from '../world/snapshots.ts';
import { dealCards, type CardOrder, type TestCard } from '../world/test-cards.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';

/** What the verbs need to know of the options. */
export interface VerbSettings {
  readonly realNowMs: () => number;
  readonly limits: CheckedOptions['limits'];
}

/** The verbs that act on one merchant's world. Each lives here once; doors, control plane and client lead to them. */
export class MerchantVerbs {
  protected readonly worlds: Worlds;
  readonly #settings: VerbSettings;
  readonly #closing = new WaitCanceller();

  constructor(worlds: Worlds, settings: VerbSettings) {
    this.worlds = worlds;
    this.#settings = settings;
  }

  readClock(merchant: string): ClockReading {
    return clockReading(this.lookAt(merchant).clock);
  }

  freezeClock(merchant: string): ClockReading {
    return this.#turnClock(merchant, (clock) => {
      clock.freeze();
    });
  }

  resumeClock(merchant: string): ClockReading {
    return this.#turnClock(merchant, (clock) => {
      clock.resume();
    });
  }

  /** Moves a merchant's clock to a later instant. All that falls due by then has happened when it returns. */
  setClock(merchant: string, atMs: number): ClockReading {
    return this.#turnClock(merchant, (clock) => {
      clock.set(atMs);
    });
  }

  /** Moves a merchant's clock ahead. All that falls due by then has happened when it returns. */
  advanceClock(merchant: string, by: number | string): ClockReading {
    return this.#turnClock(merchant, (clock) => {
      clock.advance(spanMs(by, clock.nowMs()));
    });
  }

  #turnClock(merchant: string, turn: (clock: WorldClock) => void): ClockReading {
    return this.#inWorldOf(merchant, (world) => {
      turn(world.clock);
      world.runDueEvents();
      return clockReading(world.clock);
    });
  }

  /**
   * Arms a `ForcedRule`; gives the ids of what was armed. Throws a `ScenarioError` that names every mistake; a name
   * that another rule has is one, or nobody could tell which of the two fired; so is one rule too many.
   */
  force(merchant: string, rule: unknown): string[] {
    return this.#inWorldOf(merchant, (world) => {
      const stage = stageOf(world, this.#settings.realNowMs());
      const armed = createAdhocRules(rule, world.ruleBook.nextId, stage);
      for (const { id } of armed) {
        const other = world.ruleBook.find(id);
        if (other !== undefined) throw new ScenarioError([nameTaken(other)]);
      }
      if (world.ruleBook.size + armed.length > maxRules) throw new ScenarioError([rulesFull]);
      world.ruleBook.arm(armed);
      return armed.map(({ id }) => id);
    });
  }

  /** The rules of a merchant, how often each was met and fired, and why it last did not. */
  rules(merchant: string): RuleStatus[] {
    return this.lookAt(merchant).ruleBook.report().map(toRuleStatus);
  }

  /** Rules that should have fired and never did. */
  unfired(merchant: string): RuleStatus[] {
    return this.lookAt(merchant).ruleBook.unfired().map(toRuleStatus);
  }

  /** Takes armed rules away: one by its id, or all; gives how many. Throws an `ArgumentError` for an id that is no text. */
  disarm(merchant: string, id?: string): number {
    if (id !== undefined) checkText('The id of a rule', id, 'rule', 'rule-1');
    return this.lookAt(merchant).ruleBook.remove(
      (rule) => rule.source === 'armed' && (id === undefined || rule.id === id),
    );
  }

  /**
   * Card numbers for tests, each another one. Throws an `ArgumentError` where no card asks for the outcome. They are
   * drawn from the merchant's own dice, and yet make no merchant: nothing was asked under its name.
   */
  generateCards(merchant: string, order: CardOrder = {}): TestCard[] {
    const world = this.lookAt(merchant);
    const dealt = dealCards(world.testCards, order);
    this.worlds.keepPending(world);
    return dealt;
  }

  /** What a merchant asked and was answered, oldest first. */
  requests(merchant: string, query: JournalQueryInput = {}): RequestsReading {
    const { journal } = this.lookAt(merchant);
    return { dropped: journal.dropped, requests: journal.find(readQuery(keyed(query))) };
  }

  /** One exchange by its debug id, with the private reason of what was answered. */
  explain(merchant: string, debugId: string | null): Explanation | undefined {
    if (typeof debugId !== 'string') throw noDebugId();
    const entry = this.lookAt(merchant).journal.get(debugId);
    return entry && explanationOf(entry, findOutcome);
  }

  /** Holds the journal against an expectation; `unsure` where it no longer holds what would decide it. */
  verify(merchant: string, expected: VerifyInput): Verification {
    return verify(this.lookAt(merchant).journal, readExpectation(keyed(expected)));
  }

  /**
   * Resolves once exchanges have come that meet a query. Rejects with a `WaitTimeoutError` when they have not in time, with
   * a `WaitEndedError` when they cannot any more, and with a `WaitLimitError` where too many wait already.
   */
  async waitFor(
    merchant: string,
    query: MatchInput,
    settings: WaitInput = {},
  ): Promise<readonly Entry[]> {
    const { times, timeoutMs, signal } = readWaitInput(settings);
    const match = readMatch(keyed(query));
    const { journal, waits } = this.#inWorldOf(merchant, (world) => world);
    const given = signal ? [signal] : [];
    const signals = [waits.signal, this.#closing.signal, ...given];
    return waitFor(journal, match, { times, timeoutMs, signals });
  }

  /** Ends every wait; says whether there were some. */
  protected endWaits(): boolean {
    const someWaited = this.worlds.all().some(({ journal }) => journal.waiting > 0);
    this.#closing.cancel('The sandbox closes: what was waited for will not come.');
    return someWaited;
  }

  /**
   * Keeps a merchant's world as it is now, all but its journal; gives the snapshot's name. One of the same name is
   * replaced. Throws a `SnapshotError` for a name that cannot be, and where no other snapshot may be kept.
   */
  snapshot(merchant: string, name?: string): string {
    return this.#inWorldOf(merchant, (world) =>
      this.worlds.snapshots.save(merchant, name, () => this.worlds.save(world)),
    );
  }

  /**
   * Goes on where a snapshot was taken, as often as wanted. A request under way ends in the world that is left.
   * Throws a `SnapshotError` where there is none of that name.
   */
  restore(merchant: string, name: string): void {
    const snapshot = this.worlds.snapshots.find(merchant, name);
    this.worlds.restore(merchant, snapshot, snapshot.isCustomized);
  }

  /** The snapshots that a merchant keeps, the newest last. */
  snapshots(merchant: string): SnapshotReading[] {
    return this.worlds.snapshots.list(merchant);
  }

  /** Throws a `SnapshotError` where there is none of that name. */
  dropSnapshot(merchant: string, name: string): void {
    this.worlds.snapshots.drop(merchant, name);
  }

  /** A merchant's world as a document. Throws an `ExportError` where a rule waits for a card number or a secret. */
  exportWorld(merchant: string): WorldExport {
    return writeWorld(this.lookAt(merchant).save(), `card-vault-sandbox ${packageVersion()}`);
  }

  /**
   * Puts an exported world in the place of a merchant's. Throws an `ExportError` that names everything that is wrong
   * with the document, and then nothing has changed.
   */
  importWorld(merchant: string, document: unknown): void {
    const kept = readWorld(document, this.#settings.limits);
    if (this.worlds.restore(merchant, kept, true) === undefined) throw this.full();
  }

  /**
   * Judges what happened to a merchant's money, and what its client did that can go wrong. All that is due has
   * happened first, and exchanges under way are given a moment to end. Throws a `VerdictOptionsError` that names everything
   * that is wrong with the order.
   */
  async verdict(merchant: string, order: OrderInput = {}): Promise<Verdict> {
    const world = this.lookAt(merchant);
    // Most sandboxes are never asked, and those that start should not wait for it.
    const [{ readOrder }, { judge }] = await Promise.all([
      import('../verdict/options.ts'),
      import('../verdict/verdict.ts'),
    ]);
    const read = readOrder(keyed(order), [...world.givenCards.keys()]);
    await waitUntilIdle(world.journal, {
      timeoutMs: read.waitMs,
      signals: [world.waits.signal, this.#closing.signal],
    });
    world.runDueEvents();
    const verdict = judge(world, read, {
      nowMs: this.#settings.realNowMs(),
      rejected: this.worlds.rejected.requestsOf(merchant),
      activeMerchants: () => this.worlds.all().flatMap(askerIn),
    });
    return verdict;
  }

  /** What moved in a merchant's world, and what it comes to by card, by customer and by purchase. */
  ledger(merchant: string): LedgerReading {
    return readLedger(this.lookAt(merchant));
  }

  /**
   * Acts in the world of a merchant, which is made if it is new. Where the act throws none is made: a call that was
   * refused, under a mistyped name for one, leaves no merchant that asked for nothing. Throws a `MerchantError` where
   * there is no room for another.
   */
  #inWorldOf<T>(merchant: string, act: (world: World) => T): T {
    if (!this.worlds.hasCapacityFor(merchant)) throw this.full();
    const world = this.worlds.peek(merchant);
    const done = act(world);
    this.worlds.adopt(world);
    return done;
  }

  /** What a merchant has. Who looks makes no merchant: one that nobody asked is as it would begin. */
  protected lookAt(merchant: string): World {
    return this.worlds.peek(merchant);
  }

  protected full(): MerchantError {
    return new MerchantError(
      'merchants-full',
      `This sandbox holds ${this.worlds.max} merchants, the most it may (limits.maxMerchants, --max-merchants). Delete one first.`,
    );
  }
}

/** The merchant of a world, where it asked something. */
function askerIn({ merchant, journal }: World): string[] {
  return journal.size + journal.dropped > 0 ? [merchant] : [];
}

/** Rules that have fired or timed out are kept too, so a suite that never resets has ever more of them. */
export const maxRules = 10_000;

const rulesFull = `force: this merchant holds ${maxRules} rules, the most it may; those that have fired or timed out count too, as rules() and unfired() tell of them. Take some away with disarm() or DELETE /_sandbox/rules, or reset the merchant between tests.`;

/** Also of a rule that has fired or timed out: its counters are what `rules` and `unfired` tell of it. */
function nameTaken({ id, source }: Rule): string {
  return source === 'armed'
    ? `force name: "${id}" is the name of a rule that was armed before. Take that one away first, with disarm('${id}') or DELETE /_sandbox/rules/${encodeURIComponent(id)}, or choose another name.`
    : `force name: "${id}" is the name of a rule of the scenario that is played. Choose another name.`;
}
