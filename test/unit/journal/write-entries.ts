/** Writes entries into a journal like the pipeline does, with overrides for tests. */
import type { BodyForm } from '../../../src/journal/conclusion.ts';
import type { Answer, Delivery, Entry, Opening } from '../../../src/journal/entry.ts';
import { Journal, type JournalLimits } from '../../../src/journal/journal.ts';

export const nowMs = Date.parse('2026-05-06T07:08:09Z');

export const opening: Opening = {
  debugId: 'd0',
  atMs: nowMs,
  method: 'POST',
  path: '/v1/payments/payment',
  operation: 'payment.create',
  merchant: 'shop',
  requestId: undefined,
  reusedConnection: undefined,
  signs: [],
};

export const answer: Answer = {
  status: 201,
  problem: undefined,
  reason: undefined,
  replayed: false,
  committed: true,
  intent: undefined,
  cardId: 'CARD-1',
  subject: 'PAY-1',
  outcomes: [],
  holds: [],
  twin: undefined,
  retryAfter: undefined,
  nearMisses: [],
  warnings: [],
  request: '{"transactions":[{"amount":{"total":"30.11","currency":"USD"}}]}',
  response: '{"id":"PAY-1","state":"created"}',
};

export const delivered: Delivery = {
  state: 'delivered',
  bytesTotal: 32,
  bytesDelivered: 32,
  clientLeft: false,
};

export type Exchange = Partial<Opening & Answer & { delivery: Delivery; form: BodyForm }>;

export const declined: Exchange = { status: 400, problem: 'VALIDATION_ERROR', committed: false };

/** Writes a complete exchange. */
export function write(journal: Journal, exchange: Exchange = {}): Entry {
  const { delivery = delivered, form = 'json', ...parts } = exchange;
  const entry = journal.open({ ...opening, debugId: `d${journal.size + 1}`, ...parts });
  journal.answer(entry, { ...answer, ...parts });
  journal.close(entry, entry.atMs, delivery, form);
  return entry;
}

export function journalOf(
  exchanges: readonly Exchange[],
  limits: Partial<JournalLimits> = {},
): Journal {
  const journal = new Journal(limits);
  for (const exchange of exchanges) write(journal, exchange);
  return journal;
}
