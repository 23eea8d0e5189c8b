/** The verbs that act on a merchant. The objects in code, the HTTP routes and the client all call these. */
import { allMerchants, type AllMerchants, type Target } from '../contract/control/verbs.ts';
import { defaultMerchant } from '../contract/constants.ts';
import type { Entry } from '../journal/entry.ts';
import { explanationOf, type Explanation } from '../journal/explain/explain.ts';
import { noDebugId } from '../journal/errors.ts';
import {
  readExpectation,
  readMatch,
  readQuery,
  readWaitInput,
  type JournalQuery,
  type JournalReading,
  type ExchangeMatch,
  type VerifyOptions,
  type WaitOptions,
} from '../journal/query/read-query.ts';
import { verify, type Verification } from '../journal/query/verify.ts';
import { WaitCanceller, waitUntilIdle, waitFor } from '../journal/query/wait.ts';
import { readHeldWait, readOrder, type HeldWaitOptions } from './gate-input.ts';
import { checkExpectedNames, checkQueriedNames, checkQueriedOutcome } from './queried-names.ts';
import { adviseOnSilence } from '../journal/explain/silence.ts';
import { splitOptions, type MerchantSelection } from './merchant-selection.ts';
import { asPlainObject } from '../shared/unknown-value.ts';
import { armRule, armSharedRule } from './arm-rules.ts';
import { clearRules, clearSharedRules } from './clear-rules.ts';
import type { CheckedOptions } from './check-options.ts';
import { findOutcome } from '../outcomes/catalogue.ts';
import { toRuleStatus, type RuleStatus } from '../outcomes/rules/rule-status.ts';
import { packageLabel } from '../shared/package-root.ts';
import { createAdhocGate } from '../scenarios/gates.ts';
import { refuseScope } from '../scenarios/rules/adhoc-rule.ts';
import { readLedger, type LedgerReading } from '../verdict/ledger.ts';
import type { VerdictOptions } from '../verdict/options.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { WorldExport } from '../world/export/document.ts';
import { readWorld } from '../world/export/read-world.ts';
import { writeWorld } from '../world/export/write-world.ts';
import { stageOf } from '../world/scenario/play-scenario.ts';
import { clockReading, instantMs, spanMs, type ClockReading } from '../world/time/clock.ts';
import type { SnapshotReading } from '../world/snapshots.ts';
import { MerchantError } from '../world/errors.ts';
import { generateCards, type GenerateCardsOptions, type TestCard } from '../world/test-cards.ts';
import type { HeldRequest } from '../world/gates/held-request.ts';
import { waitForHeld } from '../world/gates/wait-for-held.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';

/** The options that the verbs need. */
export interface VerbSettings {
  readonly realNowMs: () => number;
  readonly limits: CheckedOptions['limits'];
}

/** How several merchants were selected for a verdict. */
interface JudgeSettings {
  /** What was asked for, if the id of no merchant starts with it. */
  readonly prefix?: string | undefined;
  /** Keys of the options that were read already. */
  readonly alsoKnown?: readonly string[];
}

/** What a verdict about several merchants takes besides its options. */
const selectionKeys = ['prefix'] as const;

/** A change of a clock: one of its four keys. */
export interface ClockChange {
  readonly freeze?: true;
  readonly resume?: true;
  readonly set?: unknown;
  readonly advance?: unknown;
}

/** The verbs that act on one merchant's world, by the names and inputs of the table. */
export class MerchantVerbs {
  protected readonly worlds: Worlds;
  readonly #settings: VerbSettings;
  readonly #closing = new WaitCanceller();

  constructor(worlds: Worlds, settings: VerbSettings) {
    this.worlds = worlds;
    this.#settings = settings;
  }

  readClock(merchant: string): ClockReading {
    return clockReading(this.peek(merchant).clock);
  }

  /** Everything that is due by then has happened on return. */
  changeClock(merchant: string, { freeze, resume, ...change }: ClockChange): ClockReading {
    return this.#actIn(merchant, (world) => {
      const { clock } = world;
      if (freeze) clock.freeze();
      else if (resume) clock.resume();
      else if ('set' in change) clock.set(instantMs(change.set));
      else clock.advance(spanMs(change.advance, clock.nowMs()));
      world.runDueEvents();
      return clockReading(world.clock);
    });
  }

  /**
   * Arms a rule of any shape.
   *
   * @throws {RuleError} If it is invalid, its name is taken, or the merchant has too many rules.
   */
  force(target: Target, rule: unknown): string[] {
    const nowMs = this.#settings.realNowMs();
    if (target === allMerchants) return armSharedRule(this.worlds, rule, nowMs);
    refuseScope(rule);
    return this.#actIn(target, (world) => {
      const ids = armRule(world, rule, nowMs);
      this.worlds.noteArmed(world);
      return ids;
    });
  }

  rules(target: Target, { unfired = false }: { readonly unfired?: boolean } = {}): RuleStatus[] {
    if (target === allMerchants) {
      return this.worlds.shared
        .report(this.worlds.existing, this.#settings.realNowMs())
        .filter(({ rule, fired }) => !unfired || (fired === 0 && !rule.optional))
        .map((report) => ({ ...toRuleStatus(report), merchants: report.merchants }));
    }
    const { ruleBook } = this.peek(target);
    return (unfired ? ruleBook.unfired() : ruleBook.report()).map(toRuleStatus);
  }

  clearRules(target: Target, { id }: { readonly id?: string } = {}): number {
    return target === allMerchants
      ? clearSharedRules(this.worlds, id)
      : clearRules(this.peek(target), id);
  }

  /**
   * Adds a gate.
   *
   * @throws {GateError} If it is invalid, its name is taken, or the merchant has too many gates.
   */
  hold(merchant: string, gate: unknown): string {
    return this.#actIn(merchant, (world) => {
      const { gates, journal } = world;
      const built = createAdhocGate(gate, gates.nextId, stageOf(world, this.#settings.realNowMs()));
      gates.add(built, journal.nextSeq);
      return built.id;
    });
  }

  held(merchant: string): HeldRequest[] {
    return this.peek(merchant).gates.held();
  }

  async waitForHeld(
    merchant: string,
    options: HeldWaitOptions = {},
  ): Promise<readonly HeldRequest[]> {
    const { signals, ...settings } = readHeldWait(options);
    const world = this.peek(merchant);
    return waitForHeld(world, {
      ...settings,
      hint: () => this.#hintAboutSilence(merchant),
      signals: [world.waits.signal, this.#closing.signal, ...signals],
    });
  }

  /** Requests continue one after the other, in this call. */
  release(merchant: string, { order }: { readonly order?: unknown } = {}): HeldRequest[] {
    return this.peek(merchant).gates.release(readOrder(order));
  }

  /** The numbers come from the merchant's own dice, but generating them creates no merchant. */
  generateCards(merchant: string, options: GenerateCardsOptions = {}): TestCard[] {
    const world = this.peek(merchant);
    const cards = generateCards(world.testCards, options);
    this.worlds.keepPending(world);
    return cards;
  }

  journal(merchant: string, query: JournalQuery = {}): JournalReading {
    const world = this.peek(merchant);
    const wanted = readQuery(asPlainObject(query));
    checkQueriedNames(world, wanted);
    return { dropped: world.journal.dropped, entries: world.journal.find(wanted) };
  }

  explain(
    merchant: string,
    { debugId }: { readonly debugId: string | null },
  ): Explanation | undefined {
    if (typeof debugId !== 'string') throw noDebugId();
    const { journal, gates } = this.peek(merchant);
    const entry = journal.get(debugId);
    const held = gates.held().find((request) => request.debugId === debugId);
    return entry && explanationOf(entry, findOutcome, held);
  }

  verify(merchant: string, expected: VerifyOptions): Verification {
    const expectation = readExpectation(asPlainObject(expected));
    const world = this.peek(merchant);
    checkExpectedNames(world, expectation);
    return verify(world.journal, expectation);
  }

  async waitFor(
    merchant: string,
    input: { readonly match: ExchangeMatch; readonly options: WaitOptions },
  ): Promise<readonly Entry[]> {
    const { times, timeoutMs, signal } = readWaitInput(input.options);
    const match = readMatch(asPlainObject(input.match));
    checkQueriedOutcome(match, 'match.outcome');
    const { journal, waits } = this.#actIn(merchant, (world) => world);
    const given = signal ? [signal] : [];
    const signals = [waits.signal, this.#closing.signal, ...given];
    const hint = (): string | undefined => this.#hintAboutSilence(merchant);
    return waitFor(journal, match, { times, timeoutMs, signals, hint });
  }

  /** What to check if a wait failed and the merchant has sent nothing at all. */
  #hintAboutSilence(merchant: string): string | undefined {
    if (hasRequests(this.peek(merchant))) return undefined;
    const others = this.activeMerchants();
    return `Merchant ${merchant} sent no requests. ${adviseOnSilence(others)}`;
  }

  /** Ends every wait and releases every held request; says whether there were any. */
  protected endWaits(): boolean {
    const worlds = this.worlds.all();
    const hadWaits = worlds.some(
      ({ journal, gates }) => journal.waiting > 0 || gates.waiting > 0 || gates.size > 0,
    );
    this.#closing.cancel('The sandbox closes, so the exchanges can no longer arrive.');
    for (const { gates } of worlds) gates.end();
    return hadWaits;
  }

  snapshot(merchant: string, { name }: { readonly name?: string } = {}): string {
    return this.#actIn(merchant, (world) =>
      this.worlds.snapshots.save(merchant, name, () => this.worlds.save(world)),
    );
  }

  /** A request in progress ends in the world that is left. */
  restore(merchant: string, { name }: { readonly name: string }): void {
    const snapshot = this.worlds.snapshots.find(merchant, name);
    this.worlds.restore(merchant, snapshot, snapshot.isCustomized);
  }

  snapshots(merchant: string): SnapshotReading[] {
    return this.worlds.snapshots.list(merchant);
  }

  dropSnapshot(merchant: string, { name }: { readonly name: string }): void {
    this.worlds.snapshots.drop(merchant, name);
  }

  exportWorld(merchant: string): WorldExport {
    return writeWorld(this.peek(merchant).save(), packageLabel());
  }

  importWorld(merchant: string, document: unknown): void {
    const world = readWorld(document, this.#settings.limits);
    if (this.worlds.restore(merchant, world, true) === undefined) throw this.noRoom();
  }

  /** Everything that is due happens first, and open exchanges get a moment to end. */
  verdict(merchant: string, options?: VerdictOptions): Promise<Verdict>;
  verdict(merchant: AllMerchants, options?: VerdictOptions & MerchantSelection): Promise<Verdict[]>;
  async verdict(
    target: Target,
    options: VerdictOptions & MerchantSelection = {},
  ): Promise<Verdict | Verdict[]> {
    if (target !== allMerchants) return this.#judge(target, options, {});
    const { prefix, rest } = splitOptions(options);
    const known = this.merchantsWith(prefix ?? '');
    // If there is none, the verdict must still say so.
    if (known.length === 0) {
      return [
        await this.#judge(prefix ?? defaultMerchant, rest, { prefix, alsoKnown: selectionKeys }),
      ];
    }
    const verdicts = await Promise.all(
      known.map((id) => this.#judge(id, rest, { alsoKnown: selectionKeys })),
    );
    return verdicts.toSorted((one, other) => Number(one.passed) - Number(other.passed));
  }

  protected merchantsWith(prefix: string): string[] {
    return this.worlds.merchants().filter((id) => id.startsWith(prefix));
  }

  async #judge(
    merchant: string,
    options: VerdictOptions,
    { prefix, alsoKnown }: JudgeSettings,
  ): Promise<Verdict> {
    const world = this.peek(merchant);
    // Most sandboxes are never judged, and their start should not wait for this.
    const [{ readVerdictOptions }, { judge }] = await Promise.all([
      import('../verdict/options.ts'),
      import('../verdict/verdict.ts'),
    ]);
    const cardNames = [...world.givenCards.keys()];
    const checked = readVerdictOptions(asPlainObject(options), cardNames, alsoKnown);
    await waitUntilIdle(world.journal, {
      timeoutMs: checked.waitMs,
      signals: [world.waits.signal, this.#closing.signal],
    });
    world.runDueEvents();
    return judge(world, checked, {
      nowMs: this.#settings.realNowMs(),
      rejected: this.worlds.rejected.requestsOf(merchant),
      prefix,
      activeMerchants: () => this.activeMerchants(),
    });
  }

  /** The merchants that have sent requests. */
  protected activeMerchants(): string[] {
    return this.worlds
      .all()
      .filter(hasRequests)
      .map((one) => one.merchant);
  }

  ledger(merchant: string): LedgerReading {
    return readLedger(this.peek(merchant));
  }

  /**
   * Acts in a merchant's world, which is created if it is new. If the act throws, no world is created: a call that is
   * refused, perhaps for a mistyped id, must leave no merchant behind.
   *
   * @throws {MerchantError} If there is no room for another merchant.
   */
  #actIn<T>(merchant: string, act: (world: World) => T): T {
    if (!this.worlds.hasCapacityFor(merchant)) throw this.noRoom();
    const world = this.worlds.peek(merchant);
    const result = act(world);
    this.worlds.adopt(world);
    return result;
  }

  /** Reads a merchant's world without creating it; an unknown merchant reads as fresh. */
  protected peek(merchant: string): World {
    return this.worlds.peek(merchant);
  }

  protected noRoom(): MerchantError {
    return new MerchantError(
      'merchants-full',
      `This sandbox holds ${this.worlds.max} merchants, the most it may (limits.maxMerchants, --max-merchants). Delete one first.`,
    );
  }
}

/** Whether the merchant of a world has sent a request. */
export function hasRequests({ journal }: World): boolean {
  return journal.size + journal.dropped > 0;
}
