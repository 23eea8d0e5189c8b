/** What the ledger and the records must hold after each kind of outcome, told anew from the catalogue's row alone. */
import { expect } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operations.ts';
import type { Commit, Outcome } from '../../../../src/outcomes/outcome.ts';
import type { Books } from '../books.ts';

interface Growth {
  readonly cards: number;
  readonly payments: number;
  readonly transfers: number;
}

const none: Growth = { cards: 0, payments: 0, transfers: 0 };

/** How many records and movements of money an operation makes when nothing is forced. */
function usualGrowth(operation: OperationName): Growth {
  switch (operation) {
    case 'card.create':
      return { ...none, cards: 1 };
    case 'card.delete':
      return { ...none, cards: -1 };
    case 'payment.create':
      return { ...none, payments: 1, transfers: 1 };
    case 'sale.refund':
    case 'capture.refund':
    case 'auth.capture':
      return { ...none, transfers: 1 };
    default:
      return none;
  }
}

/** Holds the books before and after a request against the row of what was brought about. */
export function expectBooks(
  outcome: Outcome,
  operation: OperationName,
  before: Books,
  after: Books,
): void {
  if (outcome.effect.kind === 'card-deleted') {
    expect(after.cards).toHaveLength(before.cards.length - 1);
    expect({ ...after, cards: before.cards }).toEqual(before);
    return;
  }
  const commit = commitOf(outcome);
  if (commit === 'never') {
    expect(after).toEqual(before);
    return;
  }
  const usual = usualGrowth(operation);
  const grown: Growth = {
    cards: after.cards.length - before.cards.length,
    payments: after.payments.length - before.payments.length,
    transfers: after.transfers.length - before.transfers.length,
  };
  if (commit === 'twice') {
    expect(grown).toEqual({
      cards: 2 * usual.cards,
      payments: 2 * usual.payments,
      transfers: 2 * usual.transfers,
    });
  } else expect(grown).toEqual(movesNoMoney(outcome) ? { ...usual, transfers: 0 } : usual);
}

/** Where both are possible, the row's phase says which it is by default. */
function commitOf({ commit, phase }: Outcome): Commit {
  if (commit !== 'mixed') return commit;
  return phase === 'after-commit' ? 'committed' : 'never';
}

/** Denied or still pending: there is a record, and no money yet. */
function movesNoMoney({ effect }: Outcome): boolean {
  if (effect.kind === 'refund') return true;
  return effect.kind === 'payment' && !['held', undefined].includes(effect.overrides.sale);
}

/** Refused, and yet done: what the client wanted is so already, by the row's own words. */
const doneAlready = ['payment-already-done', 'refund-already-done'];

/** What a client may conclude must be true: after FAIL no money has moved, after OK all of it. */
export function expectHonest(
  { id, concludes }: Outcome,
  operation: OperationName,
  before: Books,
  after: Books,
): void {
  const moved = after.transfers.length - before.transfers.length;
  if (concludes === 'FAIL') expect(moved, id).toBe(0);
  if (concludes === 'OK' && !doneAlready.includes(id)) {
    expect(moved, id).toBeGreaterThanOrEqual(usualGrowth(operation).transfers);
  }
}
