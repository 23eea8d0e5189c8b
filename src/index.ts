/** card-vault-sandbox for programs that import it. */

// Make a sandbox in this process, or connect to a running one.
export { createSandbox } from './sandbox/create-sandbox.ts';
export type {
  EveryMerchant,
  Merchant,
  MerchantClock,
  Sandbox,
  SandboxApp,
} from './sandbox/types.ts';
export type { Limits, Listeners, SandboxOptions, SystemClock } from './sandbox/options.ts';
export type { About, Coverage, Health } from './sandbox/answers.ts';
export type { ScenarioListener } from './sandbox/sandbox.ts';
export {
  connect,
  type ConnectOptions,
  type Remote,
  type RemoteClock,
  type RemoteEveryMerchant,
  type RemoteMerchant,
} from './client/connect.ts';
export type {
  Listening,
  ListeningAt,
  ListeningWithTls,
  ListenOptions,
  TlsOptions,
} from './transports/listen-options.ts';
export { defaultMerchant } from './contract/constants.ts';
export type { FixtureDocument } from './fixtures/document.ts';

// Force outcomes and play scenarios.
export type { OperationName } from './contract/service/operation-name.ts';
export type { OutcomeReading as Outcome } from './outcomes/outcome.ts';
export type { OutcomeFilter } from './outcomes/catalogue-queries.ts';
export type { OutcomeId } from './outcomes/outcome-id.ts';
export { outcomes } from './outcomes/catalogue.ts';
export type { ForcedRule, SharedRule } from './scenarios/rules/adhoc-rule.ts';
export type { GateDocument, ScenarioDocument } from './scenarios/document.ts';
export type { HeldRequest } from './world/gates/held-request.ts';
export type { ReleaseOrder } from './world/gates/gates.ts';
export type { HeldWaitOptions } from './sandbox/gate-input.ts';
export type { MerchantSelection } from './sandbox/merchant-selection.ts';
export type { MerchantScope, RuleStatus } from './outcomes/rules/rule-status.ts';
export { scenario, type RuleBuilder, type ScenarioBuilder } from './scenarios/builder.ts';
export type { ScenarioSummary } from './scenarios/load.ts';
export type { GenerateCardsOptions, TestCard } from './world/test-cards.ts';

// Read the journal and the ledger, and judge.
export type { Entry } from './journal/entry.ts';
export type { Explanation } from './journal/explain/explain.ts';
export type {
  ExchangeMatch,
  JournalQuery,
  JournalReading,
  VerifyOptions,
  WaitOptions,
} from './journal/query/read-query.ts';
export type { Verification } from './journal/query/verify.ts';
export type { LedgerReading } from './verdict/ledger.ts';
export { findingIds, type FindingId } from './contract/finding-ids.ts';
export type { VerdictOptions } from './verdict/options.ts';
export type { Verdict } from './verdict/verdict.ts';
export { assertPassed, VerdictError } from './report/verdict-error.ts';

// Clocks, snapshots and exports.
export type { ClockReading } from './world/time/clock.ts';
export type { SnapshotReading } from './world/snapshots.ts';
export type { WorldExport } from './world/export/document.ts';

// Listen to what happens.
export type { Exchange, ExchangeListener, Hooks } from './http/exchange.ts';
export type { ControlFailure, ControlFailureListener } from './control/errors/control-error.ts';
export type {
  UnreadableRequest,
  UnreadableRequestListener,
} from './transport-port/request-refusal.ts';

// Errors: each is a `SandboxError` with a stable `code`, except `ConnectionError`, which imitates those of `fetch`.
export { SandboxError, type ErrorDetail, type ErrorIssue } from './shared/sandbox-error.ts';
export { ArgumentError } from './outcomes/argument-error.ts';
export { DocumentError, FixtureError } from './documents/document-error.ts';
export { AllowListError } from './guard/allow-list.ts';
export { ListenError } from './transports/listen-options.ts';
export { OptionError } from './shared/option-error.ts';
export { QueryError, WaitEndedError, WaitLimitError, WaitTimeoutError } from './journal/errors.ts';
export { GateError, RuleError, ScenarioError } from './scenarios/scenario-error.ts';
export { VerdictOptionsError } from './verdict/options-error.ts';
export { ClockError, ExportError, MerchantError, SnapshotError } from './world/errors.ts';
export { ConnectionError } from './transport-port/transport.ts';
