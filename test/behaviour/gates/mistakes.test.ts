/** What a test learns when it uses gates in a way that cannot work. */
import { expect, it } from 'vitest';
import { pay, storeCard } from '../../support/purchases.ts';
import { pans, paymentBody } from '../../support/samples.ts';
import { onEveryTransport } from '../../support/transports.ts';

const patient = { timeoutMs: 120_000 };

onEveryTransport('a gate', (transport) => {
  it('refuses a release before its first request came, and holds it then', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    expect(merchant.release(), 'without a gate').toEqual([]);
    merchant.hold({ op: 'payment.create', count: 1 });
    expect(() => merchant.release()).toThrow(
      'release: no request is held yet. Gate gate-1 waits for 1 of payment.create. Wait for them with waitForHeld().',
    );
    const payment = pay(shop, { cardId });
    await merchant.waitForHeld(patient);
    expect(merchant.release()).toHaveLength(1);
    expect(merchant.release(), 'after all').toEqual([]);
    await payment;
  });

  it('refuses an empty list of requests to release, and goes on holding', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    merchant.hold({ op: 'payment.create', count: 1 });
    const empty =
      'release: the list is empty. Name requests in it, or give no list to release all. ';
    expect(() => merchant.release([])).toThrow(`${empty}No request is held.`);
    const payment = pay(shop, { cardId });
    const [held] = await merchant.waitForHeld(patient);
    expect(() => merchant.release([])).toThrow(
      `${empty}Held are, in order of arrival: ${held?.debugId}.`,
    );
    expect(merchant.held()).toHaveLength(1);
    merchant.release();
    await payment;
  });

  it('releases a request whose id is a card number by its debug id, and says so', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const body = paymentBody({ cardId: await storeCard(shop) });
    merchant.hold({ op: 'payment.create', count: 1 });
    const headers = { 'PayPal-Request-Id': `order ${pans.visa}` };
    const payment = shop.ask('payment.create', 201, { body, headers });
    const [held] = await merchant.waitForHeld(patient);
    expect(held?.requestId).toBe(`order xxxxxxxxxxxx${pans.visa.slice(-4)}`);
    const advice = `The card number in a PayPal-Request-Id is masked, so name such a request by its debug id. Held are, in order of arrival: ${held?.debugId}.`;
    for (const word of [`order ${pans.visa}`, pans.visa, Number(pans.visa)]) {
      expect(() => merchant.release([word])).toThrow(advice);
      expect(() => merchant.release([word])).not.toThrow(pans.visa);
    }
    expect(() => merchant.release(['order 7'])).not.toThrow('masked');
    expect(merchant.release([held?.debugId ?? ''])).toHaveLength(1);
    await payment;
  });

  it.each([{ optional: true }, { release: 'arrival' }] as const)(
    'with %o may be released before a request came',
    (options) => {
      const { merchant } = transport.shop();
      merchant.hold({ op: 'payment.create', count: 1, ...options });
      expect(merchant.release()).toEqual([]);
    },
  );

  it('says which condition a request did not meet', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    merchant.hold({
      op: 'payment.create',
      count: 1,
      match: { 'transactions[0].custom': { eq: 'A-8' } },
    });
    await pay(shop, { cardId, transaction: { custom: 'A-7' } });
    const why =
      /0 of 1 came\. 1 other did not match: transactions\[0\]\.custom is not \{"eq":"A-8"\}\./;
    await expect(merchant.waitForHeld({ timeoutMs: 0 })).rejects.toThrow(why);
    const { reasons } = await merchant.verdict();
    expect(reasons).toMatchObject([{ kind: 'unfilled-gate', text: expect.stringMatching(why) }]);
    await pay(shop, { cardId, transaction: { custom: 'A-9' } });
    await expect(merchant.waitForHeld({ timeoutMs: 0 })).rejects.toThrow('2 others did not match');
  });

  it('lists what came since it was added and was not held', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    merchant.hold({ op: 'payment.create', count: 2 });
    await shop.ask('payment.create', 400, { body: {} });
    const payment = pay(shop, { cardId });
    await merchant.waitForHeld({ times: 1, ...patient });
    await expect(merchant.waitForHeld({ timeoutMs: 0 })).rejects.toThrow(
      /^Waited 0 ms\. 1 of 2 requests were held\.\nGate gate-1 \(payment\.create, before-commit\): 1 of 2 came\.\nArrived and not held:\n.*\n {2}#2 {2}payment\.create {2}400 VALIDATION_ERROR {2}FAIL {10}-$/,
    );
    merchant.release();
    await payment;
  });

  it('says how to hold a repeat with the request id of a held request', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const body = paymentBody({ cardId: await storeCard(shop) });
    const headers = { 'PayPal-Request-Id': 'order-7' };
    merchant.hold({ op: 'payment.create', count: 2 });
    const first = shop.ask('payment.create', 201, { body, headers });
    await merchant.waitForHeld({ times: 1, ...patient });
    await shop.ask('payment.create', 409, { body, headers });
    await expect(merchant.waitForHeld({ timeoutMs: 0 })).rejects.toThrow(
      "a repeat with its PayPal-Request-Id gets this 409. Hold one request, or hold both at: 'before-answer'.",
    );
    merchant.release();
    await first;
  });

  it('leaves the page of the verdict calm while nothing has come at all', async () => {
    const { merchant } = transport.shop();
    merchant.hold({ op: 'payment.create', count: 2 });
    const address = `${transport.base}/_sandbox/verdict?merchant=${merchant.id}`;
    const shown = await transport.fetch(address, { headers: { Accept: 'text/html' } });
    expect(await shown.text()).toContain('Waiting for requests');
  });

  it('holds no request of another merchant', async () => {
    const [mine, other] = [transport.shop(), transport.shop()];
    mine.merchant.hold({ op: 'payment.create', count: 1, optional: true });
    const cardId = await storeCard(other);
    await pay(other, { cardId });
    expect([mine.merchant.held(), other.merchant.held()]).toEqual([[], []]);
    await expect(other.merchant.waitForHeld()).rejects.toThrow(
      'waitForHeld: no gate waits for requests. Call hold() first, and release() afterwards.',
    );
    const why = `Merchant ${mine.merchant.id} sent no requests. Check the client id in your code. Requests came from: `;
    await expect(mine.merchant.waitForHeld({ timeoutMs: 0 })).rejects.toThrow(why);
    await expect(mine.merchant.waitFor({}, { timeoutMs: 0 })).rejects.toThrow(why);
    await expect(other.merchant.waitFor({}, { times: 9, timeoutMs: 0 })).rejects.not.toThrow(
      'sent no requests',
    );
  });

  it('says that its time is over if a test waits for it too late', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    merchant.hold({ op: 'payment.create', count: 2, timeoutMs: 1 });
    await pay(shop, { cardId });
    await expect(merchant.waitForHeld()).rejects.toThrow(
      'Gate gate-1 (payment.create, before-commit) has ended: 1 of 2 came before its timeoutMs of 1 passed without a further one.',
    );
  });

  it('says how many requests the gates hold if a test waits for more', async () => {
    const { merchant } = transport.shop();
    merchant.hold({ op: 'payment.create', count: 1 });
    await expect(merchant.waitForHeld({ times: 2 })).rejects.toThrow(
      'waitForHeld times: the gates hold 1 request at most, got 2.',
    );
  });

  it('fills one place after the other if two gates wait for the same requests', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    merchant.hold({ op: 'payment.create', count: 1, name: 'older' });
    merchant.hold({ op: 'payment.create', count: 1, name: 'newer' });
    const payments = [];
    for (const custom of ['A', 'B']) {
      payments.push(pay(shop, { cardId, transaction: { custom } }));
      await merchant.waitForHeld({ times: payments.length, ...patient });
    }
    expect(merchant.held()).toMatchObject([
      { gate: 'older', purchase: 'A' },
      { gate: 'newer', purchase: 'B' },
    ]);
    merchant.release('reverse');
    await Promise.all(payments);
  });

  it('passes a request on to the next gate in the call that releases it', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    merchant.hold({ op: 'payment.create', count: 1 });
    merchant.hold({ op: 'payment.create', count: 1, at: 'before-answer' });
    const payment = pay(shop, { cardId });
    await merchant.waitForHeld({ times: 1, ...patient });
    expect(merchant.ledger().transfers).toEqual([]);
    merchant.release();
    expect(merchant.held()).toMatchObject([{ gate: 'gate-2', at: 'before-answer' }]);
    expect(merchant.ledger().transfers).toHaveLength(1);
    merchant.release();
    await payment;
  });

  it.each([
    ['before-commit', [201, 400]],
    ['before-answer', [400, 201]],
  ] as const)('held %s decides which request meets a rule', async (at, statuses) => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    merchant.force({ op: 'payment.create', outcome: 'decline-insufficient-funds' });
    merchant.hold({ op: 'payment.create', count: 2, at });
    const payments = [];
    for (const custom of ['A', 'B']) {
      const body = paymentBody({ cardId, transaction: { custom } });
      payments.push(shop.send('payment.create', { body }));
      await merchant.waitForHeld({ times: payments.length, ...patient });
    }
    merchant.release('reverse');
    expect((await Promise.all(payments)).map(({ status }) => status)).toEqual(statuses);
  });
});
