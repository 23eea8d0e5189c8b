import { memberOf } from '../../../shared/unknown-value.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';

export function customerOf(card: unknown): string | undefined {
  const id = memberOf(card, 'external_customer_id') ?? memberOf(card, 'payer_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

export function wasStored({ committed, concludes }: StoredEntry): boolean {
  return committed && concludes === 'OK';
}
