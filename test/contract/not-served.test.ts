/** Areas of the real service that the sandbox does not serve. */
import { describe, expect, it } from 'vitest';
import { unservedAreas } from '../../src/contract/not-served.ts';
import { operations } from '../../src/contract/service/operations.ts';
import { outcomeIds } from '../../src/outcomes/catalogue.ts';
import { expectProblem } from '../support/requests/every-operation.ts';
import { inOrder } from '../support/in-order.ts';
import { onEveryTransport, type Shop } from '../support/transports.ts';
import { ErrorBody } from '../../src/contract/service/common.ts';

/** Calls of public SDKs, and the area that each belongs to. */
const calls = [
  ['POST', '/v1/payments/billing-plans/', 'billing plans'],
  ['PATCH', '/v1/payments/billing-plans/P-1', 'billing plans'],
  ['GET', '/v1/billing/plans?page_size=2', 'billing plans'],
  ['POST', '/v1/payments/billing-agreements/EC-1/agreement-execute', 'billing agreements'],
  ['POST', '/v1/billing-agreements/agreement-tokens', 'billing agreements'],
  ['POST', '/v1/billing/subscriptions/I-1/cancel', 'subscriptions'],
  ['GET', '/v1/catalogs/products', 'catalog products'],
  ['POST', '/v1/payments/payouts?sync_mode=false', 'payouts'],
  ['POST', '/v1/payments/payouts-item/1/cancel', 'payouts'],
  ['GET', '/v1/payments/orders/O-1', 'order payments'],
  ['POST', '/v1/payments/orders/O-1/do-void', 'order payments'],
  ['POST', '/v2/checkout/orders/1/capture', 'checkout orders'],
  ['POST', '/v2/payments/captures/1/refund', 'payments of version 2'],
  ['GET', '/v1/payment-experience/web-profiles/', 'web experience profiles'],
  ['PUT', '/v1/payment-experience/web-profiles/XP-1', 'web experience profiles'],
  ['POST', '/v1/invoicing/invoices/INV2-1/send', 'invoices'],
  ['PUT', '/v2/invoicing/invoices/INV2-1', 'invoices'],
  ['POST', '/v1/notifications/webhooks', 'webhooks yet'],
  ['POST', '/v1/notifications/verify-webhook-signature', 'webhooks yet'],
  ['GET', '/v1/identity/openidconnect/userinfo/?schema=openid', 'user identity'],
  ['POST', '/v1/oauth2/token/terminate', 'the revocation of tokens'],
  ['POST', '/v1/vault/bank-accounts', 'bank accounts in the vault'],
  ['DELETE', '/v1/vault/bank-accounts/BA-1', 'bank accounts in the vault'],
  ['POST', '/v3/vault/payment-tokens', 'payment tokens in the vault'],
  ['GET', '/v1/reporting/transactions?fields=all', 'reports'],
  ['POST', '/v1/customer/disputes/PP-D-1/accept-claim', 'disputes'],
  ['POST', '/v2/customer/partner-referrals', 'partner referrals and merchant accounts'],
  ['PUT', '/v1/risk/transaction-contexts/1/2', 'risk contexts'],
  ['POST', '/v1/shipping/trackers-batch', 'shipment tracking'],
  ['POST', '/nvp', 'the classic NVP and SOAP APIs'],
  ['POST', '/2.0/', 'the classic NVP and SOAP APIs'],
  ['GET', '/cgi-bin/webscr?cmd=_express-checkout', 'wallet pages'],
  ['GET', '/v2', 'versions of the API other than 1'],
  ['GET', '/v2/vaults', 'versions of the API other than 1'],
] as const;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

async function ask(shop: Shop, method: string, path: string) {
  const response = await shop.transport.fetch(shop.transport.base + path, {
    method,
    headers: { Authorization: `Bearer ${shop.merchant.token}`, 'Content-Type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{"amount":{"value":"1.00"}}' }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

onEveryTransport('an area that is not served', (transport) => {
  it.each(calls)('501 is named: %s %s', async (method, path, area) => {
    const reply = await ask(transport.shop(), method, path);
    expectProblem(reply, 501, 'NOT_IMPLEMENTED');
    const { message } = ErrorBody.parse(reply.body);
    expect(message).toMatch(new RegExp(`^This sandbox does not serve ${area}\\. [A-Z]`));
    expect(message).not.toContain('nearest');
  });

  it.each(unservedAreas)(
    '501 is named with every method, and below its paths: $area',
    async (row) => {
      const shop = transport.shop();
      const paths = row.paths.flatMap((path) => [path, `${path}/`, `${path}/ID-1/act?x=1`]);
      await inOrder(paths, (path) =>
        inOrder(methods, async (method) => {
          const reply = await ask(shop, method, path);
          expectProblem(reply, 501, 'NOT_IMPLEMENTED');
          expect(reply.text).toContain(row.area);
        }),
      );
      expect(shop.merchant.ledger().transfers).toEqual([]);
    },
  );

  it('501 is given without a token, too', async () => {
    const response = await transport.fetch(`${transport.base}/v1/invoicing/invoices`);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([501, null]);
  });

  it('501 explains itself by its debug id, and is no finding of a verdict', async () => {
    const shop = transport.shop();
    const { headers } = await ask(shop, 'POST', '/v1/payments/payouts');
    const debugId = headers.get('paypal-debug-id') ?? '';
    expect(JSON.stringify(shop.merchant.explain(debugId))).toContain('does not serve payouts');
    expect((await shop.merchant.verdict()).findings).toEqual([]);
  });

  it.each([
    ['/v1/payments/paymant', '/v1/payments/payment'],
    ['/v1/payments/payment/PAY-1/executes', '/v1/payments/payment/{payment_id}/execute'],
    ['/v1/payments/sales/1/refund', '/v1/payments/sale/{sale_id}/refund'],
    ['/v1/vault/credit-crads', '/v1/vault/credit-card'],
    ['/v1/oauth/token', '/v1/oauth2/token'],
  ])('404 still names the nearest path for a misspelt one: %s', async (path, nearest) => {
    const reply = await ask(transport.shop(), 'POST', path);
    expectProblem(reply, 404, 'NOT_FOUND');
    expect(reply.text).toContain(nearest);
  });
});

describe('the table of areas that are not served', () => {
  const prefixes = unservedAreas.flatMap(({ paths }) => paths);

  it('names each path once', () => {
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it('hides no operation', () => {
    const served = Object.values(operations).map(({ path }) => path);
    const hidden = served.filter((path) =>
      prefixes.some((prefix) => `${path}/`.startsWith(`${prefix}/`)),
    );
    expect(hidden).toEqual([]);
  });

  it('names only outcomes of the catalogue', () => {
    const named = unservedAreas.flatMap(
      ({ instead }) => /the outcome ([a-z-]+)/.exec(instead)?.slice(1) ?? [],
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => !outcomeIds.some((known) => known === id))).toEqual([]);
  });
});
