/** What the rules about stored cards share. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { textOf } from '../../evidence/request-fields.ts';

/** The customer id in a card, if it has one. */
export function customerIdOf(card: unknown): string | undefined {
  return textOf(memberOf(card, 'external_customer_id') ?? memberOf(card, 'payer_id'));
}

/** Whether a request stored a card and the client knows it. */
export function isKnownStore({ committed, concludes }: StoredEntry): boolean {
  return committed && concludes === 'OK';
}
