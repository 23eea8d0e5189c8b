/** A refused card, for tests of the reason. */
import { expect } from 'vitest';
import type { Shop } from '../transports.ts';
import { cardBody } from '../samples.ts';

/** The errors of a card as `field: issue`, in the order of the response. Nothing is stored. */
export async function detailsOf(
  shop: Shop,
  change: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const refused = await shop.ask('card.create', 400, { body: cardBody(change) });
  expect(refused.name).toBe('VALIDATION_ERROR');
  expect((await shop.ask('card.list', 200)).total_items).toBe(0);
  return (refused.details ?? []).map(({ field, issue }) => `${field}: ${issue}`);
}
