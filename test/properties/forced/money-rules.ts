/** Invariants of a merchant's money, checked on exports before and after each event. */
import { authorizationState, captureCapMinor } from '../../../src/domain/payment/authorization.ts';
import type { Entry } from '../../../src/index.ts';
import type { Transfer, TransferCause } from '../../../src/domain/money/ledger.ts';
import type { WorldDocument } from '../../../src/world/export/document.ts';

type Records = WorldDocument['records'];
export type Books = Pick<WorldDocument, 'records' | 'transfers' | 'clock'>;

/** Violations in one state of the records. */
export function faultsIn({ records, transfers }: Books): string[] {
  return [
    ...amountFaults(records, transfers),
    ...refundFaults(records),
    ...captureFaults(records),
    ...currencyFaults(records, transfers),
    ...ledgerFaults(records, transfers),
  ];
}

const sum = <T>(of: readonly T[], minor: (one: T) => number): number =>
  of.reduce((total, one) => total + minor(one), 0);

function amountFaults(records: Records, transfers: readonly Transfer[]): string[] {
  const { payments, sales, captures, refunds } = records;
  const amounts = [...sales, ...captures, ...refunds, ...transfers].map(({ amount }) => amount);
  return [
    ...amounts
      .filter(({ minor }) => !Number.isSafeInteger(minor) || minor <= 0)
      .map(({ minor }) => `an amount of ${minor}`),
    ...payments.rows
      .filter(({ record }) => record.failed && record.related.length > 0)
      .map(({ record }) => `something came of ${record.id}, which has failed`),
  ];
}

/** The refunded amount is the sum of the refunds that did not fail, and at most the full amount. */
function refundFaults({ sales, captures, refunds }: Records): string[] {
  return [...sales, ...captures].flatMap(({ id, amount, refundedMinor, refundIds }) => {
    const own = refunds.filter(({ of }) => of.id === id);
    const given = sum(
      own.filter(({ settlement }) => settlement !== 'failed'),
      (refund) => refund.amount.minor,
    );
    return [
      ...(given === refundedMinor ? [] : [`${id} says ${refundedMinor} refunded, it is ${given}`]),
      ...(given <= amount.minor ? [] : [`${given} refunded of ${amount.minor}`]),
      ...(own.length === refundIds.length ? [] : [`${id} does not know all its refunds`]),
    ];
  });
}

function captureFaults({ authorizations, captures }: Records): string[] {
  return authorizations.flatMap(({ id, amount, capturedMinor }) => {
    const taken = sum(
      captures.filter(({ authorizationId }) => authorizationId === id),
      (capture) => capture.amount.minor,
    );
    return [
      ...(taken === capturedMinor ? [] : [`${id} says ${capturedMinor} captured, it is ${taken}`]),
      ...(taken <= captureCapMinor(amount) ? [] : [`${taken} captured of ${amount.minor}`]),
    ];
  });
}

/** A payment and its related resources have one currency. */
function currencyFaults(records: Records, transfers: readonly Transfer[]): string[] {
  const { sales, captures, authorizations, refunds } = records;
  return records.payments.rows.flatMap(({ record: { id, transaction } }) => {
    const moved = transfers.filter(({ payment }) => payment === id);
    const came = [...sales, ...captures, ...authorizations, ...refunds].filter(
      ({ paymentId }) => paymentId === id,
    );
    const others = [...moved, ...came].filter(
      ({ amount }) => amount.currency !== transaction.amount.currency,
    );
    return others.length === 0 ? [] : [`${id} mixes currencies`];
  });
}

/** The transfers are exactly those that the records imply. */
function ledgerFaults(records: Records, transfers: readonly Transfer[]): string[] {
  const { sales, captures, refunds } = records;
  const expected = new Map<string, number>();
  const note = (cause: TransferCause, subject: string, minor: number): void => {
    expected.set(`${cause} ${subject}`, minor);
  };
  for (const { id, amount, settlement, dispute } of sales) {
    if (settlement === 'completed' || settlement === 'reversed') note('sale', id, amount.minor);
    // The bank cannot take back money that a dispute holds.
    const isGone = dispute === 'open' || dispute === 'lost';
    if (settlement === 'reversed' && !isGone) note('reversal', id, -amount.minor);
    if (dispute !== undefined) note('chargeback', id, -amount.minor);
    if (dispute === 'won') note('chargeback-won', id, amount.minor);
  }
  for (const { id, amount } of captures) note('capture', id, amount.minor);
  for (const { id, amount, settlement } of refunds) {
    if (settlement === 'completed') note('refund', id, -amount.minor);
  }
  const found = new Map(
    transfers.map(({ cause, subject, credit, amount }) => [
      `${cause} ${subject}`,
      credit === 'merchant' ? amount.minor : -amount.minor,
    ]),
  );
  const wrong = [...new Set([...expected.keys(), ...found.keys()])].filter(
    (key) => expected.get(key) !== found.get(key),
  );
  return [
    ...wrong.map((key) => `${key}: moved ${found.get(key)}, should be ${expected.get(key)}`),
    ...(found.size === transfers.length ? [] : ['money moved twice for one reason']),
    ...transfers
      .filter(({ debit, credit }) => debit === credit)
      .map(({ subject }) => `${subject} moves money from an account to itself`),
  ];
}

interface Dated {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** All records except cards, which may be deleted. */
function lasting({ payments, sales, authorizations, captures, refunds }: Records) {
  const paid = payments.rows.map(({ record }) => record);
  return [...paid, ...sales, ...authorizations, ...captures, ...refunds];
}

/** Allowed next states; states that are not listed stay. */
const settlements: Readonly<Record<string, readonly string[]>> = {
  pending: ['completed', 'denied', 'failed', 'reversed'],
  completed: ['reversed'],
};
const disputes: Readonly<Record<string, readonly string[]>> = {
  none: ['open', 'won', 'lost'],
  open: ['won', 'lost'],
};

function leap(table: Readonly<Record<string, readonly string[]>>, from = 'none', to = 'none') {
  return from === to || table[from]?.includes(to) === true ? [] : [`from ${from} to ${to}`];
}

/**
 * Violations in a change: records stay, states move only as allowed, and no time runs backwards.
 */
export function changeFaults(before: Books, after: Books): string[] {
  const now = new Map<string, Dated>(lasting(after.records).map((record) => [record.id, record]));
  const cards = new Map(after.records.cards.rows.map(({ record }) => [record.id, record]));
  const dated = [
    ...lasting(before.records).map((one: Dated) => [one, now.get(one.id)] as const),
    ...before.records.cards.rows.map(
      ({ record }) => [record, cards.get(record.id) ?? record] as const,
    ),
  ];
  const sales = new Map(after.records.sales.map((sale) => [sale.id, sale]));
  const refunds = new Map(after.records.refunds.map((refund) => [refund.id, refund]));
  return [
    ...dated.flatMap(([old, one]) => [
      ...(one?.createdAtMs === old.createdAtMs ? [] : [`${old.id} was made at another time`]),
      ...(one !== undefined && one.updatedAtMs >= old.updatedAtMs
        ? []
        : [`${old.id} was updated earlier than before`]),
    ]),
    ...before.records.sales.flatMap((sale) => saleFaults(sale, sales.get(sale.id))),
    ...before.records.refunds.flatMap(({ id, settlement }) =>
      leap(settlements, settlement, refunds.get(id)?.settlement),
    ),
    ...holdFaults(before, after),
    ...(after.transfers.length >= before.transfers.length ? [] : ['money that moved is forgotten']),
  ];
}

type WrittenSale = Records['sales'][number];

function saleFaults(old: WrittenSale, one: WrittenSale | undefined): string[] {
  return [
    ...leap(settlements, old.settlement, one?.settlement),
    ...leap(disputes, old.dispute, one?.dispute),
    ...leap({ held: ['released'] }, old.hold, one?.hold),
    ...(one?.amount.minor === old.amount.minor ? [] : [`${old.id} has another amount`]),
  ];
}

/** A voided, captured or expired authorization never changes again. */
function holdFaults(before: Books, after: Books): string[] {
  const now = new Map(after.records.authorizations.map((held) => [held.id, held]));
  return before.records.authorizations.flatMap((old) => {
    const held = now.get(old.id);
    const state = authorizationState(old, after.clock.atMs);
    if (state === 'authorized' || state === 'partially_captured') return [];
    const same =
      held?.capturedMinor === old.capturedMinor &&
      authorizationState(held, after.clock.atMs) === state;
    return same ? [] : [`${old.id} was ${state} and has changed`];
  });
}

/** Violations in new payments: each used an existing, usable card. */
export function newPaymentFaults(before: Books, after: Books): string[] {
  const cards = new Map(before.records.cards.rows.map(({ record }) => [record.id, record]));
  const known = new Set(before.records.payments.rows.map(({ record }) => record.id));
  return after.records.payments.rows.flatMap(({ record: { id, instrument } }) => {
    if (known.has(id) || instrument.kind === 'card') return [];
    const card = cards.get(instrument.cardId);
    if (card === undefined) return [`${id} was paid with a card that is not there`];
    return card.validUntilMs > after.clock.atMs ? [] : [`${id} was paid with an expired entry`];
  });
}

/** The number of effects of a request: new payments, captures and refunds. */
export function effectsBetween(before: Books, after: Books): number {
  const count = ({ records }: Books) =>
    records.payments.rows.length + records.captures.length + records.refunds.length;
  return count(after) - count(before);
}

/**
 * The records that a failed request must not change: all except a card that another request
 * deleted.
 */
export function recordsToKeep(entry: Entry | undefined, records: Records): Records {
  if (entry?.outcomes.some(({ id }) => id === 'card-deleted-during-payment') !== true) {
    return records;
  }
  const rows = records.cards.rows.filter(({ record }) => record.id !== entry.cardId);
  return { ...records, cards: { ...records.cards, rows } };
}
