/** Findings about cards that were stored, and were then not used as stored cards are. */
import { problems } from '../../../contract/problems.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isMasked } from '../../../redaction/secret.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import { groupIdenticalCards } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { describeRequest, firstExamples, formatTimes } from '../../phrases.ts';

export const storedCardRules: readonly FindingRule[] = [
  {
    id: 'raw-card-instead-of-token',
    severity: 'high',
    about: 'A payment was sent with all of a card that the vault already held.',
    remedy: 'Pay with a stored card by its id, in `credit_card_token`.',
    find: rawCards,
  },
  {
    id: 'stored-card-again',
    severity: 'medium',
    about: 'A card was stored again because its id was not found at once, or for every payment.',
    remedy: 'Keep the id of a stored card; where it is not found yet, wait and read it again.',
    find: cardsStoredAgain,
  },
];

/** What can be seen of a card by whoever may not see its number. */
function faceOf(card: unknown): string | undefined {
  const number = memberOf(card, 'number');
  if (typeof number !== 'string' || !isMasked(number)) return undefined;
  const [type, month, year] = ['type', 'expire_month', 'expire_year'].map((key) =>
    String(memberOf(card, key)).toLowerCase(),
  );
  return JSON.stringify([number, type, Number(month), Number(year)]);
}

function customerOf(card: unknown): string | undefined {
  const id = memberOf(card, 'external_customer_id') ?? memberOf(card, 'payer_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function* rawCards(evidence: Evidence): Generator<Notice> {
  const payments = evidence
    .whereBodyHas('rawCard')
    .filter(({ operation, committed }) => committed && operation === 'payment.create');
  if (payments.length === 0) return;
  const stored = groupBy(storedIn(evidence), (entry) => faceOf(evidence.bodyOf(entry)));
  const { cardDeletions } = evidence;
  const found: {
    readonly store: StoredEntry;
    readonly entry: StoredEntry;
    readonly isSameCustomer: boolean;
  }[] = [];
  for (const entry of payments) {
    const instrument = memberAt(evidence.bodyOf(entry), 'payer.funding_instruments[0]');
    const card = memberOf(instrument, 'credit_card') ?? memberOf(instrument, 'payment_card');
    const face = faceOf(card);
    if (face === undefined) continue;
    const held = stored
      .get(face)
      ?.find(
        ({ seq, subject = '' }) =>
          seq < entry.seq && (cardDeletions.get(subject) ?? Infinity) > entry.seq,
      );
    if (held === undefined) continue;
    const customer = customerOf(card);
    const isSameCustomer = customer !== undefined && customer === customerOf(evidence.bodyOf(held));
    found.push({ store: held, entry, isSameCustomer });
  }
  for (const [store, ofOne] of groupBy(found, (one) => one.store)) {
    const isSame = ofOne.some(({ isSameCustomer }) => isSameCustomer);
    yield {
      what: `Card ${store.subject ?? ''} was in the vault when a card that looks the same was sent whole in ${describeRequest(ofOne[0]?.entry ?? store)}.`,
      evidence: firstExamples([store, ...ofOne.map(({ entry }) => entry)]),
      // Guests pay with raw cards, and in tests they all have the same one.
      ...(isSame
        ? { confidence: 'likely' as const }
        : { severity: 'info' as const, confidence: 'possible' as const }),
    };
  }
}

/** A replica that lags is through with it by then. */
const freshMs = 60_000;
/** Tests store one card now and then; a shop that does so for each payment has done it this often soon. */
const manyTimes = 3;

function* cardsStoredAgain(evidence: Evidence): Generator<Notice> {
  const { cardDeletions } = evidence;
  const missed = missedCards(evidence);
  const same = groupIdenticalCards(evidence).map((stores) => stores.filter(wasStored));
  const isAnyOften = same.some(({ length }) => length >= manyTimes);
  const paid = isAnyOften ? evidence.of('payment.create').filter(({ committed }) => committed) : [];
  const paidWith = groupBy(paid, ({ cardId }) => cardId);
  for (const stores of same) {
    const again = stores.flatMap((store, at) => {
      const before = stores[at - 1];
      const miss = before?.subject === undefined ? undefined : missed.get(before.subject);
      return before !== undefined &&
        miss !== undefined &&
        miss.seq < store.seq &&
        gapMs(before, miss) <= freshMs &&
        gapMs(miss, store) <= freshMs &&
        (cardDeletions.get(before.subject ?? '') ?? Infinity) > miss.seq
        ? [{ before, miss, store }]
        : [];
    });
    const [first] = again;
    if (first !== undefined) {
      yield {
        what: `Card ${first.before.subject ?? ''} was not found right after it was stored, and was stored again as ${first.store.subject ?? ''}.`,
        evidence: firstExamples(again.flatMap(({ before, miss, store }) => [before, miss, store])),
        confidence: 'likely',
      };
    } else if (isForEveryPayment(evidence, stores, cardDeletions, paidWith)) {
      yield {
        what: `The same card of one customer was stored ${formatTimes(stores.length)}, and paid with once each time.`,
        evidence: firstExamples(stores),
        severity: 'low',
        confidence: 'possible',
      };
    }
  }
}

/** Without a customer's id two cards that look the same need not be one, and what was deleted is stored anew. */
function isForEveryPayment(
  evidence: Evidence,
  stores: readonly StoredEntry[],
  deletedAt: ReadonlyMap<string, number>,
  paidWith: ReadonlyMap<string | undefined, readonly StoredEntry[]>,
): boolean {
  const [first] = stores;
  if (stores.length < manyTimes || first === undefined) return false;
  if (customerOf(evidence.bodyOf(first)) === undefined) return false;
  return stores.every(
    ({ subject = '' }) => !deletedAt.has(subject) && paidWith.get(subject)?.length === 1,
  );
}

/** Requests that stored a card and were told so. */
function storedIn(evidence: Evidence): readonly StoredEntry[] {
  return evidence.of('card.create').filter(wasStored);
}

function wasStored({ committed, concludes }: StoredEntry): boolean {
  return committed && concludes === 'OK';
}

/** The first answer that did not find a card, by the card's id. */
function missedCards(evidence: Evidence): ReadonlyMap<string, StoredEntry> {
  const missed = new Map<string, StoredEntry>();
  for (const entry of evidence.of('card.get', 'payment.create', 'card.update')) {
    if (entry.problem !== problems['not-found'].name) continue;
    const id = entry.cardId ?? entry.path.match(/\/([^/?]+)\/?(?:\?|$)/)?.[1];
    if (id !== undefined && !missed.has(id)) missed.set(id, entry);
  }
  return missed;
}
