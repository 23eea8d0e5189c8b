/** Looks up records of cards, payments and their parts by id. */
import type { Books } from '../../domain/ports.ts';
import type { Authorization, Capture, Payment, Sale } from '../../domain/records.ts';

/** The records of one merchant that a verdict reads. */
export type Records = Pick<
  Books,
  'cards' | 'payments' | 'sales' | 'authorizations' | 'captures' | 'refunds'
>;

/** Finds a sale or capture: a record that charges a card. */
export function findCharge({ sales, captures }: Records, id: string): Sale | Capture | undefined {
  return sales.get(id) ?? captures.get(id);
}

/** Finds a sale, capture or authorization: a record that belongs to a payment. */
export function findPaymentPart(
  records: Records,
  id: string,
): Sale | Capture | Authorization | undefined {
  return findCharge(records, id) ?? records.authorizations.get(id);
}

/** Lists the given id and, if it is a payment's, the ids of its sales, authorizations, captures and refunds. */
export function idsWithRelated(id: string, { payments }: Records): string[] {
  const related = payments.get(id)?.related.toArray() ?? [];
  return [id, ...related.map((part) => part.id)];
}

/** The card that a payment used, as its record names it: by its id in the vault, or by what is kept of its number. */
export function paymentCardOf({ instrument }: Payment): string {
  if (instrument.kind === 'token') return instrument.cardId;
  const { brand, last4, panLength, expireMonth, expireYear } = instrument.face;
  return JSON.stringify([brand, last4, panLength, expireMonth, expireYear]);
}

/** The customer whose vaulted card paid, if the merchant named one. */
export function customerIdOf({ instrument }: Payment): string | undefined {
  if (instrument.kind !== 'token') return undefined;
  return instrument.externalCustomerId ?? instrument.payerId;
}

/** What a payment says to the merchant, and the names of its items. */
export function notesOf({ transaction: { noteToPayee, items } }: Payment): readonly string[] {
  return [noteToPayee, ...(items ?? []).map(({ name }) => name)].filter(
    (text) => text !== undefined,
  );
}
