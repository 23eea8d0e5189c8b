/**
 * Holds what a scenario expects against ledger, records and journal. Of the findings, those that can be seen there;
 * how long a client waits, and whether it has a deadline, is in none of them.
 */
import { expect } from 'vitest';
import type { OperationName } from '../../../src/contract/operations.ts';
import type { Entry } from '../../../src/journal/entry.ts';
import type { ReadScenario } from '../../../src/scenarios/schema.ts';
import type { TransferCause } from '../../../src/domain/ledger.ts';
import { saleState } from '../../../src/domain/sale.ts';
import type { WorldExport } from '../../../src/world/export/document.ts';
import type { Buyer } from './buyer.ts';

type Expected = NonNullable<ReadScenario['expect']>;
type Count = number | string;

/** A payment that was made, with what came of its sale. */
interface Made {
  readonly id: string;
  readonly order: string | undefined;
  readonly cardId: string | undefined;
  /** Absent where it has no sale. */
  readonly state: string | undefined;
}

/** Read from an export, which no rule disturbs, and of which the client hears nothing. */
function paymentsIn({ payments, sales }: WorldExport['records']): Made[] {
  return payments.rows.map(({ record: { id, transaction, instrument } }) => {
    const sale = sales.find(({ paymentId }) => paymentId === id);
    return {
      id,
      order: transaction.description,
      cardId: instrument.kind === 'token' ? instrument.cardId : undefined,
      state: sale && saleState(sale),
    };
  });
}

/** What is not as it should be, in words; nothing when all is well. */
export function faultsOf(expected: Expected, buyer: Buyer): string[] {
  const { merchant } = buyer.shop;
  const { records, givenCards, transfers } = merchant.export();
  const payments = paymentsIn(records);
  const { requests } = merchant.requests();
  const refs = new Map(givenCards);
  const tries = requests.filter(({ operation }) => operation === 'payment.create');
  const faults: string[] = [];
  const hold = (what: string, found: number, count: Count | undefined): void => {
    if (count !== undefined && !meets(found, count)) faults.push(`${what}: ${found}, not ${count}`);
  };

  const kept = payments.filter(
    ({ state }) => state === 'completed' || state === 'partially_refunded',
  );
  const { sales, attempts } = expected;
  for (const order of buyer.ordered) {
    hold(`sales of ${order}`, kept.filter((one) => one.order === order).length, sales?.perIntent);
  }
  for (const [ref, count] of Object.entries(sales?.byCard ?? {})) {
    hold(`sales with ${ref}`, kept.filter((one) => one.cardId === refs.get(ref)).length, count);
  }
  for (const [state, count] of Object.entries(sales?.states ?? {})) {
    hold(`${state} sales`, payments.filter((one) => one.state === state).length, count);
  }
  for (const [ref, count] of Object.entries(attempts?.byCard ?? {})) {
    hold(`tries with ${ref}`, tries.filter((one) => one.cardId === refs.get(ref)).length, count);
  }
  for (const [operation, count] of Object.entries(expected.requests ?? {})) {
    hold(operation, requests.filter((one) => one.operation === operation).length, count);
  }
  hold('orphans', payments.filter(({ id }) => !learnt(id, requests)).length, expected.orphans);
  for (const operation of expected.sameRequestId ?? []) {
    // One for each purchase. Tries that were turned away unread are among them, and of those nobody knows which it was.
    const ids = requests.filter((one) => one.operation === operation).map((one) => one.requestId);
    hold(`request ids of ${operation}`, new Set(ids).size, buyer.ordered.size);
  }
  const numbers = records.cards.rows.map(({ record: { brand, last4 } }) => `${brand} ${last4}`);
  for (const number of new Set(numbers)) {
    const same = numbers.filter((one) => one === number);
    hold(`cards ${number}`, same.length, expected.cards?.perPan);
  }
  const shipped = new Set(kept.map(({ order }) => order));
  const wrong = [...buyer.paid].filter((order) => !shipped.has(order));
  hold('orders taken for paid', wrong.length, expected.beliefs?.paidWithoutCompletedSale);
  return [
    ...faults,
    ...moneyFaults(expected, payments, transfers),
    ...findings(expected, requests),
  ];
}

function meets(found: number, count: Count): boolean {
  if (typeof count === 'number') return found === count;
  const [, sign = '', bound = ''] = /^(<=|>=|<|>)(\d+)$/.exec(count) ?? expect.fail(count);
  const by = found - Number(bound);
  return { '<=': by <= 0, '>=': by >= 0, '<': by < 0, '>': by > 0 }[sign] === true;
}

/** Whether some whole answer told the client of a payment: one that made it, repeated it, or listed it. */
function learnt(id: string, requests: readonly Entry[]): boolean {
  return requests.some(
    ({ delivery, concludes, response }) =>
      delivery.state === 'delivered' && concludes === 'OK' && response?.includes(id) === true,
  );
}

/** Money that left the merchant again, by the payment it came with. */
function moneyFaults(
  { ledger, refunds }: Expected,
  payments: readonly Made[],
  transfers: WorldExport['transfers'],
): string[] {
  const factor = typeof ledger === 'object' ? Number(ledger.lossPerSale.slice(2, -1)) : Infinity;
  return payments.flatMap(({ id }) => {
    const sum = (...causes: readonly TransferCause[]) =>
      transfers
        .filter(({ payment, cause }) => payment === id && causes.includes(cause))
        .reduce((total, { amount }) => total + amount.minor, 0);
    const lost = sum('refund', 'reversal', 'chargeback') - sum('chargeback-won');
    return [
      ...(lost > factor * sum('sale') ? [`lost ${lost} on a sale of ${sum('sale')}`] : []),
      ...(refunds?.perSale?.total === '<=sale' && sum('refund') > sum('sale')
        ? ['more was refunded than was sold']
        : []),
    ];
  });
}

const reads: readonly (OperationName | undefined)[] = ['payment.get', 'payment.list'];

function findings({ findings: unwanted }: Expected, requests: readonly Entry[]): string[] {
  const isUnwanted = (name: string) => unwanted?.none.some((one) => one === name) === true;
  const found = new Set<string>();
  const byIntent = new Map<string, Entry[]>();
  for (const one of requests) {
    if (one.operation !== 'payment.create' || one.intent === undefined) continue;
    byIntent.set(one.intent, [...(byIntent.get(one.intent) ?? []), one]);
  }
  for (const tries of byIntent.values()) {
    if (tries.length > 1 && tries.some(({ requestId }) => requestId === undefined)) {
      found.add('retry-without-key');
    }
    if (tries.length > 20) found.add('retry-storm');
    if (tries.filter(({ committed }) => committed).length > 1) found.add('double-charge');
    for (const [place, one] of tries.entries()) {
      const next = tries[place + 1];
      if (one.concludes !== 'UNKNOWN' || next === undefined) continue;
      const looked = requests.some(
        ({ seq, operation }) => seq > one.seq && seq < next.seq && reads.includes(operation),
      );
      if (!looked) found.add('no-read-after-unknown');
    }
  }
  return [...found].filter(isUnwanted);
}
