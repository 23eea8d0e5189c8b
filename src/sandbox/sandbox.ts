/** The composition root: builds worlds and apps out of the options, and holds the verbs of the sandbox itself. */
import { coverageFormat } from '../contract/constants.ts';
import { declareSecurity, serviceDocument } from '../contract/service/document.ts';
import { decisions } from '../control/decisions.ts';
import { createLazyControlApp, isControlPath, type LazyControlApp } from '../control/lazy-app.ts';
import type { ControlVerbs } from '../control/verbs.ts';
import { allMerchants, type Target, type VerbName } from '../contract/control/verbs.ts';
import { MerchantError } from '../world/errors.ts';
import { loadFixtures } from '../fixtures/load.ts';
import { DocumentError } from '../documents/document-error.ts';
import type { CardGuard } from '../guard/card-guard.ts';
import { createServiceApp, type ServiceApp } from '../http/app.ts';
import type { ExchangeListener } from '../http/exchange.ts';
import { readCredentials } from '../http/handlers/token.ts';
import { readLevels } from '../metrics/levels.ts';
import { Traffic } from '../metrics/traffic.ts';
import { OptionError } from '../shared/option-error.ts';
import { checkOptions, type CheckedOptions } from './check-options.ts';
import type { SandboxOptions } from './options.ts';
import type { About, Coverage, Health } from './answers.ts';
import { guardOf, worldSettings } from './world-settings.ts';
import { Persistence } from './persist/persistence.ts';
import type { WorldsFile } from './persist/worlds-file.ts';
import { getOutcome, listOutcomes, type OutcomeFilter } from '../outcomes/catalogue-queries.ts';
import type { Outcome } from '../outcomes/outcome.ts';
import { Counters, mergeCounts, type Counts } from '../journal/counters.ts';
import { packageVersion } from '../shared/package-root.ts';
import type { ExplainedAt } from '../report/html/markup.ts';
import type { LoadedScenario, ScenarioSummary } from '../scenarios/load.ts';
import type { ScenarioDocument } from '../scenarios/document.ts';
import { ScenarioRegistry } from '../scenarios/registry.ts';
import { refuseNameObject } from '../scenarios/scenario-error.ts';
import { watchScenarios } from '../scenarios/watch.ts';
import { InitialStates } from '../world/initial-state.ts';
import { newSeed, createDraw } from '../world/random/dice.ts';
import { debugIds } from '../world/random/ids.ts';
import { replaceRules } from '../world/scenario/play-scenario.ts';
import { Tokens } from '../world/identity/tokens.ts';
import { hasRequests, MerchantVerbs } from './merchant.ts';
import {
  checkSelection,
  readPrefix,
  refuseSelection,
  type MerchantSelection,
} from './merchant-selection.ts';
import { linkBaseOf, type LinkBase } from '../transport-port/link-base.ts';
import type { ServedRequest, ServedSandbox } from '../transports/served-sandbox.ts';
import { readTarget, type RequestTarget } from '../transport-port/request-target.ts';
import type { Reply } from '../transport-port/transport.ts';
import type {
  RequestRefusal,
  UnreadableRequestListener,
} from '../transport-port/request-refusal.ts';
import { Worlds } from '../world/worlds.ts';
import { unknownName } from './unknown-name.ts';

/** Which merchants a page of verdicts is about, and where its debug ids link to. */
interface PageOptions extends MerchantSelection {
  readonly linkTo?: ExplainedAt | undefined;
}

/** Functions to call when a watched scenario file changes. */
export interface ScenarioListener {
  /** The file was read, and its rules replaced the earlier ones. */
  readonly onReload?: ((scenario: string) => void) | undefined;
  /** The file is invalid, and nothing has changed. */
  readonly onError: (error: DocumentError) => void;
}

export class SandboxCore extends MerchantVerbs implements ControlVerbs, ServedSandbox {
  readonly #service: ServiceApp;
  readonly seed: string;
  /** Called by the servers. */
  readonly onUnreadable: UnreadableRequestListener | undefined;
  readonly #options: CheckedOptions;
  readonly #initialStates: InitialStates;
  readonly #registry: ScenarioRegistry;
  readonly #tokens: Tokens;
  /** Counts of every merchant, including deleted ones. */
  readonly #counters: Counters;
  readonly #guard: CardGuard;
  readonly #traffic: Traffic;
  readonly #linkBase: LinkBase;
  readonly #persistence: Persistence | undefined;
  #control: LazyControlApp | undefined;
  #stopping = false;

  /** `file` keeps the worlds, if the option `persist` is set. The caller releases it if this throws. */
  constructor(options: SandboxOptions = {}, file?: WorldsFile) {
    const checked = checkOptions(options);
    const fixtures = loadFixtures(checked.fixtures);
    const registry = new ScenarioRegistry(checked.scenarios);
    const seed = checked.seed ?? file?.kept?.seed ?? newSeed();
    /** Empty while the scenario is tried, whose world is not kept. */
    const saved: { persistence?: Persistence | undefined } = {};
    const touch = file && ((merchant?: string) => saved.persistence?.touch(merchant));
    const counters = new Counters();
    const guard = guardOf(checked);
    const initialStates = new InitialStates(
      { ...worldSettings(seed, checked, counters, guard), onCommit: touch },
      fixtures,
    );
    const initialState =
      checked.scenario === undefined
        ? initialStates.withoutScenario
        : initialStates.withTriedScenario(registry.load(checked.scenario));
    super(
      new Worlds(initialState, checked.limits.maxMerchants, checked.limits.maxSnapshots),
      checked,
    );
    this.#options = checked;
    this.onUnreadable = checked.onUnreadable;
    this.#guard = guard;
    this.#linkBase = linkBaseOf(checked.baseUrl, checked.trustProxy);
    this.#traffic = new Traffic(checked.monotonicMs);
    this.seed = seed;
    this.#initialStates = initialStates;
    this.#counters = counters;
    this.#registry = registry;
    this.#tokens = new Tokens(this.seed, { shortcut: checked.auth === 'open' });
    this.#service = createServiceApp({
      worlds: this.worlds,
      tokens: this.#tokens,
      profile: checked.profile,
      linkBase: this.#linkBase,
      maxBodyBytes: checked.limits.maxBodyBytes,
      clientSecrets: fixtures.clients,
      hooks: checked.hooks,
      forcing: { magicAmounts: checked.magicAmounts },
      guard,
      onExchange: touch === undefined ? checked.onExchange : touching(touch, checked.onExchange),
      traffic: this.#traffic,
      // A client id has no space, so no merchant shares this stream.
      nextDebugId: debugIds(createDraw(this.seed, 'no merchant', 'debug')),
      nowMs: checked.clock.frozen ? () => checked.clock.atMs ?? 0 : checked.realNowMs,
    });
    this.#persistence = file && new Persistence(file, this.worlds, seed, checked.onPersistProblem);
    saved.persistence = this.#persistence;
    declareSecurity(this.#service.declared);
  }

  /** Answers a request: one of the control API and the pages, or of the service. */
  answer({ transport, location, toRequest, refusal }: ServedRequest): Response | Promise<Response> {
    if (refusal !== undefined) {
      return this.#service.answer({ transport, target: unreadTarget, refusal });
    }
    const target = readTarget(transport.target);
    const isOnControlPort =
      location !== undefined && location !== 'in process' && location.planes?.here === 'control';
    return isOnControlPort || isControlPath(target.path)
      ? this.#controlApp.fetch(toRequest(), { transport, location })
      : this.#service.answer({ transport, target });
  }

  refuseUnread(refusal: RequestRefusal): Reply {
    return this.#service.refuseUnread(refusal);
  }

  /** The control API and the pages. Most sandboxes in process never use them. */
  get #controlApp(): LazyControlApp {
    const { baseUrl, controlToken, controlAllowedHosts, onControlFailure } = this.#options;
    this.#control ??= createLazyControlApp(this, {
      baseUrl,
      linkBase: this.#linkBase,
      token: controlToken,
      allowedHosts: controlAllowedHosts,
      onFailure: onControlFailure,
    });
    return this.#control;
  }

  /** The service's OpenAPI document. */
  document(): ReturnType<typeof serviceDocument> {
    return serviceDocument(this.#service.declared, packageVersion());
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
      decisions,
    };
  }

  health(): Health {
    return {
      status: this.#stopping ? 'stopping' : 'ready',
      merchants: this.worlds.size,
      droppedRequestIds: this.worlds.droppedRequestIds,
    };
  }

  /** Health says `stopping` from now on; requests are still answered. Ends every wait, and says whether there were any. */
  stop(): boolean {
    this.#stopping = true;
    return this.endWaits();
  }

  /** What to do if a call that named no merchant acted on one that sends no requests, while others do. */
  hintAbout(target: Target | undefined): string | undefined {
    if (typeof target !== 'string' || hasRequests(this.peek(target))) return undefined;
    const others = this.worlds.all().filter(hasRequests);
    const [first] = others;
    if (first === undefined) return undefined;
    const named = others.slice(0, maxHinted).map(({ merchant }) => merchant);
    const more = others.length - named.length;
    return `No merchant was named, so this acted on merchant ${target}, which has sent no requests. Requests came from: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Add merchant=${encodeURIComponent(first.merchant)} to the query.`;
  }

  /** Saves the worlds for the last time, after the servers have closed. */
  endPersistence(): void {
    this.#persistence?.close();
  }

  /** Calls a verb by its name. It checks its own input. */
  perform(name: VerbName, target: Target | undefined, input: unknown): unknown {
    const method = this[name] as (...args: unknown[]) => unknown;
    try {
      return target === undefined ? method.call(this, input) : method.call(this, target, input);
    } finally {
      // Reading may run what is due, and a verb that fails may have changed something before.
      this.#persistence?.touch(typeof target === 'string' ? target : undefined);
    }
  }

  coverage(target: Target, selection: MerchantSelection = {}): Coverage {
    checkSelection('coverage', selection);
    return { format: coverageFormat, version: 1, ...this.#counts(target, selection) };
  }

  #counts(target: Target, selection: MerchantSelection): Counts {
    const countsOf = (merchant: string): Counts => this.peek(merchant).journal.counters.read();
    if (target !== allMerchants) {
      refuseSelection('coverage', selection);
      return countsOf(target);
    }
    const prefix = readPrefix(selection.prefix);
    // Counts of merchants that were deleted cannot be told apart.
    if (prefix === undefined) return this.#counters.read();
    return mergeCounts(this.merchantsWith(prefix).map(countsOf));
  }

  /** A page of bounded size, whatever the number of requests. `linkTo` gives the address that a debug id links to. */
  async verdictPage(target: Target, { linkTo, ...selection }: PageOptions = {}): Promise<string> {
    checkSelection('verdictPage', selection);
    if (target !== allMerchants) refuseSelection('verdictPage', selection);
    const [{ verdictHtml }, verdicts] = await Promise.all([
      // Most sandboxes are never judged, and their start should not wait for this.
      import('../report/html/page.ts'),
      target === allMerchants
        ? this.verdict(target, selection)
        : this.verdict(target).then((verdict) => [verdict]),
    ]);
    return verdictHtml({
      verdicts,
      coverage: this.coverage(target, selection),
      madeAt: new Date(this.#options.realNowMs()).toISOString(),
      version: packageVersion(),
      explainedAt: linkTo,
      mayWait: linkTo !== undefined && !this.#isMisspelt(selection),
    });
  }

  /** Whether requests came, but no merchant has the prefix. */
  #isMisspelt({ prefix }: MerchantSelection): boolean {
    if (prefix === undefined || this.merchantsWith(prefix).length > 0) return false;
    return this.activeMerchants().length > 0;
  }

  /** What was counted since the sandbox started, in the text format of Prometheus. */
  async metrics(): Promise<string> {
    const { renderMetrics } = await import('../metrics/exposition.ts');
    return renderMetrics({
      version: packageVersion(),
      profile: this.#options.profileName,
      traffic: this.#traffic,
      forced: this.#counters.read().tried,
      levels: readLevels(this.worlds, this.#counters.dropped),
    });
  }

  /** Finds the merchant that an Authorization header names. */
  merchantOf(authorization: string | undefined): string | undefined {
    const bearer = this.#tokens.read(authorization);
    if (typeof bearer !== 'string') return bearer.merchant;
    const credentials = readCredentials(authorization);
    return typeof credentials === 'string' ? undefined : credentials.clientId;
  }

  merchants(): string[] {
    return this.worlds.merchants();
  }

  /** Takes the same time whatever the world holds. */
  reset(target: Target): void {
    if (target === allMerchants) {
      this.worlds.shared.remove(undefined, []);
      this.worlds.resetAll();
    } else this.worlds.reset(target);
  }

  deleteMerchant({ id }: { readonly id: string }): void {
    if (this.worlds.remove(id)) return;
    const { message, detail } = unknownName(
      'There is no merchant',
      id,
      this.merchants(),
      'merchants() and GET /_sandbox/merchants',
    );
    throw new MerchantError('unknown-merchant', message, detail);
  }

  outcomes(filter: OutcomeFilter = {}): readonly Outcome[] {
    return listOutcomes(filter);
  }

  outcome({ id }: { readonly id: string }): Outcome {
    return getOutcome(id, 'unknown-outcome');
  }

  /** The scenario's own seed, clock and fixtures apply, where it has them. A problem in it changes nothing. */
  playScenario(merchant: string, source: string | URL | ScenarioDocument | LoadedScenario): string {
    refuseNameObject(source);
    const scenario = this.#registry.load(source);
    const world = this.worlds.replace(merchant, this.#initialStates.withScenario(scenario));
    if (world === undefined) throw this.noRoom();
    return scenario.name;
  }

  scenarios(): ScenarioSummary[] {
    return this.#registry.list();
  }

  /** Merchants that are created later play the new scenario from the start. Returns a function that stops watching. */
  watchScenario({ onReload, onError }: ScenarioListener): () => void {
    const path = this.#registry.fileOf(this.#options.scenario);
    if (path === undefined) {
      throw new OptionError(
        'Only a scenario file can be watched. Set the option scenario to a path, such as ./my-scenario.yaml.',
      );
    }
    return watchScenarios({
      path,
      onError,
      onScenarios: ([scenario]) => {
        if (scenario === undefined) return;
        try {
          this.#replaceScenario(scenario);
        } catch (error) {
          if (!(error instanceof DocumentError)) throw error;
          onError(error);
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
    this.#persistence?.touch();
  }
}

/** A hint names this many merchants. */
const maxHinted = 3;

/** Notes each exchange, which changes at least the debug ids that follow. */
function touching(
  touch: (merchant?: string) => void,
  listener: ExchangeListener | undefined,
): ExchangeListener {
  return (exchange) => {
    if (exchange.merchant !== undefined) touch(exchange.merchant);
    listener?.(exchange);
  };
}

/** The target of a request that has no valid one. */
const unreadTarget: RequestTarget = { path: '/', search: '' };
