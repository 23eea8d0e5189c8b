/** The verbs that the control plane translates HTTP to. They live in `sandbox.ts`, which fills this in. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { About, ClockReading, Health, LedgerReading } from '../contract/control.ts';

export interface ControlVerbs {
  health(): z.output<typeof Health>;
  about(): z.output<typeof About>;
  merchants(): readonly string[];
  reset(merchant: string): void;
  resetAll(): void;
  /** Throws a `MerchantMistake` when there is none of that name. */
  deleteMerchant(merchant: string): void;
  readClock(merchant: string): z.output<typeof ClockReading>;
  freezeClock(merchant: string): z.output<typeof ClockReading>;
  resumeClock(merchant: string): z.output<typeof ClockReading>;
  /** Throws a `ClockMistake` when that is in the past. */
  setClock(merchant: string, atMs: number): z.output<typeof ClockReading>;
  advanceClock(merchant: string, byMs: number): z.output<typeof ClockReading>;
  ledger(merchant: string): z.output<typeof LedgerReading>;
  /** The service's OpenAPI document. */
  document(): ReturnType<OpenAPIHono['getOpenAPI31Document']>;
}

/** No room for another merchant, or no merchant of that name. */
export class MerchantMistake extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MerchantMistake';
  }
}
