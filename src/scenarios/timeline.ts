/** What happens by the clock while a scenario is played. */
import { momentMs } from '../fixtures/duration.ts';
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
    };

/** The timeline of a scenario that begins at `startMs`, in the order of time. */
export function timelineOf({ document }: LoadedScenario, startMs: number): TimelineEntry[] {
  return (document.timeline ?? [])
    .map((entry): TimelineEntry => {
      const atMs = momentMs(entry.at, startMs);
      if ('goto' in entry) return { atMs, goto: entry.goto };
      const { event, sale = 'last', card, with: params = {} } = entry;
      return { atMs, event, sale, card, params };
    })
    .toSorted((one, other) => one.atMs - other.atMs);
}
