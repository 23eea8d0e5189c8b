/** Clients that disconnect and responses that break: the same for `fetch` over both transports. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { merchantBalanceMinor, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { begin, codeOf, fired, see, type Call } from '../tolerant-client.ts';
import type { StepDocument } from '../../../../src/scenarios/document.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

async function payment(shop: Shop): Promise<Call> {
  return { body: paymentBody({ cardId: await storeCard(shop), total: '10.00' }) };
}

onEveryTransport('a client that disconnects', (transport) => {
  it.each([
    ['hang-before-commit', 0],
    ['hang-after-commit', 1000],
    ['slow-first-byte', 1000],
  ] as const)('ends %s with its own reason', async (outcome, balanceMinor) => {
    const shop = transport.shop();
    const call = await payment(shop);
    shop.merchant.force({ op: 'payment.create', outcome });
    const leaving = new AbortController();
    const answer = begin(shop, 'payment.create', { ...call, signal: leaving.signal });
    await fired(shop);
    const reason = new Error('The buyer closed the page.');
    leaving.abort(reason);
    await expect(answer).rejects.toBe(reason);
    expect(merchantBalanceMinor(shop)).toBe(balanceMinor);
  });

  it('ends a hanging request by a deadline', async () => {
    const shop = transport.shop();
    const call = await payment(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'hang-before-commit' });
    const answer = begin(shop, 'payment.create', { ...call, signal: AbortSignal.timeout(40) });
    await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ends a slow response with its own abort reason', async () => {
    const shop = transport.shop();
    const call = await payment(shop);
    const step: StepDocument = { outcome: 'slow-dribble', with: { chunkBytes: 10, gap: '20ms' } };
    shop.merchant.force({ op: 'payment.create', outcome: step });
    const leaving = new AbortController();
    const answer = await begin(shop, 'payment.create', { ...call, signal: leaving.signal });
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
    const reason = new Error('The buyer closed the page.');
    leaving.abort(reason);
    await expect(reader?.closed).rejects.toBe(reason);
    expect(merchantBalanceMinor(shop)).toBe(1000);
  });

  it('may have disconnected before the request started', async () => {
    const shop = transport.shop();
    const call = await payment(shop);
    const [id = ''] = shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
    const signal = AbortSignal.abort();
    await expect(begin(shop, 'payment.create', { ...call, signal })).rejects.toThrow(/abort/i);
    expect(shop.merchant.unfired().map((rule) => rule.id)).toEqual([id]);
  });
});

onEveryTransport('a broken response', (transport) => {
  it.each([
    ['truncated-body', 'UND_ERR_SOCKET'],
    ['malformed-chunk', 'HPE_INVALID_CHUNK_SIZE'],
    ['wrong-content-encoding', 'Z_DATA_ERROR'],
  ] as const)('%s begins well, and its body fails with %s', async (outcome, code) => {
    const shop = transport.shop();
    const call = await payment(shop);
    shop.merchant.force({ op: 'payment.create', outcome });
    const answer = await begin(shop, 'payment.create', call);
    expect(answer.status).toBe(201);
    const failure = await answer.json().then(String, (error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect(codeOf(failure)).toBe(code);
  });

  it.each(['reset-after-commit', 'close-after-commit', 'garbage-then-close'] as const)(
    '%s rejects with a TypeError, as fetch does',
    async (outcome) => {
      const shop = transport.shop();
      const call = await payment(shop);
      shop.merchant.force({ op: 'payment.create', outcome });
      await expect(begin(shop, 'payment.create', call)).rejects.toThrow(
        expect.objectContaining({ name: 'TypeError', message: 'fetch failed' }),
      );
    },
  );

  it('does not affect the next request', async () => {
    const shop = transport.shop();
    const call = await payment(shop);
    const sequence: readonly OutcomeId[] = [
      'reset-before-commit',
      'close-after-commit',
      'malformed-chunk',
      'truncated-body',
    ];
    shop.merchant.force({ op: 'payment.create', sequence });
    for (const _ of sequence) expect((await see(shop, 'payment.create', call)).broke).toBeDefined();
    expect(await see(shop, 'payment.create', call)).toMatchObject({ status: 201 });
  });
});
