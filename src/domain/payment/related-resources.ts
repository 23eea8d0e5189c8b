/** A payment's related resources: its sale or authorization, captures and refunds, in order. */
import type { Books, Write } from '../ports.ts';
import type { RelatedResource } from '../records.ts';

/**
 * Adds a related resource to a payment, which updates the payment's `update_time`.
 *
 * `Seed silent:` a change within a related resource (a void, a settlement, a dispute) updates only
 * the time of that resource.
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
