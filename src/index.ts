/** card-vault-sandbox for importers. */
export {
  createSandbox,
  type Merchant,
  type MerchantClock,
  type Sandbox,
  type SandboxApp,
} from './create-sandbox.ts';
export { defaultMerchant } from './contract/default-merchant.ts';
export { OptionMistake } from './option-mistake.ts';
export type { Limits, SandboxOptions } from './options.ts';
export {
  ListenMistake,
  type Listening,
  type ListeningAt,
  type ListenOptions,
} from './doors/listening.ts';
export { FixtureMistake } from './fixtures/mistake.ts';
export { AllowListMistake } from './guard/allow-list.ts';
export type { FixtureDocument } from './fixtures/schema.ts';
export {
  connect,
  SandboxError,
  type ConnectOptions,
  type Remote,
  type RemoteClock,
  type RemoteFilter,
  type RemoteMerchant,
  type SentMistake,
} from './client/connect.ts';
export {
  MerchantMistake,
  type About,
  type Coverage,
  type Health,
  type ScenarioListener,
} from './sandbox.ts';
export type { LedgerReading } from './verdict/ledger.ts';
export type { ClockReading } from './world/readings.ts';
export { findingIds, type FindingId } from './contract/finding-ids.ts';
export { VerdictMistake } from './verdict/mistake.ts';
export type { OrderInput as VerdictInput } from './verdict/order.ts';
export type { Verdict } from './verdict/verdict.ts';
export { assertPassed, VerdictError } from './report/verdict-error.ts';
export { SnapshotMistake, type SnapshotReading } from './world/snapshots.ts';
export { ExportMistake } from './world/export/mistake.ts';
export type { WorldExport } from './world/export/document.ts';
export { QueryMistake, WaitEnded, WaitsFull, WaitTimeout } from './journal/mistakes.ts';
export type { Entry } from './journal/entry.ts';
export type { Explanation } from './journal/explain.ts';
export type {
  JournalQueryInput,
  MatchInput,
  RequestsReading,
  VerifyInput,
  WaitInput,
} from './journal/read.ts';
export type { Verification } from './journal/verify.ts';
export { ClockMistake } from './world/clock.ts';
export type { Unreadable, UnreadableListener } from './wire/unreadable.ts';
export { ConnectionFault } from './wire/wire.ts';
export { DocumentMistake } from './fixtures/mistake.ts';
export type { CardOrder, TestCard } from './world/test-cards.ts';
export { ArgumentMistake } from './outcomes/argument-mistake.ts';
export type { OperationName } from './contract/operations.ts';
export type { OutcomeFilter } from './outcomes/choose.ts';
export type { RuleReading } from './outcomes/rule-reading.ts';
export type { Outcome } from './outcomes/outcome.ts';
export type { OutcomeId } from './outcomes/outcome-id.ts';
export type { ForcedRule } from './scenarios/armed.ts';
export { scenario, type RuleBuilder, type ScenarioBuilder } from './scenarios/builder.ts';
export type { ShippedScenario } from './scenarios/load.ts';
export { ScenarioMistake } from './scenarios/mistake.ts';
export type { ScenarioDocument } from './scenarios/schema.ts';
export type { ControlFault, ControlFaultListener } from './control/mistake.ts';
export type { Exchange, ExchangeListener, Phases } from './http/exchange.ts';
