/** What happens in fixtures, as events that each know when they happen and what must have happened before. */
import { captureAuthorization, voidAuthorization } from '../domain/authorization.ts';
import { storeCard } from '../domain/card.ts';
import { pay } from '../domain/payment.ts';
import type { Books, Change } from '../domain/ports.ts';
import { refundCapture, refundSale } from '../domain/refund.ts';
import type { Result } from '../domain/refusals.ts';
import { momentMs, type Moment } from '../fixtures/duration.ts';
import type { FixturePart, LoadedFixtures } from '../fixtures/load.ts';
import type { ReadCapture, ReadPayment, ReadRefund } from '../fixtures/schema.ts';
import type { Path } from '../fixtures/source.ts';
import { cardOwner } from './draft.ts';
import { captureDraft, cardDraft, paymentDraft, refundDraft } from './fixture-drafts.ts';

/** Ids that an event's records get. */
export interface Pins {
  readonly card?: string | undefined;
  readonly payment?: string | undefined;
  readonly transaction?: string | undefined;
}

export interface FixtureEvent {
  readonly atMs: number;
  /** Where it stands in its document. */
  readonly part: FixturePart;
  readonly path: Path;
  /** The key that says when it happened. */
  readonly timeKey: 'stored' | 'made' | 'voided';
  readonly pins: Pins;
  /** What it follows on; `what` names that in a message. */
  readonly after: { readonly event: FixtureEvent; readonly what: string } | undefined;
  readonly play: (books: Books) => Result<Change>;
  /** Id of the record it made, once it was played. */
  subject: string | undefined;
}

/** Every event of the fixtures in the order written, and each after what it follows on. */
export function fixtureEvents({ parts }: LoadedFixtures, startMs: number): FixtureEvent[] {
  const events: FixtureEvent[] = [];
  const cards = new Map<string, FixtureEvent>();
  for (const part of parts) {
    for (const [at, card] of (part.document.cards ?? []).entries()) {
      const event: FixtureEvent = {
        atMs: whenMs(card.stored, startMs),
        part,
        path: ['cards', at],
        timeKey: 'stored',
        pins: { card: card.id },
        after: undefined,
        play: (books) => storeCard(books, cardDraft(card, startMs), cardOwner(card)),
        subject: undefined,
      };
      events.push(event);
      if (card.id !== undefined) cards.set(card.id, event);
    }
  }
  for (const part of parts) {
    for (const [at, payment] of (part.document.payments ?? []).entries()) {
      const card = cards.get(payment.card);
      if (card === undefined) throw new Error('A payment passed the loader without its card.');
      events.push(...paymentEvents(part, ['payments', at], payment, card, startMs));
    }
  }
  return events;
}

function* paymentEvents(
  part: FixturePart,
  path: Path,
  payment: ReadPayment,
  card: FixtureEvent,
  startMs: number,
): Iterable<FixtureEvent> {
  const isSale = payment.intent === 'sale';
  const paid: FixtureEvent = {
    atMs: whenMs(payment.made, startMs),
    part,
    path,
    timeKey: 'made',
    pins: {
      payment: payment.id,
      transaction: isSale ? payment.sale_id : payment.authorization_id,
    },
    after: { event: card, what: 'its card was stored' },
    play: (books) => pay(books, paymentDraft(payment, books.cards.get(payment.card))),
    subject: undefined,
  };
  yield paid;
  if (isSale) {
    const after = { event: paid, what: 'the sale' };
    for (const [at, refund] of (payment.refunds ?? []).entries()) {
      yield refundEvent([...path, 'refunds', at], refund, after, startMs, (books) =>
        refundSale(books, cameOf(books, paid), refundDraft(refund)),
      );
    }
    return;
  }
  for (const [at, capture] of (payment.captures ?? []).entries()) {
    yield* captureEvents([...path, 'captures', at], capture, paid, startMs);
  }
  if (payment.voided === undefined) return;
  yield {
    atMs: whenMs(payment.voided === true ? undefined : payment.voided, startMs),
    part,
    path,
    timeKey: 'voided',
    pins: {},
    after: { event: paid, what: 'the authorization' },
    play: (books) => voidAuthorization(books, cameOf(books, paid)),
    subject: undefined,
  };
}

function* captureEvents(
  path: Path,
  capture: ReadCapture,
  paid: FixtureEvent,
  startMs: number,
): Iterable<FixtureEvent> {
  const captured: FixtureEvent = {
    atMs: whenMs(capture.made, startMs),
    part: paid.part,
    path,
    timeKey: 'made',
    pins: { transaction: capture.id },
    after: { event: paid, what: 'the authorization' },
    play: (books) => captureAuthorization(books, cameOf(books, paid), captureDraft(capture)),
    subject: undefined,
  };
  yield captured;
  const after = { event: captured, what: 'the capture' };
  for (const [at, refund] of (capture.refunds ?? []).entries()) {
    yield refundEvent([...path, 'refunds', at], refund, after, startMs, (books) =>
      refundCapture(books, madeBy(captured), refundDraft(refund)),
    );
  }
}

function refundEvent(
  path: Path,
  refund: ReadRefund,
  after: NonNullable<FixtureEvent['after']>,
  startMs: number,
  play: FixtureEvent['play'],
): FixtureEvent {
  return {
    atMs: whenMs(refund.made, startMs),
    part: after.event.part,
    path,
    timeKey: 'made',
    pins: { transaction: refund.id },
    after,
    play,
    subject: undefined,
  };
}

function whenMs(moment: Moment | undefined, startMs: number): number {
  return moment === undefined ? startMs : momentMs(moment, startMs);
}

/** The sale or authorization that a played payment made: the first thing that came of it. */
function cameOf(books: Books, paid: FixtureEvent): string {
  const first = books.payments.get(madeBy(paid))?.related.first;
  if (first === undefined) throw new Error('A payment was played and nothing came of it.');
  return first.id;
}

function madeBy(event: FixtureEvent): string {
  if (event.subject === undefined)
    throw new Error('An event was played before the one it follows.');
  return event.subject;
}
