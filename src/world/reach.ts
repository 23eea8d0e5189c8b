/** Comes to a point of a scenario's timeline. */
import { dueOf, type Fate } from '../domain/bend.ts';
import { outcomeById } from '../outcomes/catalogue.ts';
import { fatesOf } from '../outcomes/fates.ts';
import type { RuleBook } from '../outcomes/rule-book.ts';
import { namedCardId } from '../scenarios/given-cards.ts';
import type { MissedEvent, TimelineEntry } from '../scenarios/timeline.ts';
import type { Agenda } from './agenda.ts';

/** As much of a world as a point of its timeline changes. */
interface Reached {
  readonly ruleBook: RuleBook;
  readonly agenda: Agenda;
  readonly missed: MissedEvent[];
  readonly cards: { get(id: string): unknown };
  /** Ids of the cards a scenario has given, by what it calls them. */
  readonly givenCards: ReadonlyMap<string, string>;
  /** Ids of the sales of a card, or of all, the first first. */
  salesInOrder(cardId: string | undefined): string[];
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
  const sales = world.salesInOrder(cardId);
  const ofSales =
    entry.sale === 'every' ? sales : sales.slice(...(entry.sale === 'first' ? [0, 1] : [-1]));
  const ofCard = outcome?.effect.kind === 'card';
  const vaulted = cardId === undefined || world.cards.get(cardId) === undefined ? [] : [cardId];
  const befallen = ofCard ? vaulted : ofSales;
  if (befallen.length === 0 && !entry.optional) {
    const withCard = entry.card === undefined ? '' : ` with the card "${entry.card}"`;
    const why = ofCard
      ? `the card "${entry.card}" was not in the vault any more`
      : `there was no sale${withCard} yet`;
    world.missed.push({ place: entry.place, event: entry.event, why });
  }
  for (const subject of befallen) {
    for (const fate of fates) world.agenda.note(dueOf(subject, entry.atMs, fate));
  }
}
