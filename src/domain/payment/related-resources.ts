/** What came of a payment: its sale or authorization, captures and refunds, in the order they happened. */
import type { Books, Write } from '../ports.ts';
import type { RelatedResource } from '../records.ts';

/**
 * Notes on a payment that something came of it, which moves its `update_time`. `Seed silent:` what changes only in a
 * record that came of it (a void, a settlement, a dispute) moves the time of that record alone.
 */
export function addRelated(books: Books, paymentId: string, related: RelatedResource): Write[] {
  const payment = books.payments.get(paymentId);
  if (payment === undefined) return [];
  return [
    {
      table: 'payments',
      record: { ...payment, related: payment.related.append(related), updatedAtMs: books.nowMs() },
    },
  ];
}
