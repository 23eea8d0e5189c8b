/** Runs one entry of a scenario's timeline. */
import {
  scheduleEvent,
  type ScheduledEvent,
  type PlannedEvent,
} from '../../domain/payment/overrides.ts';
import type { Sale } from '../../domain/records.ts';
import { findOutcome } from '../../outcomes/catalogue.ts';
import { planEvents } from '../../outcomes/effects/planned-events.ts';
import type { RuleBook } from '../../outcomes/rules/rule-book.ts';
import { resolveCardId } from '../../scenarios/given-cards.ts';
import type { IneffectiveEvent, TimelineEntry } from '../../scenarios/timeline.ts';
import type { Scheduler } from './scheduler.ts';

/** The parts of a world that a timeline entry changes. */
interface TimelineTarget {
  readonly ruleBook: RuleBook;
  readonly scheduler: Scheduler;
  readonly missed: IneffectiveEvent[];
  readonly sales: { get(id: string): Sale | undefined };
  /** Ids of the scenario's cards, by their names in the scenario. */
  readonly givenCards: ReadonlyMap<string, string>;
  /** Ids of all sales, or of one card's sales, from one end. */
  salesByAge(end: 'first' | 'last', cardId: string | undefined): Generator<string, undefined>;
  runEvent(due: ScheduledEvent): boolean;
}

/** Runs a timeline entry at its own time. */
export function runTimelineEntry(world: TimelineTarget, entry: TimelineEntry): void {
  if ('goto' in entry) {
    world.ruleBook.state = entry.goto;
    return;
  }
  const outcome = findOutcome(entry.event);
  const events: readonly PlannedEvent[] =
    outcome === undefined ? [] : planEvents(outcome, entry.params, { immediately: true });
  const cardId = entry.card && resolveCardId(world.givenCards, entry.card);
  const sales = salesOf(world, entry.sale, cardId);
  const isCardEvent = outcome?.effect.kind === 'card';
  const subjects = isCardEvent ? (cardId === undefined ? [] : [cardId]) : sales;
  let hasChanged = false;
  for (const subject of subjects) {
    const [now, ...later] = events.map((fate) => scheduleEvent(subject, entry.atMs, fate));
    // If the event had no effect, its follow-up events are dropped too.
    if (now === undefined || !world.runEvent(now)) continue;
    hasChanged = true;
    for (const due of later) world.scheduler.add(due);
  }
  if (hasChanged || entry.optional) return;
  const withCard = entry.card === undefined ? '' : ` with the card "${entry.card}"`;
  const why = isCardEvent
    ? `the card "${entry.card}" was no longer in the vault`
    : explainNoEffect(world, sales, withCard);
  world.missed.push({ place: entry.place, event: entry.event, why });
}

/** Lazy, because an event of the first or last sale need not read all others. */
function salesOf(
  world: TimelineTarget,
  which: 'first' | 'last' | 'every',
  cardId: string | undefined,
): readonly string[] {
  if (which === 'every') return [...world.salesByAge('first', cardId)];
  const { value } = world.salesByAge(which, cardId).next();
  return value === undefined ? [] : [value];
}

/** Explains why an event changed no sale. */
function explainNoEffect(
  { sales }: TimelineTarget,
  ids: readonly string[],
  withCard: string,
): string {
  const sale = sales.get(ids.at(-1) ?? '');
  if (sale === undefined) return `no sale${withCard} existed yet`;
  const { id, settlement } = sale;
  const state = settlement === 'completed' ? 'had already been disputed' : `was ${settlement}`;
  const others = ids.length === 1 ? '' : `, nor in ${ids.length - 1} before it`;
  return `the event changes nothing in sale ${id}, which ${state}${others}`;
}
