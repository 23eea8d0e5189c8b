/** The verbs that the control plane translates HTTP to. They live in `sandbox.ts`, which fills this in. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { About, ClockReading, Health } from '../contract/control/routes.ts';
import type { LedgerReading } from '../contract/control/ledger.ts';
import type {
  CardOrder,
  Outcome,
  OutcomeFilter,
  RuleReading,
  ShippedScenario,
  TestCard,
} from '../contract/control/forcing.ts';
import type {
  Explanation,
  JournalEntry,
  RequestsReading,
  Verification,
} from '../contract/control/journal.ts';
import type { SnapshotReading } from '../contract/control/worlds.ts';
import type {
  JournalQueryInput,
  MatchInput,
  VerifyInput,
  WaitInput,
} from '../journal/query/read-query.ts';
import type { Coverage } from '../contract/control/coverage.ts';
import type { Verdict } from '../contract/control/verdict.ts';
import type { OrderInput } from '../verdict/options.ts';
import type { ExplainedAt } from '../report/html/debug-ids.ts';
import type { LoadedScenario } from '../scenarios/load.ts';
import { didYouMean, nearest } from '../shared/did-you-mean.ts';
import type { WorldExport } from '../world/export/document.ts';

export interface ControlVerbs {
  health(): z.output<typeof Health>;
  about(): z.output<typeof About>;
  merchants(): readonly string[];
  reset(merchant: string): void;
  resetAll(): void;
  /** Throws a `MerchantError` when there is none of that name. */
  deleteMerchant(merchant: string): void;
  readClock(merchant: string): z.output<typeof ClockReading>;
  freezeClock(merchant: string): z.output<typeof ClockReading>;
  resumeClock(merchant: string): z.output<typeof ClockReading>;
  /** Throws a `ClockError` when that is in the past. */
  setClock(merchant: string, atMs: number): z.output<typeof ClockReading>;
  advanceClock(merchant: string, byMs: number): z.output<typeof ClockReading>;
  ledger(merchant: string): z.output<typeof LedgerReading>;
  outcomes(filter: z.output<typeof OutcomeFilter>): readonly z.output<typeof Outcome>[];
  /** Throws an `ArgumentError` when there is none of this id. */
  outcome(id: string): z.output<typeof Outcome>;
  /** Arms a `ForcedRule`. Takes anything: throws a `ScenarioError` that names everything that is wrong with it. */
  force(merchant: string, rule: unknown): string[];
  rules(merchant: string): z.output<typeof RuleReading>[];
  unfired(merchant: string): z.output<typeof RuleReading>[];
  disarm(merchant: string, id?: string): number;
  /** Throws a `ScenarioError`, or a `FixtureError` for the fixtures that it names. */
  playScenario(merchant: string, scenario: string | LoadedScenario): string;
  scenarios(): z.output<typeof ShippedScenario>[];
  /** Throws an `ArgumentError` where there is no such card. */
  generateCards(merchant: string, order: z.output<typeof CardOrder>): z.output<typeof TestCard>[];
  /** Throws a `QueryError` for a query that cannot be read, as the next three do. */
  requests(merchant: string, query: JournalQueryInput): z.output<typeof RequestsReading>;
  explain(merchant: string, debugId: string): z.output<typeof Explanation> | undefined;
  verify(merchant: string, expected: VerifyInput): z.output<typeof Verification>;
  /**
   * Rejects with a `WaitTimeoutError` when they have not come in time, with a `WaitEndedError` when they cannot any more, with a
   * `WaitLimitError` where too many wait, and with a `QueryError` for more than the journal keeps.
   */
  waitFor(
    merchant: string,
    query: MatchInput,
    settings: WaitInput,
  ): Promise<readonly z.output<typeof JournalEntry>[]>;
  /** Throws a `SnapshotError` for a name that cannot be, and where no other may be kept. */
  snapshot(merchant: string, name?: string): string;
  /** Throws a `SnapshotError` where there is none of that name. */
  restore(merchant: string, name: string): void;
  snapshots(merchant: string): z.output<typeof SnapshotReading>[];
  /** Throws a `SnapshotError` where there is none of that name. */
  dropSnapshot(merchant: string, name: string): void;
  /** Throws an `ExportError` where a rule waits for what no export holds. */
  exportWorld(merchant: string): WorldExport;
  /** Throws an `ExportError` that names everything that is wrong with the document. */
  importWorld(merchant: string, document: unknown): void;
  /** Throws a `VerdictOptionsError` that names everything that is wrong with the order. */
  verdict(merchant: string, order: OrderInput): Promise<z.output<typeof Verdict>>;
  /**
   * The verdict as an HTML document; of all merchants where none is named, as is what was tried. Its debug ids lead to
   * where `explainedAt` says.
   */
  verdictPage(merchant?: string, explainedAt?: ExplainedAt): Promise<string>;
  coverage(merchant?: string): z.output<typeof Coverage>;
  /** What was counted, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** The service's OpenAPI document. */
  document(): ReturnType<OpenAPIHono['getOpenAPI31Document']>;
}

/** No room for another merchant, or no merchant of that name. */
export class MerchantError extends Error {
  readonly kind: 'merchants-full' | 'unknown-merchant';
  readonly allowed: readonly string[] | undefined;
  readonly nearest: string | undefined;

  constructor(
    kind: MerchantError['kind'],
    message: string,
    detail: {
      readonly allowed?: readonly string[] | undefined;
      readonly nearest?: string | undefined;
    } = {},
  ) {
    super(message);
    this.name = 'MerchantError';
    this.kind = kind;
    this.allowed = detail.allowed;
    this.nearest = detail.nearest;
  }
}

/** Longer lists of merchants are left out of messages; what lists them is named. */
const mostNamed = 20;

/** There is none of that name among those that are known. */
export function unknownMerchant(id: unknown, known: readonly string[]): MerchantError {
  const word = String(id).slice(0, 128);
  const all = known.length > mostNamed ? undefined : known;
  const rest =
    all === undefined
      ? `merchants() and GET /_sandbox/merchants list the ${known.length} there are.`
      : `Known: ${all.join(', ') || 'none yet'}.`;
  return new MerchantError(
    'unknown-merchant',
    `There is no merchant '${word}'.${didYouMean(word, known)} ${rest}`,
    { allowed: all, nearest: nearest(word, known) },
  );
}
