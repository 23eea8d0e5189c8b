/** Clients that look up a lost answer while the service tells them nothing, and clients that gave up although it would. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { authorize, dayMs, sell, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const tokenRequest = { body: 'grant_type=client_credentials' };
const base = '/v1/payments';

/** A replica lags so far behind that the client's waits make no difference, and a hang ends the connection soon. */
const parameters: Partial<Record<OutcomeId, Readonly<Record<string, string>>>> = {
  'list-lags-create': { lag: 'PT1H' },
  'hang-before-commit': { cap: '10ms' },
};

/** A client with one request that was lost after it had been executed. */
class Client {
  readonly shop: Shop;
  readonly op: OperationName;
  readonly path: string;
  readonly body: unknown;
  readonly cardId: string;

  constructor(shop: Shop, op: OperationName, path: string, body: unknown, cardId = '') {
    this.shop = shop;
    this.op = op;
    this.path = path;
    this.body = body;
    this.cardId = cardId;
  }

  /** Sends the request, with an outcome that is forced on it. */
  async send(outcome?: OutcomeId, key: string | undefined = 'a', body = this.body): Promise<void> {
    await this.ask(this.op, this.path, outcome, { body, headers: keyed(key) });
  }

  async list(outcome?: OutcomeId, query = ''): Promise<void> {
    await this.ask('payment.list', `${base}/payment${query}`, outcome);
  }

  async ask(
    op: OperationName,
    path: string,
    outcome?: OutcomeId,
    call: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<void> {
    if (outcome !== undefined) {
      this.shop.merchant.force({ op, outcome: { outcome, with: parameters[outcome] ?? {} } });
    }
    await see(this.shop, op, { path, ...call });
    this.shop.merchant.clock.advance(20_000);
  }

  /** Sends a request with a token that the service does not know. */
  async askWithOldToken(): Promise<void> {
    const path = '/v1/vault/credit-cards';
    await see(this.shop, 'card.list', { path, authorization: 'Bearer none' });
  }

  /** Another customer pays, and all is well. */
  async sellOther(): Promise<void> {
    await sell(this.shop, { total: '7.00', transaction: { custom: 'other' } });
  }

  /** The order of a capture is authorized again. */
  async authorizeAgain(): Promise<void> {
    const cardId = this.cardId;
    const transaction = { custom: 'order-1' };
    const body = paymentBody({ cardId, intent: 'authorize', transaction });
    const headers = keyed('again');
    await this.ask('payment.create', `${base}/payment`, 'error-503-before-commit', {
      body,
      headers,
    });
  }

  /** The findings about this client's money, as severity and rule. */
  async found(options: Parameters<typeof foundIn>[1] = {}): Promise<string[]> {
    const found = await foundIn(this.shop, options);
    return found.filter((one) => /orphaned|no-read|not-checked/.test(one));
  }
}

type Kind = 'payment' | 'hold' | 'capture' | 'refund';

/** Loses an answer after the commit. */
async function lose(
  shop: Shop,
  kind: Kind,
  transaction: Readonly<Record<string, string>> = { custom: 'order-1' },
) {
  const client = await clientFor(shop, kind, transaction);
  await client.send('reset-after-commit');
  return client;
}

async function clientFor(
  shop: Shop,
  kind: Kind,
  transaction: Readonly<Record<string, string>>,
): Promise<Client> {
  if (kind === 'capture') {
    const cardId = await storeCard(shop);
    const { id } = await authorize(shop, { cardId, transaction });
    const body = { amount: { total: '10.00', currency: 'USD' } };
    return new Client(shop, 'auth.capture', `${base}/authorization/${id}/capture`, body, cardId);
  }
  if (kind === 'refund') {
    const { id } = await sell(shop);
    return new Client(shop, 'sale.refund', `${base}/sale/${id}/refund`, {
      amount: { total: '10.00', currency: 'USD' },
    });
  }
  const cardId = await storeCard(shop);
  const intent = kind === 'hold' ? 'authorize' : 'sale';
  const body = paymentBody({ cardId, intent, transaction });
  return new Client(shop, 'payment.create', `${base}/payment`, body, cardId);
}

const rules = {
  payment: ['critical', 'orphaned-charge'],
  hold: ['high', 'orphaned-charge'],
  capture: ['critical', 'orphaned-charge'],
  refund: ['critical', 'orphaned-refund'],
} as const satisfies Readonly<Record<Kind, readonly [string, string]>>;

const kinds = Object.keys(rules) as Kind[];

/** The finding of a client that is blamed, and of one that is not. */
const blamed = (kind: Kind) => rules[kind].join(' ');
const spared = (kind: Kind) => `low ${rules[kind][1]}`;

onEveryTransport(
  'a lost answer that is looked up while the service is down',
  (transport) => {
    it.each(kinds)('is no blame until the test ends: %s', async (kind) => {
      const shop = transport.shop();
      const client = await lose(shop, kind);
      await client.list('error-forever');
      await client.send('error-503-before-commit');
      await client.list('rate-limited-no-header');
      expect(await client.found()).toEqual([spared(kind)]);
      const verdict = await shop.merchant.verdict();
      expect(verdict.passed).toBe(true);
      const { what, remedy, confidence, evidence } = findingOf(verdict, rules[kind][1]);
      expect(what).toContain('The client tried twice to find out, and no answer told it.');
      expect(remedy).toContain('Look again once the service answers');
      expect(confidence).toBe('possible');
      expect(evidence).toContain(shop.merchant.journal().entries.at(-1)?.debugId);
    });

    it.each(kinds)('is blamed if other requests succeed afterwards: %s', async (kind) => {
      const client = await lose(transport.shop(), kind);
      await client.list('error-forever');
      await client.sellOther();
      expect(await client.found()).toEqual([blamed(kind)]);
    });

    it.each(kinds)('is no blame if another look fails after those: %s', async (kind) => {
      const client = await lose(transport.shop(), kind);
      await client.list('error-forever');
      await client.sellOther();
      await client.list('html-error-page');
      expect(await client.found()).toEqual([spared(kind)]);
    });

    it.each(kinds)('is blamed if the client never looks: %s', async (kind) => {
      const client = await lose(transport.shop(), kind);
      expect(await client.found()).toContain(blamed(kind));
    });

    it.each<OutcomeId>([
      'rate-limited-seconds',
      'hang-before-commit',
      'html-error-page',
      'wrong-content-encoding',
      'redirect-302',
      'token-revoked',
      'permission-denied',
      'page-token-expired',
    ])('is no blame if the look meets %s', async (outcome) => {
      const client = await lose(transport.shop(), 'payment');
      await client.list(outcome);
      expect(await client.found()).toEqual([spared('payment')]);
    });

    it.each(kinds)('is blamed if it is only sent again: %s', async (kind) => {
      const client = await lose(transport.shop(), kind);
      await client.send('reset-before-commit');
      await client.send('reset-after-commit');
      await client.send('rate-limited-no-header');
      expect(await client.found()).toEqual([blamed(kind)]);
    });

    it.each(kinds)('is no blame if each of two looks meets a stale replica: %s', async (kind) => {
      const client = await lose(transport.shop(), kind);
      await client.list('list-lags-create');
      await client.list('list-lags-create');
      expect(await client.found()).toEqual([spared(kind)]);
    });

    it.each(kinds)(
      'is blamed if one stale list is taken for proof of absence: %s',
      async (kind) => {
        const client = await lose(transport.shop(), kind);
        await client.list('list-lags-create');
        expect(await client.found()).toEqual([blamed(kind)]);
      },
    );

    it.each<[string, (client: Client) => Promise<void>]>([
      ['does not read the second page', (client) => client.list(undefined, '?count=1')],
      [
        'filters the payment away',
        (client) => client.list(undefined, '?end_time=2026-01-01T00:00:00Z'),
      ],
      ['is refused for its question', (client) => client.list(undefined, '?count=none')],
      [
        'reads another payment without success',
        (client) => client.ask('payment.get', `${base}/payment/PAY-1`),
      ],
      [
        'looks for a card without success',
        (client) => client.ask('card.list', '/v1/vault/credit-cards', 'error-forever'),
      ],
      [
        'asks for a token',
        (client) => client.ask('token.create', '/v1/oauth2/token', undefined, tokenRequest),
      ],
    ])('is blamed if it %s', async (_, look) => {
      const shop = transport.shop();
      const client = await lose(shop, 'payment');
      await client.sellOther();
      await look(client);
      expect(await client.found()).toContain(blamed('payment'));
    });

    it.each<[string, (client: Client) => Promise<void>]>([
      [
        'a token',
        (client) => client.ask('token.create', '/v1/oauth2/token', undefined, tokenRequest),
      ],
      ['a refused token', (client) => client.askWithOldToken()],
      [
        'an answer that is lost',
        (client) => client.ask('card.list', '/v1/vault/credit-cards', 'error-forever'),
      ],
      [
        'a stale list of cards',
        (client) => client.ask('card.list', '/v1/vault/credit-cards', 'list-lags-create'),
      ],
    ])('is no blame if only %s follows', async (_, next) => {
      const client = await lose(transport.shop(), 'payment');
      await client.list('error-forever');
      await next(client);
      expect(await client.found()).toEqual([spared('payment')]);
    });

    it.each<[string, (client: Client) => Promise<void>]>([
      ['a refusal', (client) => client.ask('payment.get', `${base}/payment/PAY-1`)],
      ['a list of cards', (client) => client.ask('card.list', '/v1/vault/credit-cards')],
      [
        'an answer in another form',
        (client) => client.ask('card.list', '/v1/vault/credit-cards', 'timestamp-precision-varies'),
      ],
    ])('is blamed if %s follows', async (_, next) => {
      const client = await lose(transport.shop(), 'payment');
      await client.list('error-forever');
      await next(client);
      expect(await client.found()).toEqual([blamed('payment')]);
    });

    it('is blamed if the look was sent before the answer was lost', async () => {
      const shop = transport.shop();
      const client = await clientFor(shop, 'payment', { custom: 'order-1' });
      shop.merchant.hold({ op: 'payment.create', count: 2, at: 'before-answer' });
      const sent = client.send('reset-after-commit');
      await shop.merchant.waitForHeld({ times: 1 });
      await see(shop, 'payment.get', { path: `${base}/payment/PAY-1` });
      await client.list('error-forever');
      shop.merchant.release();
      await sent;
      const found = await client.found({ allowUnfired: true });
      expect(found).toContain(blamed('payment'));
    });
  },
  onTestTime,
);

onEveryTransport(
  'a lost answer that is looked up while the service is down, by a client that takes it for a failure',
  (transport) => {
    it.each(['payment', 'hold'] as const)(
      'is blamed if it pays with a new request id: %s',
      async (kind) => {
        const client = await lose(transport.shop(), kind);
        await client.send('error-503-before-commit', 'b');
        await client.list('error-forever');
        expect(await client.found()).toContain(blamed(kind));
      },
    );

    it.each(['payment', 'hold'] as const)('is blamed if it deletes the card: %s', async (kind) => {
      const client = await lose(transport.shop(), kind);
      await client.ask(
        'card.delete',
        `/v1/vault/credit-cards/${client.cardId}`,
        'error-503-before-commit',
      );
      await client.list('error-forever');
      // The card is still in the vault.
      expect(await client.found()).toEqual([blamed(kind), 'medium no-read-after-unknown']);
    });

    it.each(['capture', 'refund'] as const)(
      'is blamed if it sends it with a new request id: %s',
      async (kind) => {
        const client = await lose(transport.shop(), kind);
        await client.send('error-503-before-commit', 'b');
        await client.list('error-forever');
        expect(await client.found()).toContain(blamed(kind));
      },
    );

    it.each(['capture', 'refund'] as const)(
      'is no blame if it also sends another one: %s',
      async (kind) => {
        const client = await lose(transport.shop(), kind);
        const amount = { total: '1.00', currency: 'USD' };
        await client.send('error-503-before-commit', 'b', { amount });
        await client.list('error-forever');
        expect(await client.found()).toContain(spared(kind));
      },
    );

    it.each([
      ['not-paid', 'critical'],
      ['unknown', 'low'],
      ['paid', 'low'],
    ] as const)('is judged by what it believes: %s', async (belief, severity) => {
      const client = await lose(transport.shop(), 'payment');
      await client.list('error-forever');
      const found = await client.found({ beliefs: { 'order-1': belief } });
      expect(found).toEqual([`${severity} orphaned-charge`]);
    });

    it('is blamed if it authorizes the order again after a capture', async () => {
      const client = await lose(transport.shop(), 'capture', { custom: 'order-1' });
      await client.authorizeAgain();
      await client.list('error-forever');
      expect(await client.found()).toContain(blamed('capture'));
    });

    it('is judged by what it believes of a capture', async () => {
      const client = await lose(transport.shop(), 'capture', { custom: 'order-1' });
      await client.list('error-forever');
      for (const [belief, expected] of [
        ['not-paid', blamed('capture')],
        ['unknown', spared('capture')],
      ] as const) {
        expect(await client.found({ beliefs: { 'order-1': belief } })).toEqual([expected]);
      }
    });

    it('names what a proxy did, and is no blame, if only the list could tell', async () => {
      const shop = transport.shop();
      const client = await clientFor(shop, 'payment', { custom: 'order-1' });
      await client.send('executed-twice-by-proxy');
      await client.list('error-forever');
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'orphaned-charge');
      expect([severity, what]).toEqual([
        'low',
        expect.stringContaining('a second time by one request'),
      ]);
    });

    it.each([
      ['before it looks', true, 'low'],
      ['after it looks', false, 'high'],
    ] as const)(
      'is judged by a refusal of the invoice number %s',
      async (_, isBefore, severity) => {
        const client = await lose(transport.shop(), 'payment', { invoice_number: 'INV-1' });
        if (isBefore) await client.send(undefined, 'b');
        await client.list('error-forever');
        if (!isBefore) await client.send(undefined, 'b');
        expect(await client.found()).toContain(`${severity} orphaned-charge`);
      },
    );

    it('is blamed without a request id, if the payment is sent again', async () => {
      const client = await clientFor(transport.shop(), 'payment', { custom: 'order-1' });
      await client.ask('payment.create', client.path, 'reset-after-commit', { body: client.body });
      await client.ask('payment.create', client.path, 'error-503-before-commit', {
        body: client.body,
      });
      await client.list('error-forever');
      expect(await client.found()).toContain(blamed('payment'));
    });

    it('is no blame without a request id, if it is only looked up', async () => {
      const client = await clientFor(transport.shop(), 'payment', { custom: 'order-1' });
      await client.ask('payment.create', client.path, 'reset-after-commit', { body: client.body });
      await client.list('error-forever');
      expect(await client.found()).toEqual([spared('payment')]);
    });

    it('is no blame for a payment before it with the same card', async () => {
      const shop = transport.shop();
      const first = await clientFor(shop, 'payment', { custom: 'order-1' });
      await first.send(undefined, 'first');
      const body = paymentBody({
        cardId: first.cardId,
        transaction: { custom: 'order-2' },
        total: '9.00',
      });
      const client = new Client(shop, first.op, first.path, body, first.cardId);
      await client.send('reset-after-commit');
      await client.list('error-forever');
      expect(await client.found()).toEqual([spared('payment')]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a request that was not made, and whose answer was lost',
  (transport) => {
    it.each([
      ['refund', 'The refund was not made'],
      ['capture', 'The capture was not made'],
    ] as const)('is a remark if the client looks until the test ends: %s', async (kind, harm) => {
      const shop = transport.shop();
      const client = await clientFor(shop, kind, {});
      await client.send('reset-before-commit');
      await client.list('error-forever');
      await client.list('html-error-page');
      expect(await client.found()).toEqual(['low no-read-after-unknown']);
      const verdict = await shop.merchant.verdict();
      const { what, remedy, confidence } = findingOf(verdict, 'no-read-after-unknown');
      expect(what).toContain(`The client tried twice to find out, and no answer told it. ${harm}`);
      expect([remedy, confidence]).toEqual([expect.stringContaining('Look again'), 'possible']);
    });

    it.each(['refund', 'capture'] as const)(
      'is blamed if others succeed afterwards: %s',
      async (kind) => {
        const shop = transport.shop();
        const client = await clientFor(shop, kind, {});
        await client.send('reset-before-commit');
        await client.list('error-forever');
        await client.sellOther();
        expect(await client.found()).toEqual(['high no-read-after-unknown']);
        const { what } = findingOf(await shop.merchant.verdict(), 'no-read-after-unknown');
        expect(what).toContain(
          'The client tried once to find out, and no answer told it. Then it gave up.',
        );
      },
    );

    it('is no finding for a payment, because no money moved', async () => {
      const client = await clientFor(transport.shop(), 'payment', {});
      await client.send('reset-before-commit');
      await client.list('error-forever');
      await client.sellOther();
      expect(await client.found()).toEqual([]);
    });

    it.each([
      ['the test ends', false, 'low'],
      ['others succeed', true, 'high'],
    ])('is a void that leaves money on hold, and is judged if %s', async (_, isWell, severity) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      const client = new Client(shop, 'auth.void', `${base}/authorization/${id}/void`, {});
      await client.send('reset-before-commit');
      await client.ask('auth.get', `${base}/authorization/${id}`, 'error-forever');
      if (isWell) await client.sellOther();
      expect(await client.found()).toEqual([`${severity} no-read-after-unknown`]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a sale that was pending in its answer and is denied later',
  (transport) => {
    async function buy() {
      const client = await clientFor(transport.shop(), 'payment', { custom: 'order-1' });
      await client.send('sale-pending-then-denied');
      const [payment] = [...client.shop.merchant.journal().entries].slice(-1);
      const id = /"sale":\{"id":"(\w+)"/.exec(payment?.response ?? '')?.[1] ?? '';
      return {
        client,
        look: (outcome?: OutcomeId) => client.ask('sale.get', `${base}/sale/${id}`, outcome),
      };
    }

    it.each([
      ['the test ends', 5 * dayMs, false, 'low'],
      ['others succeed', 5 * dayMs, true, 'high'],
      ['it is still pending', 0, false, 'low'],
      ['it is still pending and others succeed', 0, true, 'medium'],
    ])('is judged after a read that failed, if %s', async (_, waitMs, isWell, severity) => {
      const { client, look } = await buy();
      client.shop.merchant.clock.advance(waitMs);
      await look('error-forever');
      if (isWell) await client.sellOther();
      expect(await client.found()).toEqual([`${severity} sale-not-checked`]);
      const found = findingOf(await client.shop.merchant.verdict(), 'sale-not-checked');
      const { what, remedy, confidence } = found;
      expect(what).toContain(
        waitMs > 0 ? 'was denied later' : 'is still pending; it will be denied',
      );
      expect(confidence).toBe(severity === 'high' ? 'likely' : 'possible');
      expect(what).toContain('The client tried once to find out, and no answer told it.');
      expect(remedy).toContain(isWell ? 'Read a pending sale' : 'Look again');
    });

    it('is reported if the client deletes the card after a read that failed', async () => {
      const { client, look } = await buy();
      await look('error-forever');
      await client.ask('card.delete', `/v1/vault/credit-cards/${client.cardId}`);
      expect(await client.found()).toEqual(['high sale-not-checked']);
    });

    it('is a remark if it was read before, as pending', async () => {
      const { client, look } = await buy();
      await look();
      await client.ask('card.delete', `/v1/vault/credit-cards/${client.cardId}`);
      client.shop.merchant.clock.advance(5 * dayMs);
      expect(await client.found()).toEqual(['low sale-not-checked']);
    });
  },
  onTestTime,
);
