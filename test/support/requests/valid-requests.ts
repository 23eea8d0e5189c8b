/** A request for every operation that it takes, so that tests can walk all of them. */
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import { operations } from '../../../src/contract/service/operations.ts';
import type { Request, Shop } from '../transports.ts';
import { authorize, capture, sell, storeCard } from '../purchases.ts';
import { cardBody, paymentBody } from '../samples.ts';

/** Records that requests can be about. */
export interface Subjects {
  readonly cardId: string;
  readonly paymentId: string;
  readonly saleId: string;
  /** Still to be captured or voided. */
  readonly authorizationId: string;
  readonly captureId: string;
  readonly refundId: string;
}

/** Ids of the right form that no merchant has. */
export const unknownSubjects: Subjects = {
  cardId: 'CARD-0AA00000AA0000000AAAAAAA',
  paymentId: 'PAY-0AA00000AA0000000AAAAAAA',
  saleId: '0AA00000AA0000000',
  authorizationId: '0AA00000AA0000000',
  captureId: '0AA00000AA0000000',
  refundId: '0AA00000AA0000000',
};

/** Makes one of each record at a shop. */
export async function makeSubjects(shop: Shop): Promise<Subjects> {
  const cardId = await storeCard(shop);
  const sale = await sell(shop, { cardId });
  const refund = await shop.ask('sale.refund', 201, {
    params: { sale_id: sale.id },
    body: { amount: { total: '1.00', currency: 'USD' } },
  });
  const taken = await capture(shop, (await authorize(shop, { cardId })).id, '2.00');
  const open = await authorize(shop, { cardId });
  return {
    cardId,
    paymentId: sale.parent_payment,
    saleId: sale.id,
    authorizationId: open.id,
    captureId: taken.id,
    refundId: refund.id,
  };
}

/** The least of a request that each operation takes. Paths are filled in. */
export function validRequest(name: OperationName, of: Subjects): Request {
  return { path: filled(operations[name].path, of), ...contentOf(name, of) };
}

function filled(path: string, of: Subjects): string {
  return path
    .replace('{card_id}', of.cardId)
    .replace('{payment_id}', of.paymentId)
    .replace('{sale_id}', of.saleId)
    .replace('{authorization_id}', of.authorizationId)
    .replace('{capture_id}', of.captureId)
    .replace('{refund_id}', of.refundId);
}

const oneDollar = { amount: { total: '1.00', currency: 'USD' } };

function contentOf(name: OperationName, of: Subjects): Request {
  switch (name) {
    case 'token.create':
      return { body: 'grant_type=client_credentials' };
    case 'card.create':
      return { body: cardBody() };
    case 'card.update':
      return { body: [{ op: 'replace', path: '/first_name', value: 'Grace' }] };
    case 'payment.create':
      return { body: paymentBody({ cardId: of.cardId }) };
    case 'payment.update':
      return { body: [{ op: 'replace', path: '/transactions/0/custom', value: 'order 1042' }] };
    case 'sale.refund':
    case 'capture.refund':
    case 'auth.capture':
      return { body: oneDollar };
    case 'payment.execute':
      return { body: { payer_id: 'PAYER00000001' } };
    case 'auth.void':
    case 'auth.reauthorize':
      return { body: {} };
    default:
      return {};
  }
}
