/** card-vault-sandbox for importers. */
export {
  createSandbox,
  defaultMerchant,
  type Merchant,
  type MerchantClock,
  type Sandbox,
} from './create-sandbox.ts';
export { OptionMistake, type Limits, type SandboxOptions } from './options.ts';
export { ListenMistake, type Listening, type ListenOptions } from './doors/socket.ts';
export { FixtureMistake } from './fixtures/mistake.ts';
export type { FixtureDocument } from './fixtures/schema.ts';
export {
  MerchantMistake,
  type About,
  type ClockReading,
  type Health,
  type LedgerReading,
  type RuleReading,
} from './sandbox.ts';
export type { Outcome } from './outcomes/outcome.ts';
export type { ForcedRule } from './scenarios/armed.ts';
export { scenario } from './scenarios/builder.ts';
export { ScenarioMistake } from './scenarios/mistake.ts';
export type { ScenarioDocument } from './scenarios/schema.ts';
export type { Exchange, ExchangeListener, Phases } from './http/exchange.ts';
