/** Comes to a point of a scenario's timeline. */
import { dueOf, type Due, type Fate } from '../../domain/payment/overrides.ts';
import type { Sale } from '../../domain/records.ts';
import { outcomeById } from '../../outcomes/catalogue.ts';
import { fatesOf } from '../../outcomes/effects/scheduled-events.ts';
import type { RuleBook } from '../../outcomes/rules/rule-book.ts';
import { namedCardId } from '../../scenarios/given-cards.ts';
import type { MissedEvent, TimelineEntry } from '../../scenarios/timeline.ts';
import type { Agenda } from './scheduler.ts';

/** As much of a world as a point of its timeline changes. */
interface Reached {
  readonly ruleBook: RuleBook;
  readonly agenda: Agenda;
  readonly missed: MissedEvent[];
  readonly sales: { get(id: string): Sale | undefined };
  /** Ids of the cards a scenario has given, by what it calls them. */
  readonly givenCards: ReadonlyMap<string, string>;
  /** Ids of the sales of a card, or of all, from one end on. */
  salesFrom(end: 'first' | 'last', cardId: string | undefined): Generator<string, undefined>;
  befall(due: Due): boolean;
}

/** What a point of the timeline brings, at its own instant. */
export function reach(world: Reached, entry: TimelineEntry): void {
  if ('goto' in entry) {
    world.ruleBook.state = entry.goto;
    return;
  }
  const outcome = outcomeById(entry.event);
  const fates: readonly Fate[] =
    outcome === undefined ? [] : fatesOf(outcome, entry.params, { immediately: true });
  const cardId = entry.card && namedCardId(world.givenCards, entry.card);
  const ofSales = salesOf(world, entry.sale, cardId);
  const ofCard = outcome?.effect.kind === 'card';
  const subjects = ofCard ? (cardId === undefined ? [] : [cardId]) : ofSales;
  let hasChanged = false;
  for (const subject of subjects) {
    const [now, ...later] = fates.map((fate) => dueOf(subject, entry.atMs, fate));
    // What did not begin has no end either.
    if (now === undefined || !world.befall(now)) continue;
    hasChanged = true;
    for (const due of later) world.agenda.note(due);
  }
  if (hasChanged || entry.optional) return;
  const withCard = entry.card === undefined ? '' : ` with the card "${entry.card}"`;
  const why = ofCard
    ? `the card "${entry.card}" was not in the vault any more`
    : whyUnmoved(world, ofSales, withCard);
  world.missed.push({ place: entry.place, event: entry.event, why });
}

/** Timelines are long, and so is the list of sales: an event of one sale looks for no other. */
function salesOf(
  world: Reached,
  which: 'first' | 'last' | 'every',
  cardId: string | undefined,
): readonly string[] {
  if (which === 'every') return [...world.salesFrom('first', cardId)];
  const { value } = world.salesFrom(which, cardId).next();
  return value === undefined ? [] : [value];
}

/** Why an event changed no sale. */
function whyUnmoved({ sales }: Reached, ids: readonly string[], withCard: string): string {
  const sale = sales.get(ids.at(-1) ?? '');
  if (sale === undefined) return `there was no sale${withCard} yet`;
  const { id, settlement } = sale;
  const state = settlement === 'completed' ? 'had been disputed before' : `was ${settlement}`;
  const others = ids.length === 1 ? '' : `, and nothing in ${ids.length - 1} before it`;
  return `there was nothing to change in sale ${id}, which ${state}${others}`;
}
