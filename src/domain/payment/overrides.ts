/** Overrides of a plan: what an issuer or bank decides instead of the normal result. */

/** What the issuer's processor reports about a payment. */
export interface ProcessorResponse {
  readonly response_code?: string | undefined;
  readonly avs_code?: string | undefined;
  readonly cvv_code?: string | undefined;
  readonly advice_code?: string | undefined;
}

/**
 * Adapts the AVS code to the buyer's country, if known.
 *
 * "Address not checked" is code U in the United States and G elsewhere.
 */
export function adaptAvsCode(
  processor: ProcessorResponse | undefined,
  countryCode: string | undefined,
): ProcessorResponse | undefined {
  return processor?.avs_code === 'U' && countryCode !== undefined && countryCode !== 'US'
    ? { ...processor, avs_code: 'G' }
    : processor;
}

/** An event that will happen to a record after some time. */
export interface PlannedEvent {
  readonly event: RecordEvent['kind'];
  readonly afterMs: number;
  /** The outcome that the card triggers from then on. */
  readonly triggeredOutcome?: string | undefined;
}

/**
 * What happens to a sale instead of completing. `held`: the money is held back. `late`: the sale
 * follows after the payment. `none`: the payment fails and has no sale.
 */
export type SaleOverride = 'held' | 'pending' | 'denied' | 'late' | 'none';

export interface PaymentOverrides {
  readonly sale?: SaleOverride | undefined;
  readonly reasonCode?: string | undefined;
  readonly processor?: ProcessorResponse | undefined;
  /** What happens to the sale later. */
  readonly events?: readonly PlannedEvent[] | undefined;
}

export interface RefundOverrides {
  readonly refund?: 'pending' | undefined;
  /** What happens to the refund later. */
  readonly events?: readonly PlannedEvent[] | undefined;
}

export interface CardOverrides {
  /** What happens to the card later. */
  readonly events?: readonly PlannedEvent[] | undefined;
}

/**
 * An event that happens to a record on the merchant's clock. Plain data, so that it can be
 * exported.
 */
export interface RecordEvent {
  readonly kind:
    | 'sale-completes'
    | 'sale-is-denied'
    | 'sale-is-reversed'
    | 'sale-is-made'
    | 'hold-is-released'
    | 'chargeback-opens'
    | 'chargeback-is-won'
    | 'chargeback-is-lost'
    | 'refund-completes'
    | 'refund-fails'
    | 'card-is-updated'
    | 'card-is-replaced'
    | 'card-is-closed';
  /** Id of the affected sale, refund or card; id of the payment if its sale does not exist yet. */
  readonly subject: string;
  /** The outcome that the card triggers from then on. */
  readonly triggeredOutcome?: string | undefined;
}

/** An event with its time. */
export interface ScheduledEvent {
  readonly atMs: number;
  readonly event: RecordEvent;
}

/** Schedules the events of a new record, counted from its creation. */
export function scheduleEvents(
  subject: string,
  nowMs: number,
  events: readonly PlannedEvent[] | undefined,
): readonly ScheduledEvent[] {
  return (events ?? []).map((planned) => scheduleEvent(subject, nowMs, planned));
}

/** Schedules one event, counted from a given time. */
export function scheduleEvent(
  subject: string,
  fromMs: number,
  { event, afterMs, triggeredOutcome }: PlannedEvent,
): ScheduledEvent {
  const known = triggeredOutcome === undefined ? {} : { triggeredOutcome };
  return { atMs: fromMs + afterMs, event: { kind: event, subject, ...known } };
}
