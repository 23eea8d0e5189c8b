import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { onEveryTransport, type TestTransport } from '../../support/transports.ts';
import { rawPaymentBody } from '../../support/samples.ts';
import { fuzzBodies } from './body-fuzz.ts';

const isLong = process.env['FUZZ_BODIES'] !== undefined;
const bodies = Number(process.env['FUZZ_BODIES'] ?? 300);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

/** A small world, because it is compared after every body. */
const options = { fixtures: 'empty' };

const tests = (transport: TestTransport): void => {
  it('is answered as the contract says, does nothing by halves, and leaves no secret', async () => {
    const figures = await fuzzBodies(transport, bodies, seed);
    expect(figures.bodies).toBe(bodies);
    expect(figures.statuses.size).toBeGreaterThan(1);
    if (isLong) process.stdout.write(`${transport.name}: ${inspect(figures)}\n`);
  }, 3_600_000);

  it('is counted as a purchase by the ledger and the verdict if it has members that are no text', async () => {
    const odd = { toString: 1 };
    const shop = transport.shop();
    const transaction = { amount: { total: odd, currency: odd }, invoice_number: odd, custom: odd };
    const body = { ...rawPaymentBody({ number: odd, type: odd }), transactions: [transaction] };
    expect((await shop.send('payment.create', { body })).status).toBe(400);
    shop.merchant.force({ op: 'any', outcome: 'error-503-before-commit' });
    expect((await shop.send('payment.create', { body })).status).toBeLessThan(504);
    expect(shop.merchant.ledger().transfers).toEqual([]);
    expect((await shop.merchant.verdict()).findings).toEqual(expect.any(Array));
  });
};

onEveryTransport('a mutated body', tests, options);
