/** The expected records and transfers after each kind of outcome, derived from its catalogue row. */
import { expect } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import type { Commit, Outcome } from '../../../../src/outcomes/outcome.ts';
import type { Books } from '../books.ts';

interface Growth {
  readonly cards: number;
  readonly payments: number;
  readonly transfers: number;
}

const none: Growth = { cards: 0, payments: 0, transfers: 0 };

/** The number of records and transfers of an operation without a forced outcome. */
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

/** Compares the records before and after a request with the catalogue row of the outcome. */
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

/** If both are possible, the phase of the row is the default. */
function commitOf({ commit, phase }: Outcome): Commit {
  if (commit !== 'mixed') return commit;
  return phase === 'after-commit' ? 'committed' : 'never';
}

/** Denied or pending: a record exists, but no money has moved. */
function movesNoMoney({ effect }: Outcome): boolean {
  if (effect.kind === 'refund') return true;
  return effect.kind === 'payment' && !['held', undefined].includes(effect.overrides.sale);
}

/** Refused because it is already done, as the row says. */
const doneAlready = ['payment-already-done', 'refund-already-done'];

/** The conclusion must be true: no money moved after FAIL, and all of it moved after OK. */
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
