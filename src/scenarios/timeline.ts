/** The timeline of a scenario: state changes and events by the merchant's clock. */
import { fieldPath } from '../contract/shape.ts';
import { timePointMs } from '../domain/duration.ts';
import type { LoadedScenario } from './load.ts';

/** Selects sales by their purchase, request or id. All given parts must hold. */
export interface SaleMatch {
  /** The invoice number or `custom` of the purchase. */
  readonly purchase?: string | undefined;
  /** The PayPal-Request-Id of the request that made the sale. */
  readonly requestId?: string | undefined;
  /** The id of the sale or of its payment. */
  readonly id?: string | undefined;
  /** Which of the selected sales, counted from 1. Default: the last one. */
  readonly nth?: number | undefined;
}

/** The sales that an event happens to. */
export type SaleChoice = 'first' | 'last' | 'every' | SaleMatch;

/** A state change or an event at a point of the merchant's time. */
export type TimelineEntry =
  | { readonly atMs: number; readonly goto: string }
  | {
      readonly atMs: number;
      /** The id of an outcome that happens to a sale or card later. */
      readonly event: string;
      readonly sale: SaleChoice;
      /** The ref of a given card, which limits the event to sales with it. */
      readonly card: string | undefined;
      readonly params: Readonly<Record<string, string | number>>;
      /** The place in the scenario, such as `timeline[1]`. */
      readonly place: string;
      /** Whether the event may have no effect. */
      readonly optional: boolean;
    };

/** A timeline event that had no effect and should have had one. */
export interface IneffectiveEvent {
  /** The place in the scenario, such as `timeline[1]`. */
  readonly place: string;
  readonly event: string;
  /** Why it had no effect, as a clause. */
  readonly why: string;
}

/** Builds the timeline of a scenario that starts at `startMs`, sorted by time. */
export function buildTimeline({ document }: LoadedScenario, startMs: number): TimelineEntry[] {
  return (document.timeline ?? [])
    .map((entry, at): TimelineEntry => {
      const atMs = timePointMs(entry.at, startMs);
      if ('goto' in entry) return { atMs, goto: entry.goto };
      const { event, sale = 'last', card, with: params = {}, optional = false } = entry;
      const place = fieldPath(['timeline', at]);
      return { atMs, event, sale, card, params, place, optional };
    })
    .toSorted((one, other) => one.atMs - other.atMs);
}
