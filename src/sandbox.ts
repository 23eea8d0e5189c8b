/** Puts the rooms together, and holds the verbs of the control plane: each lives here once. */
import { nanoid } from 'nanoid';
import type { Account, Transfer } from './domain/ledger.ts';
import type { Currency } from './domain/money.ts';
import { declareSecurity, serviceDocument } from './contract/document.ts';
import { mountControl } from './control/app.ts';
import { MerchantMistake, type ControlVerbs } from './control/verbs.ts';
import type { z } from '@hono/zod-openapi';
import type { ExchangeMatch, JournalQuery, VerifyRequest } from './contract/journal-queries.ts';
import type { Entry } from './journal/entry.ts';
import { readExpectation, readMatch, readQuery } from './journal/read.ts';
import { verify, type Verification } from './journal/verify.ts';
import { waitFor } from './journal/wait.ts';
import { loadFixtures } from './fixtures/load.ts';
import { createServiceApp } from './http/app.ts';
import { catalogue } from './outcomes/catalogue.ts';
import type { Outcome } from './outcomes/outcome.ts';
import type { RuleReport } from './outcomes/rule-book.ts';
import type { Rule } from './outcomes/rule.ts';
import { armedRules, type ForcedRule } from './scenarios/armed.ts';
import { loadScenario } from './scenarios/load.ts';
import type { ReadScenario, ScenarioDocument } from './scenarios/schema.ts';
import { playScenario, stageOf } from './world/play.ts';
import { checkOptions, type CheckedOptions, type SandboxOptions } from './options.ts';
import { packageVersion } from './package-root.ts';
import { debugIds } from './world/ids.ts';
import { buildBase } from './world/fixture-world.ts';
import type { ClockStart } from './world/clock.ts';
import { Tokens } from './world/tokens.ts';
import type { World, WorldSettings } from './world/world.ts';
import { Worlds } from './world/worlds.ts';

export { MerchantMistake } from './control/verbs.ts';

/** A merchant's clock, as it stands. */
export interface ClockReading {
  /** RFC 3339, with milliseconds. */
  readonly now: string;
  readonly frozen: boolean;
}

/** What moved in a merchant's world: transfers, oldest first, and what they sum to, in minor units. */
export interface LedgerReading {
  readonly transfers: readonly Transfer[];
  readonly balances: Readonly<Partial<Record<Currency, Readonly<Record<Account, number>>>>>;
}

/** What a sandbox says of itself. */
export interface About {
  readonly name: 'card-vault-sandbox';
  readonly version: string;
  readonly profile: CheckedOptions['profileName'];
  readonly seed: string;
  readonly auth: CheckedOptions['auth'];
  readonly ownerCheck: CheckedOptions['ownerCheck'];
  readonly allowPastExpiry: boolean;
  readonly limits: CheckedOptions['limits'];
}

export interface Health {
  readonly status: 'ready' | 'stopping';
  readonly merchants: number;
  /** Request ids that were forgotten before their time, over all merchants. */
  readonly droppedRequestIds: number;
}

export class SandboxCore implements ControlVerbs {
  readonly app: ReturnType<typeof createServiceApp>;
  readonly seed: string;
  readonly #options: CheckedOptions;
  readonly #settings: WorldSettings;
  readonly #worlds: Worlds;
  readonly #tokens: Tokens;
  #stopping = false;

  constructor(options: SandboxOptions = {}) {
    const checked = checkOptions(options);
    const fixtures = loadFixtures(checked.fixtures);
    this.#options = checked;
    this.seed = checked.seed ?? nanoid();
    this.#settings = {
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
    const base = buildBase(fixtures, this.#settings);
    this.#worlds = new Worlds(this.#settings, base, checked.limits.maxMerchants);
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
      nextDebugId: debugIds(this.seed, 'no merchant'),
      nowMs: checked.clock.frozen ? () => checked.clock.atMs ?? 0 : checked.realNowMs,
    });
    declareSecurity(this.app);
    mountControl(this.app, this, checked.baseUrl);
  }

  /** The service's OpenAPI document. */
  document(): ReturnType<typeof serviceDocument> {
    return serviceDocument(this.app, packageVersion());
  }

  about(): About {
    const { profileName, auth, ownerCheck, allowPastExpiry, limits } = this.#options;
    return {
      name: 'card-vault-sandbox',
      version: packageVersion(),
      profile: profileName,
      seed: this.seed,
      auth,
      ownerCheck,
      allowPastExpiry,
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
    const { clock } = this.#world(merchant);
    return { now: new Date(clock.nowMs()).toISOString(), frozen: clock.frozen };
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

  /** Every outcome that can be forced, as the catalogue says it. */
  outcomes(): readonly Outcome[] {
    return catalogue;
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
  playScenario(merchant: string, source: string | ScenarioDocument): string {
    const scenario = loadScenario(source);
    const { seed, clock, fixtures } = scenario.document;
    const settings = {
      ...(seed === undefined ? {} : { seed: String(seed) }),
      ...(clock === undefined ? {} : { clock: clockOf(clock) }),
    };
    const base =
      fixtures === undefined && clock === undefined
        ? undefined
        : buildBase(loadFixtures(fixtures ?? this.#options.fixtures), {
            ...this.#settings,
            ...settings,
          });
    const world = this.#worlds.remake(merchant, settings, base) ?? this.#world(merchant);
    playScenario(world, scenario, this.#options.realNowMs());
    return scenario.name;
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

  ledger(merchant: string): LedgerReading {
    const world = this.#world(merchant);
    world.settle();
    return { transfers: world.transfers(), balances: Object.fromEntries(world.balances()) };
  }

  #world(merchant: string): World {
    const world = this.#worlds.enter(merchant);
    if (world !== undefined) return world;
    throw new MerchantMistake(
      `This sandbox holds ${this.#worlds.max} merchants, the most it may (limits.maxMerchants, --max-merchants). Delete one first.`,
    );
  }
}

/** How long is waited for exchanges unless it is said. */
const defaultWaitMs = 5_000;

export type JournalQueryInput = z.input<typeof JournalQuery>;
export type MatchInput = z.input<typeof ExchangeMatch>;
export type VerifyInput = z.input<typeof VerifyRequest>;

export interface WaitInput {
  /** How many must have come. Default 1. */
  readonly times?: number | undefined;
  /** Machine time after which it is given up. Default 5,000. */
  readonly timeoutMs?: number | undefined;
}

export interface RequestsReading {
  /** Exchanges that made room for newer ones and are no longer here. */
  readonly dropped: number;
  readonly requests: readonly Entry[];
}

/** A rule and how it has fared. */
export interface RuleReading extends Omit<
  Rule,
  'expiresAtRealMs' | 'fromMs' | 'untilMs' | 'decorates'
> {
  readonly met: number;
  readonly fired: number;
  /** Why the last request it took in did not fire it. */
  readonly lastMiss: string | undefined;
}

function readRule({ rule, met, fired, lastMiss }: RuleReport): RuleReading {
  const {
    expiresAtRealMs: _expires,
    fromMs: _from,
    untilMs: _until,
    decorates: _d,
    ...shown
  } = rule;
  return { ...shown, met, fired, lastMiss };
}

function clockOf(clock: NonNullable<ReadScenario['clock']>): ClockStart {
  return { atMs: clock.start, frozen: clock.frozen ?? clock.mode === 'virtual' };
}
