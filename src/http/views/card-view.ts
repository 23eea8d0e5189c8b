/** Writes cards for answers, with keys in the recorded order (contract.md §2.2). */
import { cardState, redactedNumber } from '../../domain/card/card.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Card, CardFace } from '../../domain/records.ts';
import { formatExpirySeconds, formatSeconds } from '../../shared/time-text.ts';
import { address, link, type View } from './view.ts';

/** Links use the singular spelling, like those in the seed and in recordings. */
function cardPath(card: Card): string {
  return `/v1/vault/credit-card/${card.id}`;
}

/** Writes what is printed on a card. */
export function cardFaceView(face: CardFace, expiryAs: Profile['vaultExpiryAs']): object {
  const expiry = (part: number) => (expiryAs === 'integer' ? part : String(part));
  return {
    type: face.brand,
    number: redactedNumber(face),
    expire_month: expiry(face.expireMonth),
    expire_year: expiry(face.expireYear),
    first_name: face.firstName,
    last_name: face.lastName,
    billing_address: address(face.billingAddress),
  };
}

export function cardView(view: View, card: Card): object {
  const path = cardPath(card);
  const created = formatSeconds(card.createdAtMs);
  return {
    id: card.id,
    state: cardState(card, view.books.nowMs()),
    external_customer_id: card.externalCustomerId,
    payer_id: card.payerId,
    external_card_id: card.externalCardId,
    merchant_id: card.merchantReference,
    ...cardFaceView(card, view.profile.vaultExpiryAs),
    valid_until: formatExpirySeconds(card.validUntilMs),
    create_time: created,
    update_time: card.updatedAtMs === card.createdAtMs ? created : formatSeconds(card.updatedAtMs),
    links: [
      link(view, path, 'self', 'GET'),
      link(view, path, 'delete', 'DELETE'),
      link(view, path, 'patch', 'PATCH'),
    ],
  };
}
