/** How a payment or refund may come out other than well: what an issuer or a bank decides, not what a rule here does. */

/** What the issuer's side reports of a payment. */
export interface ProcessorResponse {
  readonly response_code?: string | undefined;
  readonly avs_code?: string | undefined;
  readonly cvv_code?: string | undefined;
  readonly advice_code?: string | undefined;
}

/** Something that befalls a record once time has passed. */
export interface Fate {
  readonly event: DueEvent['kind'];
  readonly afterMs: number;
}

export interface PaymentBend {
  /** The sale does not complete at once, or is denied. */
  readonly sale?: 'pending' | 'denied' | undefined;
  readonly reasonCode?: string | undefined;
  readonly processor?: ProcessorResponse | undefined;
  /** What befalls the sale later. */
  readonly fates?: readonly Fate[] | undefined;
}

export interface RefundBend {
  readonly refund?: 'pending' | undefined;
  /** What befalls the refund later. */
  readonly fates?: readonly Fate[] | undefined;
}

/** Something that falls due on the merchant's clock. Plain data, so that it can be written down. */
export interface DueEvent {
  readonly kind:
    | 'sale-completes'
    | 'sale-is-denied'
    | 'sale-is-reversed'
    | 'chargeback-opens'
    | 'chargeback-is-won'
    | 'chargeback-is-lost'
    | 'refund-completes'
    | 'refund-fails';
  /** Id of the sale or refund it comes to. */
  readonly subject: string;
}

/** A due event and its instant. */
export interface Due {
  readonly atMs: number;
  readonly event: DueEvent;
}

/** The events of a new record, by its own time. */
export function duesOf(
  subject: string,
  nowMs: number,
  fates: readonly Fate[] | undefined,
): readonly Due[] {
  return (fates ?? []).map(({ event, afterMs }) => ({
    atMs: nowMs + afterMs,
    event: { kind: event, subject },
  }));
}
