/** What happens by the clock while a scenario is played. */
import { fieldPath } from '../contract/shape.ts';
import { timePointMs } from '../documents/duration.ts';
import type { LoadedScenario } from './load.ts';

/** What happens at a point of the merchant's time. */
export type TimelineEntry =
  | { readonly atMs: number; readonly goto: string }
  | {
      readonly atMs: number;
      /** An outcome that comes later; it befalls a sale. */
      readonly event: string;
      readonly sale: 'first' | 'last' | 'every';
      /** Ref of a given card: only sales with it. */
      readonly card: string | undefined;
      readonly params: Readonly<Record<string, string | number>>;
      /** Where it stands in the scenario, like `timeline[1]`. */
      readonly place: string;
      /** Whether it may befall nothing. */
      readonly optional: boolean;
    };

/** An event of a timeline that befell nothing, or changed nothing of what it befell, and should have. */
export interface IneffectiveEvent {
  /** Where it stands in the scenario, like `timeline[1]`. */
  readonly place: string;
  readonly event: string;
  /** Why, in a clause. */
  readonly why: string;
}

/** The timeline of a scenario that begins at `startMs`, in the order of time. */
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
