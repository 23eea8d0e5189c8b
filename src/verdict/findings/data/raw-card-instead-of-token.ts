import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { namedCustomerOf, textOf } from '../../evidence/request-fields.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, indexAfter } from '../../evidence/exchange-order.ts';
import { isDone } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { describeRequest, firstExamples } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds payments that send full card data although the card is in the vault. */
export const rawCardInsteadOfToken: FindingRule = {
  id: 'raw-card-instead-of-token',
  severity: 'high',
  about:
    'A payment was sent with the full data of a card that is in the vault, or was deleted from it.',
  remedy: 'Pay with a stored card by its id, in `credit_card_token`.',
  find: findRawCards,
};

/** How long a buyer stays at a checkout. A shop that stores the card then has its verification code at hand. */
const sessionMs = 1_800_000;

/** A payment with raw card data, and the request that had stored the same number. */
interface RawPayment {
  readonly store: StoredEntry;
  readonly entry: StoredEntry;
  /** Whether the customer of the card in the vault sends it, with the same expiry. */
  readonly isSameCard: boolean;
  /** Whether the card had been deleted from the vault, so that only a number that the client kept can have paid. */
  readonly isDeleted: boolean;
}

function* findRawCards(evidence: Evidence): Generator<Detection> {
  for (const [store, payments] of groupBy(rawPayments(evidence), (payment) => payment.store)) {
    const isSameCard = payments.some((payment) => payment.isSameCard);
    const deleted = payments.filter(({ isDeleted }) => isDeleted);
    const [kept] = deleted;
    if (kept !== undefined) {
      yield {
        what: `The payment ${describeRequest(kept.entry)} contains the number of card ${store.subject ?? ''}, which had been deleted from the vault: the client has kept it.`,
        evidence: firstExamples([store, ...deleted.map(({ entry }) => entry)]),
        confidence: 'likely',
        remedy:
          'Do not keep card numbers. After a card is deleted, ask the customer for it again, or do not delete it.',
      };
      continue;
    }
    yield {
      what: `The payment ${describeRequest(payments[0]?.entry ?? store)} contains the number of card ${store.subject ?? ''}, which is in the vault.`,
      evidence: firstExamples([store, ...payments.map(({ entry }) => entry)]),
      // Guests pay with raw cards, and tests give all guests the same card.
      ...(isSameCard
        ? { confidence: 'likely' as const }
        : { severity: 'info' as const, confidence: 'possible' as const }),
    };
  }
}

function rawPayments(evidence: Evidence): RawPayment[] {
  const payments = evidence
    .of('payment.create')
    .filter(({ committed, cardMark }) => committed && cardMark !== undefined);
  if (payments.length === 0) return [];
  const stores = evidence
    .of('card.create')
    .filter((entry) => isDone(entry) && entry.cardMark !== undefined);
  const storesByNumber = new Map(
    [...groupBy(stores, ({ cardMark }) => cardMark)].map(([mark, ofNumber]) => [
      mark,
      new StoresOfNumber(evidence, ofNumber),
    ]),
  );
  return payments.flatMap((entry) => {
    const ofNumber = storesByNumber.get(entry.cardMark);
    return (ofNumber && toRawPayment(evidence, entry, ofNumber)) ?? [];
  });
}

function toRawPayment(
  evidence: Evidence,
  entry: StoredEntry,
  ofNumber: StoresOfNumber,
): RawPayment | undefined {
  const card = memberAt(
    evidence.requestFieldsOf(entry),
    'payer.funding_instruments[0].credit_card',
  );
  const customerId = namedCustomerOf(card);
  const stored = ofNumber.inVaultBefore(entry);
  // A buyer who types a card again also types its verification code, which no shop may keep.
  const hasCode = memberOf(card, 'cvv2') !== undefined;
  if (stored !== undefined) {
    const inVault = evidence.bodyOf(stored);
    const isTypedAgain = hasCode && gapMs(stored, entry) > sessionMs;
    const isSameCard =
      !isTypedAgain &&
      customerId !== undefined &&
      customerId === namedCustomerOf(inVault) &&
      expiryOf(card) === expiryOf(inVault);
    return { store: stored, entry, isSameCard, isDeleted: false };
  }
  if (hasCode) return undefined;
  // A number without a customer id belongs to the only customer who had stored it, unless another holder pays with it.
  const deleted =
    customerId === undefined
      ? ofNumber.onlyBefore(entry)
      : ofNumber.latestBefore(entry, customerId);
  if (deleted === undefined || isOfOtherHolder(card, evidence.bodyOf(deleted))) return undefined;
  return { store: deleted, entry, isSameCard: true, isDeleted: true };
}

/** The requests that stored one card number, oldest first. Payments ask in the order of time. */
class StoresOfNumber {
  readonly #evidence: Evidence;
  readonly #stores: readonly StoredEntry[];
  #byCustomer: ReadonlyMap<unknown, readonly StoredEntry[]> | undefined;
  /** How many of the first ones had been deleted when a payment last asked. */
  #deletedCount = 0;

  constructor(evidence: Evidence, stores: readonly StoredEntry[]) {
    this.#evidence = evidence;
    this.#stores = stores;
  }

  /** The first card that is in the vault at the time of a payment. */
  inVaultBefore({ seq }: StoredEntry): StoredEntry | undefined {
    let store = this.#stores[this.#deletedCount];
    while (store !== undefined && this.#isDeletedBefore(store, seq)) {
      store = this.#stores[++this.#deletedCount];
    }
    return store !== undefined && store.seq < seq ? store : undefined;
  }

  /** The card that was stored before a payment, if it is the only one. */
  onlyBefore({ seq }: StoredEntry): StoredEntry | undefined {
    return indexAfter(this.#stores, seq) === 1 ? this.#stores[0] : undefined;
  }

  /** The latest card that a customer stored before a payment. */
  latestBefore({ seq }: StoredEntry, customerId: string): StoredEntry | undefined {
    this.#byCustomer ??= groupBy(this.#stores, (store) =>
      namedCustomerOf(this.#evidence.bodyOf(store)),
    );
    const own = this.#byCustomer.get(customerId) ?? [];
    return own[indexAfter(own, seq) - 1];
  }

  #isDeletedBefore({ subject = '' }: StoredEntry, seq: number): boolean {
    return (this.#evidence.cardDeletions.get(subject) ?? Infinity) < seq;
  }
}

/** Whether two cards name holders with different last names. A first name may be shortened. */
function isOfOtherHolder(card: unknown, stored: unknown): boolean {
  const [one, other] = [card, stored].map((of) => textOf(memberOf(of, 'last_name'))?.toLowerCase());
  return one !== undefined && other !== undefined && one !== other;
}

function expiryOf(card: unknown): string {
  return ['expire_month', 'expire_year'].map((name) => Number(memberOf(card, name))).join('/');
}
