/** Puts the rooms together, and holds the verbs of the control plane: each lives here once. */
import { coverageFormat } from '../contract/coverage-format.ts';
import { defaultMerchant } from '../contract/default-merchant.ts';
import { declareSecurity, serviceDocument } from '../contract/service/document.ts';
import { createControlFront, mountControl, type ControlFront } from '../control/lazy-app.ts';
import { unknownMerchant, type ControlVerbs } from '../control/verbs.ts';
import { loadFixtures } from '../fixtures/load.ts';
import { DocumentError } from '../documents/document-error.ts';
import { loadAllowList } from '../guard/allow-list.ts';
import { CardGuard } from '../guard/card-guard.ts';
import { createServiceApp } from '../http/app.ts';
import { readCredentials } from '../http/handlers/token.ts';
import { levelsOf } from '../metrics/levels.ts';
import { Traffic } from '../metrics/traffic.ts';
import { OptionError } from '../shared/option-error.ts';
import { checkOptions, type CheckedOptions, type SandboxOptions } from './options.ts';
import { getOutcome, listOutcomes, type OutcomeFilter } from '../outcomes/catalogue-queries.ts';
import type { Outcome } from '../outcomes/outcome.ts';
import { Counters, type Counts } from '../journal/counters.ts';
import { packageVersion } from '../shared/package-root.ts';
import type { ExplainedAt } from '../report/html/debug-ids.ts';
import type { LoadedScenario, ScenarioSummary } from '../scenarios/load.ts';
import type { ScenarioDocument } from '../scenarios/schema.ts';
import { ScenarioRegistry } from '../scenarios/registry.ts';
import { watchScenarios } from '../scenarios/watch.ts';
import { InitialStates } from '../world/initial-state.ts';
import { newSeed, createDraw } from '../world/random/dice.ts';
import { debugIds } from '../world/random/ids.ts';
import { replaceRules } from '../world/scenario/play-scenario.ts';
import { Tokens } from '../world/identity/tokens.ts';
import { MerchantVerbs } from './merchant.ts';
import type { UnreadableRequestListener } from '../transport-port/unreadable-request.ts';
import type { WorldSettings } from '../world/world.ts';
import { Worlds } from '../world/worlds.ts';

export { MerchantError } from '../control/verbs.ts';

/** What a sandbox says of itself. */
export interface About {
  readonly name: 'card-vault-sandbox';
  readonly version: string;
  readonly profile: CheckedOptions['profileName'];
  readonly seed: string;
  readonly auth: CheckedOptions['auth'];
  readonly ownerCheck: CheckedOptions['ownerCheck'];
  readonly allowPastExpiry: boolean;
  readonly realCards: CheckedOptions['realCards'];
  /** How many test numbers the team added. */
  readonly allowedCards: number;
  readonly magicAmounts: boolean;
  /** The scenario that every merchant plays. */
  readonly scenario?: string | undefined;
  readonly limits: CheckedOptions['limits'];
}

/** How often each operation was asked, and each outcome met on it. */
export interface Coverage extends Counts {
  readonly format: typeof coverageFormat;
  readonly version: 1;
}

export interface Health {
  readonly status: 'ready' | 'stopping';
  readonly merchants: number;
  /** Request ids that were forgotten before their time, over all merchants. */
  readonly droppedRequestIds: number;
}

/** Told what became of a scenario file that changed. */
export interface ScenarioListener {
  /** Its rules took the place of those before. */
  readonly onReload?: ((scenario: string) => void) | undefined;
  /** It is wrong, and nothing has changed. */
  readonly onMistake: (mistake: DocumentError) => void;
}

export class SandboxCore extends MerchantVerbs implements ControlVerbs {
  /** Answers everything. */
  readonly app: ReturnType<typeof createServiceApp>;
  readonly seed: string;
  /** To be told by doors. */
  readonly onUnreadable: UnreadableRequestListener | undefined;
  readonly #options: CheckedOptions;
  readonly #initialStates: InitialStates;
  readonly #shelf: ScenarioRegistry;
  readonly #tokens: Tokens;
  /** Of every merchant, those that are gone included. */
  readonly #counters: Counters;
  readonly #guard: CardGuard;
  readonly #traffic: Traffic;
  #control: ControlFront | undefined;
  #stopping = false;

  constructor(options: SandboxOptions = {}) {
    const checked = checkOptions(options);
    const fixtures = loadFixtures(checked.fixtures);
    const shelf = new ScenarioRegistry(checked.scenarios);
    const seed = checked.seed ?? newSeed();
    const counters = new Counters();
    const guard = guardOf(checked);
    const initialStates = new InitialStates(
      worldSettings(seed, checked, counters, guard),
      fixtures,
    );
    const initialState =
      checked.scenario === undefined
        ? initialStates.withoutScenario
        : initialStates.withTriedScenario(shelf.load(checked.scenario));
    super(
      new Worlds(initialState, checked.limits.maxMerchants, checked.limits.maxSnapshots),
      checked,
    );
    this.#options = checked;
    this.onUnreadable = checked.onUnreadable;
    this.#guard = guard;
    this.#traffic = new Traffic(checked.monotonicMs);
    this.seed = seed;
    this.#initialStates = initialStates;
    this.#counters = counters;
    this.#shelf = shelf;
    this.#tokens = new Tokens(this.seed, { shortcut: checked.auth === 'open' });
    this.app = createServiceApp({
      worlds: this.worlds,
      tokens: this.#tokens,
      profile: checked.profile,
      baseUrl: checked.baseUrl,
      maxBodyBytes: checked.limits.maxBodyBytes,
      clientSecrets: fixtures.clients,
      phases: checked.phases,
      forcing: { magicAmounts: checked.magicAmounts },
      guard,
      onExchange: checked.onExchange,
      traffic: this.#traffic,
      // A merchant's name has no space, so this stream is nobody's.
      nextDebugId: debugIds(createDraw(this.seed, 'no merchant', 'debug')),
      nowMs: checked.clock.frozen ? () => checked.clock.atMs ?? 0 : checked.realNowMs,
    });
    declareSecurity(this.app);
    mountControl(this.app, () => this.control);
  }

  /** The control plane and the pages alone. Most sandboxes in process are never asked for them. */
  get control(): ControlFront {
    const { baseUrl, controlToken, controlAllowedHosts, onControlFailure } = this.#options;
    this.#control ??= createControlFront(this, {
      baseUrl,
      token: controlToken,
      allowedHosts: controlAllowedHosts,
      onFault: onControlFailure,
    });
    return this.#control;
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
      realCards: this.#guard.mode,
      allowedCards: this.#guard.allowed,
      magicAmounts,
      scenario: this.worlds.scenario,
      limits,
    };
  }

  health(): Health {
    return {
      status: this.#stopping ? 'stopping' : 'ready',
      merchants: this.worlds.size,
      droppedRequestIds: this.worlds.droppedRequestIds,
    };
  }

  /**
   * From now on health says `stopping`; requests are still answered. Whoever waits for exchanges is told that none will
   * come; says whether somebody was.
   */
  stop(): boolean {
    this.#stopping = true;
    return this.endWaits();
  }

  /** Which outcomes were tried: of one merchant since it began, or of all since the sandbox started. */
  coverage(merchant?: string): Coverage {
    const counters =
      merchant === undefined ? this.#counters : this.lookAt(merchant).journal.counters;
    return { format: coverageFormat, version: 1, ...counters.read() };
  }

  /**
   * What `verdict` says without an order, as a page for people: of one merchant, or of all. An HTML document that opens
   * without a server, of bounded size however much was asked. Its debug ids lead to where `explainedAt` says, if it is
   * given.
   */
  async verdictPage(merchant?: string, explainedAt?: ExplainedAt): Promise<string> {
    const known = merchant === undefined ? this.merchants() : [merchant];
    // A sandbox that nobody asked anything has no merchant, and the page must say so.
    const judged = known.length === 0 ? [defaultMerchant] : known;
    const [{ verdictHtml }, ...verdicts] = await Promise.all([
      // Most sandboxes are never asked, and those that start should not wait for it.
      import('../report/html/page.ts'),
      ...judged.map((id) => this.verdict(id)),
    ]);
    return verdictHtml({
      verdicts,
      coverage: this.coverage(merchant),
      madeAt: new Date(this.#options.realNowMs()).toISOString(),
      version: packageVersion(),
      explainedAt,
    });
  }

  /** What was counted since the sandbox started, in the text format of Prometheus. */
  async metrics(): Promise<string> {
    const { exposition } = await import('../metrics/exposition.ts');
    return exposition({
      version: packageVersion(),
      profile: this.#options.profileName,
      traffic: this.#traffic,
      forced: this.#counters.read().tried,
      levels: levelsOf(this.worlds, this.#counters.dropped),
    });
  }

  /** Whom a request speaks for, by its Authorization header. */
  merchantOf(authorization: string | undefined): string | undefined {
    const bearer = this.#tokens.read(authorization);
    if (typeof bearer !== 'string') return bearer.merchant;
    const credentials = readCredentials(authorization);
    return typeof credentials === 'string' ? undefined : credentials.clientId;
  }

  /** Every merchant that has a world, or asked for one while there was no room. */
  merchants(): string[] {
    return this.worlds.merchants();
  }

  /** Puts one merchant back to how it began, in an instant whatever it holds. */
  reset(merchant: string): void {
    this.worlds.reset(merchant);
  }

  /** Puts every merchant back to how it began; snapshots stay. */
  resetAll(): void {
    this.worlds.resetAll();
  }

  /** Forgets a merchant and frees its place. */
  deleteMerchant(merchant: string): void {
    if (this.worlds.remove(merchant)) return;
    throw unknownMerchant(merchant, this.merchants());
  }

  /** Every outcome there is, as the catalogue says it; or those of one operation or tier. */
  outcomes(filter: OutcomeFilter = {}): readonly Outcome[] {
    return listOutcomes(filter);
  }

  /** One outcome. Throws an `ArgumentError` that names the nearest one where there is none of this id. */
  outcome(id: string): Outcome {
    return getOutcome(id);
  }

  /**
   * Begins a merchant anew and plays a scenario in its world: with the scenario's own seed, clock and fixtures where
   * it has them. Throws a `ScenarioError` that names every mistake, and then nothing has changed.
   */
  playScenario(merchant: string, source: string | ScenarioDocument | LoadedScenario): string {
    const scenario = this.#shelf.load(source);
    const world = this.worlds.replace(merchant, this.#initialStates.withScenario(scenario));
    if (world === undefined) throw this.full();
    return scenario.name;
  }

  /** The scenarios that are known by name. */
  scenarios(): ScenarioSummary[] {
    return this.#shelf.list();
  }

  /**
   * Reads the sandbox's own scenario file again whenever it changes, until what this gives is called. Merchants that
   * play it get its rules and keep all else; those made from now on play it from the start.
   */
  watchScenario({ onReload, onMistake }: ScenarioListener): () => void {
    const path = this.#shelf.fileOf(this.#options.scenario);
    if (path === undefined) {
      throw new OptionError(
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
          if (!(error instanceof DocumentError)) throw error;
          onMistake(error);
          return;
        }
        onReload?.(scenario.name);
      },
    });
  }

  #replaceScenario(scenario: LoadedScenario): void {
    const initialState = this.#initialStates.withTriedScenario(scenario);
    for (const world of this.worlds.setInitialState(initialState)) {
      replaceRules(world, scenario, this.#options.realNowMs());
    }
  }
}

function guardOf({ realCards, allowCards }: CheckedOptions): CardGuard {
  return new CardGuard(realCards, allowCards === undefined ? undefined : loadAllowList(allowCards));
}

function worldSettings(
  seed: string,
  checked: CheckedOptions,
  counters: Counters,
  guard: CardGuard,
): WorldSettings {
  const { allowPastExpiry, ownerCheck, clock, realNowMs, limits } = checked;
  return {
    seed,
    policy: { allowPastExpiry, ownerCheck },
    clock,
    realNowMs,
    maxRecords: limits.maxRecords,
    maxRequestIds: limits.maxRequestIds,
    counters,
    journal: { maxEntries: limits.maxJournalEntries, maxBytes: limits.maxJournalBytes },
    guard,
  };
}
