/** What the rules about stored cards share. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';

/** The customer id in a card, if it has one. */
export function customerIdOf(card: unknown): string | undefined {
  const id = memberOf(card, 'external_customer_id') ?? memberOf(card, 'payer_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether a request stored a card and the client knows it. */
export function isKnownStore({ committed, concludes }: StoredEntry): boolean {
  return committed && concludes === 'OK';
}
