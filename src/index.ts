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
} from './sandbox.ts';
export type { Exchange, ExchangeListener, Phases } from './http/exchange.ts';
