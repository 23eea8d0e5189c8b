/** Runs one entry of a scenario's timeline. */
import {
  scheduleEvent,
  type ScheduledEvent,
  type PlannedEvent,
} from '../../domain/payment/overrides.ts';
import type { Payment, Sale } from '../../domain/records.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { findOutcome } from '../../outcomes/catalogue.ts';
import { planEvents } from '../../outcomes/effects/planned-events.ts';
import type { RuleBook } from '../../outcomes/rules/rule-book.ts';
import { hideCardNumbers } from '../../redaction/hide-card-numbers.ts';
import { resolveCardId } from '../../scenarios/given-cards.ts';
import type {
  IneffectiveEvent,
  SaleChoice,
  SaleMatch,
  TimelineEntry,
} from '../../scenarios/timeline.ts';
import type { Scheduler } from './scheduler.ts';

/** The parts of a world that a timeline entry changes. */
interface TimelineTarget {
  readonly ruleBook: RuleBook;
  readonly scheduler: Scheduler;
  readonly missed: IneffectiveEvent[];
  readonly sales: { get(id: string): Sale | undefined };
  readonly payments: { get(id: string): Payment | undefined };
  /** The id of the payment that a request with this PayPal-Request-Id made. */
  paymentOfRequest(requestId: string): string | undefined;
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
    const [now, ...later] = events.map((planned) => scheduleEvent(subject, entry.atMs, planned));
    // If the event had no effect, its follow-up events are dropped too.
    if (now === undefined || !world.runEvent(now)) continue;
    hasChanged = true;
    for (const due of later) world.scheduler.add(due);
  }
  if (hasChanged || entry.optional) return;
  const withCard = entry.card === undefined ? '' : ` with the card "${entry.card}"`;
  const wanted = `${describeChoice(entry.sale)}${withCard}`;
  const why = isCardEvent
    ? `the card "${entry.card}" was no longer in the vault`
    : explainNoEffect(world, sales, wanted);
  world.missed.push({ place: entry.place, event: entry.event, why });
}

/** Lazy, because an event of the first or last sale need not read all others. */
function salesOf(
  world: TimelineTarget,
  which: SaleChoice,
  cardId: string | undefined,
): readonly string[] {
  if (which === 'every') return [...world.salesByAge('first', cardId)];
  const isChoice = typeof which === 'object';
  const fits = isChoice ? fitsMatch(world, which) : () => true;
  const end = isChoice ? (which.nth === undefined ? 'last' : 'first') : which;
  let left = isChoice ? (which.nth ?? 1) : 1;
  for (const id of world.salesByAge(end, cardId)) {
    if (fits(id) && --left === 0) return [id];
  }
  return [];
}

/** Whether a sale has everything that a match names. */
function fitsMatch(
  world: TimelineTarget,
  { purchase, requestId, id: named }: SaleMatch,
): (saleId: string) => boolean {
  const requested = requestId === undefined ? undefined : world.paymentOfRequest(requestId);
  const recordId = named === undefined ? undefined : restoreId(named);
  return (saleId) => {
    const { id, paymentId = '' } = world.sales.get(saleId) ?? {};
    const { invoiceNumber, custom } = world.payments.get(paymentId)?.transaction ?? {};
    return (
      (purchase === undefined || purchase === invoiceNumber || purchase === custom) &&
      (requestId === undefined || requested === paymentId) &&
      (recordId === undefined || recordId === id || recordId === paymentId)
    );
  };
}

/** What a choice asks for, as the end of "no sale". */
function describeChoice(which: SaleChoice): string {
  if (typeof which === 'string') return '';
  const { purchase, requestId, id, nth } = which;
  return [
    purchase === undefined ? '' : ` of purchase "${hideCardNumbers(purchase)}"`,
    requestId === undefined ? '' : ` of request id "${hideCardNumbers(requestId)}"`,
    id === undefined ? '' : ` with the id "${hideCardNumbers(id)}"`,
    nth === undefined ? '' : ` number ${nth}`,
  ].join('');
}

/** Explains why an event changed no sale. */
function explainNoEffect(
  { sales }: TimelineTarget,
  ids: readonly string[],
  wanted: string,
): string {
  const sale = sales.get(ids.at(-1) ?? '');
  if (sale === undefined) return `no sale${wanted} existed yet`;
  const { id, settlement } = sale;
  const state = settlement === 'completed' ? 'had already been disputed' : `was ${settlement}`;
  const others = ids.length === 1 ? '' : `, nor in ${ids.length - 1} before it`;
  return `the event changes nothing in sale ${id}, which ${state}${others}`;
}
