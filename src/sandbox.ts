/** Puts the rooms together, and holds the verbs of the control plane: each lives here once. */
import { nanoid } from 'nanoid';
import { declareSecurity, serviceDocument } from './contract/document.ts';
import { mountControl } from './control/app.ts';
import { MerchantMistake, type ControlVerbs } from './control/verbs.ts';
import { loadFixtures } from './fixtures/load.ts';
import { DocumentMistake } from './fixtures/mistake.ts';
import { createServiceApp } from './http/app.ts';
import type { Entry } from './journal/entry.ts';
import {
  readExpectation,
  readMatch,
  readQuery,
  type JournalQueryInput,
  type MatchInput,
  type RequestsReading,
  type VerifyInput,
  type WaitInput,
} from './journal/read.ts';
import { verify, type Verification } from './journal/verify.ts';
import { waitFor } from './journal/wait.ts';
import {
  checkOptions,
  OptionMistake,
  type CheckedOptions,
  type SandboxOptions,
} from './options.ts';
import { outcomeNamed, outcomesFor, type OutcomeFilter } from './outcomes/choose.ts';
import type { Outcome } from './outcomes/outcome.ts';
import { readRule, type RuleReading } from './outcomes/rule-reading.ts';
import { packageVersion } from './package-root.ts';
import { armedRules, type ForcedRule } from './scenarios/armed.ts';
import {
  loadScenario,
  scenarioFile,
  shippedAbouts,
  type LoadedScenario,
  type ShippedScenario,
} from './scenarios/load.ts';
import type { ScenarioDocument } from './scenarios/schema.ts';
import { watchScenarios } from './scenarios/watch.ts';
import { Beginnings } from './world/beginning.ts';
import { stream } from './world/dice.ts';
import type { WorldExport } from './world/export/document.ts';
import { readWorld } from './world/export/read.ts';
import { writeWorld } from './world/export/write.ts';
import { debugIds } from './world/ids.ts';
import { replaceRules, stageOf } from './world/play.ts';
import {
  clockReading,
  ledgerReading,
  type ClockReading,
  type LedgerReading,
} from './world/readings.ts';
import type { SnapshotReading } from './world/snapshots.ts';
import { dealCards, type CardOrder, type TestCard } from './world/test-cards.ts';
import { Tokens } from './world/tokens.ts';
import type { World } from './world/world.ts';
import { Worlds } from './world/worlds.ts';

export { MerchantMistake } from './control/verbs.ts';

/** What a sandbox says of itself. */
export interface About {
  readonly name: 'card-vault-sandbox';
  readonly version: string;
  readonly profile: CheckedOptions['profileName'];
  readonly seed: string;
  readonly auth: CheckedOptions['auth'];
  readonly ownerCheck: CheckedOptions['ownerCheck'];
  readonly allowPastExpiry: boolean;
  readonly magicAmounts: boolean;
  /** The scenario that every merchant plays. */
  readonly scenario: string | undefined;
  readonly limits: CheckedOptions['limits'];
}

export interface Health {
  readonly status: 'ready' | 'stopping';
  readonly merchants: number;
  /** Request ids that were forgotten before their time, over all merchants. */
  readonly droppedRequestIds: number;
}

/** How long is waited for exchanges unless it is said. */
const defaultWaitMs = 5_000;

/** Told what became of a scenario file that changed. */
export interface ScenarioListener {
  /** Its rules took the place of those before. */
  readonly onReload?: ((scenario: string) => void) | undefined;
  /** It is wrong, and nothing has changed. */
  readonly onMistake: (mistake: DocumentMistake) => void;
}

export class SandboxCore implements ControlVerbs {
  readonly app: ReturnType<typeof createServiceApp>;
  readonly seed: string;
  readonly #options: CheckedOptions;
  readonly #beginnings: Beginnings;
  readonly #worlds: Worlds;
  readonly #tokens: Tokens;
  #stopping = false;

  constructor(options: SandboxOptions = {}) {
    const checked = checkOptions(options);
    const fixtures = loadFixtures(checked.fixtures);
    this.#options = checked;
    this.seed = checked.seed ?? nanoid();
    const settings = {
      seed: this.seed,
      rules: { allowPastExpiry: checked.allowPastExpiry, ownerCheck: checked.ownerCheck },
      clock: checked.clock,
      realNowMs: checked.realNowMs,
      maxRecords: checked.limits.maxRecords,
      maxRequestIds: checked.limits.maxRequestIds,
      journal: {
        maxEntries: checked.limits.maxJournalEntries,
        maxBytes: checked.limits.maxJournalBytes,
      },
    };
    this.#beginnings = new Beginnings(settings, fixtures);
    const { scenario } = checked;
    const beginning =
      scenario === undefined
        ? this.#beginnings.plain
        : this.#beginnings.tried(loadScenario(scenario));
    this.#worlds = new Worlds(
      beginning,
      checked.limits.maxMerchants,
      checked.limits.maxSnapshots,
    );
    this.#tokens = new Tokens(this.seed, { shortcut: checked.auth === 'open' });
    this.app = createServiceApp({
      worlds: this.#worlds,
      tokens: this.#tokens,
      profile: checked.profile,
      baseUrl: checked.baseUrl,
      maxBodyBytes: checked.limits.maxBodyBytes,
      clientSecrets: fixtures.clients,
      phases: checked.phases,
      forcing: { magicAmounts: checked.magicAmounts },
      onExchange: checked.onExchange,
      // A merchant's name has no space, so this stream is nobody's.
      nextDebugId: debugIds(stream(this.seed, 'no merchant', 'debug')),
      nowMs: checked.clock.frozen ? () => checked.clock.atMs ?? 0 : checked.realNowMs,
    });
    declareSecurity(this.app);
    mountControl(this.app, this, { baseUrl: checked.baseUrl, token: checked.controlToken });
  }

  /** The service's OpenAPI document. */
  document(): ReturnType<typeof serviceDocument> {
    return serviceDocument(this.app, packageVersion());
  }

  about(): About {
    const { profileName, auth, ownerCheck, allowPastExpiry, magicAmounts, limits } = this.#options;
    return {
      name: 'card-vault-sandbox',
      version: packageVersion(),
      profile: profileName,
      seed: this.seed,
      auth,
      ownerCheck,
      allowPastExpiry,
      magicAmounts,
      scenario: this.#worlds.scenario,
      limits,
    };
  }

  health(): Health {
    const worlds = this.#worlds.merchants().flatMap((name) => this.#worlds.peek(name) ?? []);
    return {
      status: this.#stopping ? 'stopping' : 'ready',
      merchants: worlds.length,
      droppedRequestIds: worlds.reduce((sum, world) => sum + world.requestIds.dropped, 0),
    };
  }

  /** From now on health says `stopping`; requests are still answered. */
  stop(): void {
    this.#stopping = true;
  }

  /** Every merchant that has a world. */
  merchants(): string[] {
    return this.#worlds.merchants();
  }

  /** Puts one merchant back to how it began, in an instant whatever it holds. */
  reset(merchant: string): void {
    this.#worlds.reset(merchant);
  }

  /** Puts every merchant back to how it began. */
  resetAll(): void {
    this.#worlds.resetAll();
  }

  /** Forgets a merchant and frees its place. */
  deleteMerchant(merchant: string): void {
    if (this.#worlds.remove(merchant)) return;
    throw new MerchantMistake(
      `There is no merchant '${merchant}'. Known: ${this.merchants().join(', ') || 'none yet'}.`,
    );
  }

  readClock(merchant: string): ClockReading {
    return clockReading(this.#world(merchant));
  }

  freezeClock(merchant: string): ClockReading {
    this.#world(merchant).clock.freeze();
    return this.readClock(merchant);
  }

  resumeClock(merchant: string): ClockReading {
    this.#world(merchant).clock.resume();
    return this.readClock(merchant);
  }

  /** Moves a merchant's clock to a later instant. All that falls due by then has happened when it returns. */
  setClock(merchant: string, atMs: number): ClockReading {
    this.#world(merchant).clock.set(atMs);
    this.#world(merchant).settle();
    return this.readClock(merchant);
  }

  /** Moves a merchant's clock ahead. All that falls due by then has happened when it returns. */
  advanceClock(merchant: string, byMs: number): ClockReading {
    this.#world(merchant).clock.advance(byMs);
    this.#world(merchant).settle();
    return this.readClock(merchant);
  }

  /** Every outcome there is, as the catalogue says it; or those of one operation or tier. */
  outcomes(filter: OutcomeFilter = {}): readonly Outcome[] {
    return outcomesFor(filter);
  }

  /** One outcome. Throws an `ArgumentMistake` that names the nearest one where there is none of this id. */
  outcome(id: string): Outcome {
    return outcomeNamed(id);
  }

  /** Arms a rule; gives the ids of what was armed. Throws a `ScenarioMistake` that names every mistake. */
  force(merchant: string, rule: ForcedRule): string[] {
    const world = this.#world(merchant);
    const stage = stageOf(world, this.#options.realNowMs());
    const armed = armedRules(rule, world.ruleBook.nextId(), stage);
    for (const one of armed) world.ruleBook.add(one);
    return armed.map(({ id }) => id);
  }

  /** The rules of a merchant, how often each was met and fired, and why it last did not. */
  rules(merchant: string): RuleReading[] {
    return this.#world(merchant).ruleBook.report().map(readRule);
  }

  /** Rules that should have fired and never did. */
  unfired(merchant: string): RuleReading[] {
    return this.#world(merchant).ruleBook.unfired().map(readRule);
  }

  /** Takes armed rules away: one by its id, or all; gives how many. */
  disarm(merchant: string, id?: string): number {
    return this.#world(merchant).ruleBook.remove(
      (rule) => rule.source === 'armed' && (id === undefined || rule.id === id),
    );
  }

  /**
   * Begins a merchant anew and plays a scenario in its world: with the scenario's own seed, clock and fixtures where
   * it has them. Throws a `ScenarioMistake` that names every mistake, and then nothing has changed.
   */
  playScenario(merchant: string, source: string | ScenarioDocument | LoadedScenario): string {
    const scenario = loadScenario(source);
    const world = this.#worlds.remake(merchant, this.#beginnings.with(scenario));
    if (world === undefined) throw this.#full();
    return scenario.name;
  }

  /** The scenarios that ship. */
  scenarios(): ShippedScenario[] {
    return shippedAbouts();
  }

  /**
   * Reads the sandbox's own scenario file again whenever it changes, until what this gives is called. Merchants that
   * play it get its rules and keep all else; those made from now on play it from the start.
   */
  watchScenario({ onReload, onMistake }: ScenarioListener): () => void {
    const path = scenarioFile(this.#options.scenario);
    if (path === undefined) {
      throw new OptionMistake(
        'Only a scenario file can be watched. Name one as scenario: its path, such as ./my-scenario.yaml.',
      );
    }
    return watchScenarios({
      path,
      onMistake,
      onScenarios: ([scenario]) => {
        if (scenario === undefined) return;
        try {
          this.#replaceScenario(scenario);
        } catch (error) {
          if (!(error instanceof DocumentMistake)) throw error;
          onMistake(error);
          return;
        }
        onReload?.(scenario.name);
      },
    });
  }

  #replaceScenario(scenario: LoadedScenario): void {
    const beginning = this.#beginnings.tried(scenario);
    for (const world of this.#worlds.beginWith(beginning)) {
      replaceRules(world, scenario, this.#options.realNowMs());
    }
  }

  /** Card numbers for tests, each another one. Throws an `ArgumentMistake` where no card asks for the outcome. */
  generateCards(merchant: string, order: CardOrder = {}): TestCard[] {
    return dealCards(this.#world(merchant).testCards, order);
  }

  /** What a merchant asked and was answered, oldest first. */
  requests(merchant: string, query: JournalQueryInput = {}): RequestsReading {
    const { journal } = this.#world(merchant);
    return { dropped: journal.dropped, requests: journal.find(readQuery(query)) };
  }

  /** One exchange by its debug id, with the private reason of what was answered. */
  explain(merchant: string, debugId: string): Entry | undefined {
    return this.#world(merchant).journal.get(debugId);
  }

  /** Holds the journal against an expectation; `unsure` where it no longer holds what would decide it. */
  verify(merchant: string, expected: VerifyInput): Verification {
    return verify(this.#world(merchant).journal, readExpectation(expected));
  }

  /** Resolves once exchanges have come that meet a query; rejects when they have not in time. */
  waitFor(
    merchant: string,
    query: MatchInput,
    settings: WaitInput = {},
  ): Promise<readonly Entry[]> {
    const { journal, ended } = this.#world(merchant);
    return waitFor(journal, readMatch(query), {
      times: settings.times,
      timeoutMs: settings.timeoutMs ?? defaultWaitMs,
      signal: ended.signal,
    });
  }

  /**
   * Keeps a merchant's world as it is now, all but its journal; gives the snapshot's name. One of the same name is
   * replaced. Throws a `SnapshotMistake` for a name that cannot be, and where no other snapshot may be kept.
   */
  snapshot(merchant: string, name?: string): string {
    const world = this.#world(merchant);
    return this.#worlds.snapshots.keep(merchant, name, () => this.#worlds.keep(world));
  }

  /**
   * Goes on where a snapshot was taken, as often as wanted. A request under way ends in the world that is left.
   * Throws a `SnapshotMistake` where there is none of that name.
   */
  restore(merchant: string, name: string): void {
    const snapshot = this.#worlds.snapshots.find(merchant, name);
    this.#worlds.resume(merchant, snapshot, snapshot.apart);
  }

  /** The snapshots that a merchant keeps, the newest last. */
  snapshots(merchant: string): SnapshotReading[] {
    return this.#worlds.snapshots.list(merchant);
  }

  /** Throws a `SnapshotMistake` where there is none of that name. */
  dropSnapshot(merchant: string, name: string): void {
    this.#worlds.snapshots.drop(merchant, name);
  }

  /** A merchant's world as a document. Throws an `ExportMistake` where a rule waits for a card number or a secret. */
  exportWorld(merchant: string): WorldExport {
    return writeWorld(this.#world(merchant).keep(), `card-vault-sandbox ${packageVersion()}`);
  }

  /**
   * Puts an exported world in the place of a merchant's. Throws an `ExportMistake` that names everything that is wrong
   * with the document, and then nothing has changed.
   */
  importWorld(merchant: string, document: unknown): void {
    const kept = readWorld(document, this.#options.limits);
    if (this.#worlds.resume(merchant, kept, true) === undefined) throw this.#full();
  }

  ledger(merchant: string): LedgerReading {
    return ledgerReading(this.#world(merchant));
  }

  #world(merchant: string): World {
    const world = this.#worlds.enter(merchant);
    if (world === undefined) throw this.#full();
    return world;
  }

  #full(): MerchantMistake {
    return new MerchantMistake(
      `This sandbox holds ${this.#worlds.max} merchants, the most it may (limits.maxMerchants, --max-merchants). Delete one first.`,
    );
  }
}
