/** How a payment or refund may come out other than well: what an issuer or a bank decides, not what a rule here does. */

/** What the issuer's side reports of a payment. */
export interface ProcessorResponse {
  readonly response_code?: string | undefined;
  readonly avs_code?: string | undefined;
  readonly cvv_code?: string | undefined;
  readonly advice_code?: string | undefined;
}

/**
 * What the issuer's side reports of a card whose buyer lives in this country, where that is known. That no address was
 * checked has the code U in the United States, and G anywhere else.
 */
export function adaptAvsCode(
  processor: ProcessorResponse | undefined,
  countryCode: string | undefined,
): ProcessorResponse | undefined {
  return processor?.avs_code === 'U' && countryCode !== undefined && countryCode !== 'US'
    ? { ...processor, avs_code: 'G' }
    : processor;
}

/** Something that befalls a record once time has passed. */
export interface PlannedEvent {
  readonly event: RecordEvent['kind'];
  readonly afterMs: number;
  /** The outcome that a card asks for from then on. */
  readonly asksFor?: string | undefined;
}

/**
 * How a sale comes out other than well: its money is held back, not there yet, or refused; the sale is made later than
 * its payment; or the payment fails and there is none.
 */
export type SaleOverride = 'held' | 'pending' | 'denied' | 'late' | 'none';

export interface PaymentOverrides {
  readonly sale?: SaleOverride | undefined;
  readonly reasonCode?: string | undefined;
  readonly processor?: ProcessorResponse | undefined;
  /** What befalls the sale later. */
  readonly events?: readonly PlannedEvent[] | undefined;
}

export interface RefundOverrides {
  readonly refund?: 'pending' | undefined;
  /** What befalls the refund later. */
  readonly events?: readonly PlannedEvent[] | undefined;
}

export interface CardOverrides {
  /** What befalls the card later. */
  readonly events?: readonly PlannedEvent[] | undefined;
}

/** Something that falls due on the merchant's clock. Plain data, so that it can be written down. */
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
  /** Id of the sale, refund or card it comes to; of the payment, where its sale is still to be made. */
  readonly subject: string;
  /** The outcome that a card asks for from then on. */
  readonly asksFor?: string | undefined;
}

/** A due event and its instant. */
export interface ScheduledEvent {
  readonly atMs: number;
  readonly event: RecordEvent;
}

/** The events of a new record, by its own time. */
export function scheduleEvents(
  subject: string,
  nowMs: number,
  events: readonly PlannedEvent[] | undefined,
): readonly ScheduledEvent[] {
  return (events ?? []).map((fate) => scheduleEvent(subject, nowMs, fate));
}

/** One thing to come, counted from an instant. */
export function scheduleEvent(
  subject: string,
  fromMs: number,
  { event, afterMs, asksFor }: PlannedEvent,
): ScheduledEvent {
  const known = asksFor === undefined ? {} : { asksFor };
  return { atMs: fromMs + afterMs, event: { kind: event, subject, ...known } };
}
