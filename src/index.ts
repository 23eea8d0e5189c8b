/** card-vault-sandbox for importers. */
export {
  createSandbox,
  type Merchant,
  type MerchantClock,
  type Sandbox,
  type SandboxApp,
} from './sandbox/create-sandbox.ts';
export { defaultMerchant } from './contract/default-merchant.ts';
export { OptionError } from './shared/option-error.ts';
export type { Limits, SandboxOptions } from './sandbox/options.ts';
export {
  ListenError,
  type Listening,
  type ListeningAt,
  type ListenOptions,
} from './transports/listen-options.ts';
export { FixtureError } from './documents/document-error.ts';
export { AllowListError } from './guard/allow-list.ts';
export type { FixtureDocument } from './fixtures/schema.ts';
export {
  connect,
  SandboxError,
  type ConnectOptions,
  type Remote,
  type RemoteClock,
  type RemoteFilter,
  type RemoteMerchant,
  type ErrorIssue,
} from './client/connect.ts';
export {
  MerchantError,
  type About,
  type Coverage,
  type Health,
  type ScenarioListener,
} from './sandbox/sandbox.ts';
export type { LedgerReading } from './verdict/ledger.ts';
export type { ClockReading } from './world/time/clock.ts';
export { findingIds, type FindingId } from './contract/finding-ids.ts';
export { VerdictOptionsError } from './verdict/options-error.ts';
export type { OrderInput as VerdictInput } from './verdict/options.ts';
export type { Verdict } from './verdict/verdict.ts';
export { assertPassed, VerdictError } from './report/verdict-error.ts';
export { SnapshotError, type SnapshotReading } from './world/snapshots.ts';
export { ExportError } from './world/export/export-error.ts';
export type { WorldExport } from './world/export/document.ts';
export { QueryError, WaitEndedError, WaitLimitError, WaitTimeoutError } from './journal/errors.ts';
export type { Entry } from './journal/entry.ts';
export type { Explanation } from './journal/explain/explain.ts';
export type {
  JournalQueryInput,
  MatchInput,
  RequestsReading,
  VerifyInput,
  WaitInput,
} from './journal/query/read-query.ts';
export type { Verification } from './journal/query/verify.ts';
export { ClockError } from './world/time/clock.ts';
export type {
  UnreadableRequest,
  UnreadableRequestListener,
} from './transport-port/unreadable-request.ts';
export { ConnectionError } from './transport-port/transport.ts';
export { DocumentError } from './documents/document-error.ts';
export type { CardOrder, TestCard } from './world/test-cards.ts';
export { ArgumentError } from './outcomes/argument-error.ts';
export type { OperationName } from './contract/service/operations.ts';
export type { OutcomeFilter } from './outcomes/catalogue-queries.ts';
export type { RuleStatus } from './outcomes/rules/rule-status.ts';
export type { Outcome } from './outcomes/outcome.ts';
export type { OutcomeId } from './outcomes/outcome-id.ts';
export type { ForcedRule } from './scenarios/rules/adhoc-rule.ts';
export { scenario, type RuleBuilder, type ScenarioBuilder } from './scenarios/builder.ts';
export type { ScenarioSummary } from './scenarios/load.ts';
export { ScenarioError } from './scenarios/scenario-error.ts';
export type { ScenarioDocument } from './scenarios/schema.ts';
export type { ControlFailure, ControlFailureListener } from './control/errors/control-error.ts';
export type { Exchange, ExchangeListener, Phases } from './http/exchange.ts';
