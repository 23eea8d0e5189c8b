/** Billing jobs that write the number of their run into each payment. */
import { expect, it } from 'vitest';
import { hourMs, storeCard } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, newKey, send } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';

/** How a client names a payment: by the person, the count of the run, and the time. */
type Naming = (
  person: string,
  run: number,
  now: string,
) => { readonly custom?: string; readonly description?: string };

const people = ['ada', 'bob', 'cyd'];

const runIds = ['0b6f0a52-5d0e-4f7e-9a43-6f0b8f3f2a11', '7c1d9c0e-33b2-4d6a-8f55-2a9e1c4b7d02'];

/** Stores a card of each person. */
async function storeCards(
  shop: Shop,
  customers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const cards = new Map<string, string>();
  for (const person of customers) {
    cards.set(person, await storeCard(shop, { external_customer_id: person }));
  }
  return cards;
}

/** Runs a job twice that charges each person, and repeats a request whose answer it did not receive. */
async function runTwice(
  shop: Shop,
  customers: readonly string[],
  naming: Naming,
  afterMs = hourMs / 3,
  keyOf: (person: string) => string = newKey,
): Promise<void> {
  const cards = await storeCards(shop, customers);
  for (let run = 0; run < 2; run++) {
    for (const [at, person] of customers.entries()) {
      const { now } = shop.merchant.clock.read();
      const cardId = cards.get(person) ?? '';
      const names = { description: undefined, ...naming(person, run, now) };
      const order = { cardId, customer: person, total: `${10 + at}.00`, ...names };
      const key = keyOf(person);
      const { status } = await send(shop, order, key);
      if (status === undefined) await send(shop, order, key);
      shop.merchant.clock.advance(2000);
    }
    shop.merchant.clock.advance(afterMs);
  }
}

const json = (members: Record<string, unknown>) => ({ custom: JSON.stringify(members) });

function planIn(person: string, words: string): ReturnType<Naming> {
  return { custom: `sub-${person}`, description: `Plan S, January 2030, ${words}` };
}

onEveryTransport(
  'a billing job that names its run and runs twice',
  (transport) => {
    it.each<[string, Naming, string]>([
      [
        'the id of the run',
        (sub, run) => json({ sub, period: '2030-01', run: runIds[run] }),
        'The custom of the second is "{"sub":"ada","period":"2030-01","run":"7c1d9c0e-33b2-4d6a-8f55-2a9e1c4b7d02"}", which differs only in the run of a job that it names.',
      ],
      [
        'the number of the run',
        (sub, run) => ({ custom: `sub-${sub}:2030-01:run-${41 + run}` }),
        'The custom of the second is "sub-ada:2030-01:run-42", which differs only in the run of a job that it names.',
      ],
      [
        'any name of the run, in JSON',
        (sub, run) => json({ sub, period: '2030-01', jobRunId: `nightly-${run}` }),
        'which differs only in the run of a job that it names.',
      ],
      [
        'the number of a batch',
        (sub, run) => planIn(sub, `batch ${7 + run}`),
        'The description of the second differs only in the run of a job that it names.',
      ],
      [
        'the run and the time',
        (sub, run, now) => json({ sub, period: '2030-01', run: 41 + run, at: now }),
        'which differs only in the run of a job that it names.',
      ],
      [
        'the time of the payment',
        (sub, _run, now) => json({ sub, period: '2030-01', sent_at: now }),
        'which differs only in the time at which it was sent.',
      ],
      [
        'a time in milliseconds',
        (sub, _run, now) => json({ sub, period: '2030-01', ts: Date.parse(now) }),
        'which differs only in the time at which it was sent.',
      ],
      [
        'a time in seconds',
        (sub, _run, now) => ({ custom: `sub-${sub} 2030-01 ${Date.parse(now) / 1000}` }),
        'which differs only in the time at which it was sent.',
      ],
      [
        'a time without seconds',
        (sub, _run, now) => planIn(sub, `sent ${now.slice(0, 16)}`),
        'The description of the second differs only in the time at which it was sent.',
      ],
    ])('may have been meant for one customer: %s', async (_, naming, why) => {
      const shop = transport.shop();
      await runTwice(shop, ['ada'], naming);
      const finding = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(finding).toMatchObject({
        severity: 'medium',
        what: expect.stringContaining(why),
        remedy: expect.stringMatching(
          /make the PayPal-Request-Id from the customer and the period\. Leave the run and its time out of the body, so that it is the same each time\.$/,
        ),
      });
    });

    it.each<[string, Naming, 'run of the job' | 'time']>([
      [
        'the id of a job',
        (sub, run) => json({ sub, period: '2030-01', job_id: runIds[run] }),
        'run of the job',
      ],
      [
        'the id of an invocation',
        (sub, run) => json({ sub, period: '2030-01', invocation_id: runIds[run] }),
        'run of the job',
      ],
      ['the number of a batch', (sub, run) => planIn(sub, `batch ${7 + run}`), 'run of the job'],
      [
        'the number of a run',
        (sub, run) => ({ custom: `sub-${sub}/2030-01/run-${1 + run}` }),
        'run of the job',
      ],
      [
        'words',
        (sub, run) => ({ description: `Hosting ${sub}, Nov 2030, run ${1 + run}` }),
        'run of the job',
      ],
      ['the time', (sub, _run, now) => json({ sub, period: '2030-01', sent_at: now }), 'time'],
    ])('is reported once for several customers: %s', async (_, naming, difference) => {
      const shop = transport.shop();
      await runTwice(shop, people, naming);
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge')).toMatchObject({
        severity: 'high',
        what: expect.stringContaining(
          `were charged again 20.1 min later. Apart from the ${difference}, names, cards and amounts are the same: 10.00 USD, 11.00 USD and 12.00 USD. Together they look like one job that ran twice.`,
        ),
        remedy: expect.stringContaining('Leave the run and its time out of the body'),
      });
      expect(verdict.totals).toMatchObject([{ excess: '33.00' }]);
    });

    it.each<[string, Naming]>([
      ['a run of a month', (sub, run) => ({ custom: `${sub}/2030-01/run-${1 + run}` })],
      [
        'a delivery',
        (sub, run) => ({ custom: sub, description: `Delivery run ${run}, 2030-01-02` }),
      ],
      ['a time', (sub, _run, now) => ({ custom: `${sub}/2030-01/${now}` })],
    ])('may have been meant for several customers without a plan: %s', async (_, naming) => {
      const shop = transport.shop();
      await runTwice(shop, people, naming);
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
    });

    it.each([
      ['in turn', [0, 1, 0, 1, 0, 1]],
      ['in turn, now one of them first and now the other', [0, 1, 1, 0, 1, 0]],
    ])('is reported once if two workers take the orders %s', async (_, runs) => {
      const shop = transport.shop();
      const cards = await storeCards(shop, people);
      for (const [at, run] of runs.entries()) {
        const person = people[Math.floor(at / 2)] ?? '';
        const custom = JSON.stringify({ sub: person, period: '2030-01', run: runIds[run] });
        await send(
          shop,
          {
            cardId: cards.get(person) ?? '',
            customer: person,
            total: `${10 + Math.floor(at / 2)}.00`,
            custom,
            description: undefined,
          },
          newKey(),
        );
        shop.merchant.clock.advance(300);
      }
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge')).toMatchObject({
        severity: 'high',
        what: expect.stringContaining('Together they look like one job that ran twice.'),
      });
      expect(verdict.totals).toMatchObject([{ excess: '33.00' }]);
    });

    it.each([41, 42])(
      'is reported with all its orders if run %i had its answers with repeats',
      async (run) => {
        const shop = transport.shop();
        shop.merchant.force({
          op: 'payment.create',
          outcome: 'reset-after-commit',
          match: { 'transactions[0].description': { matches: `run ${run}` }, $attempt: 1 },
          times: 3,
        });
        await runTwice(shop, people, (sub, at) => planIn(sub, `run ${41 + at}`));
        const verdict = await shop.merchant.verdict();
        expect(findingOf(verdict, 'double-charge').what).toMatch(/^3 purchases /);
        expect(verdict.totals).toMatchObject([{ excess: '33.00' }]);
      },
    );

    it('is reported with the order that failed in the first run', async () => {
      const shop = transport.shop();
      shop.merchant.force({
        op: 'payment.create',
        outcome: 'decline-insufficient-funds',
        per: 'merchant',
        nth: 2,
      });
      await runTwice(shop, people, (sub, run) => planIn(sub, `run ${41 + run}`));
      expect(findingOf(await shop.merchant.verdict(), 'double-charge')).toMatchObject({
        severity: 'high',
        what: expect.stringContaining(
          'The second run also sent what had failed in the first: "sub-bob".',
        ),
      });
    });

    it.each<[string, Naming]>([
      ['two periods', (sub, run) => ({ custom: `${sub}/2030-0${1 + run}/run-${1 + run}` })],
      ['no period', (sub, run) => ({ custom: `${sub}/run-${1 + run}` })],
      ['two parts', (sub, run) => planIn(sub, `batch ${1 + run} of 2`)],
      ['two runs of a year', (sub, run) => planIn(sub, `annual run ${2030 + run}`)],
      ['two parts of the plan', (sub, run) => planIn(sub, ['hosting', 'support'][run] ?? '')],
      ['two words that hold "run"', (sub, run) => planIn(sub, ['trunk', 'prune'][run] ?? '')],
      [
        'two contracts',
        (sub, run) => json({ sub, contract: runIds[run], period: '2030-01', run: 41 + run }),
      ],
      ['two times without a period', (sub, _run, now) => json({ customer: sub, sent_at: now })],
      [
        'two lessons',
        (sub, run) => json({ sub, period: '2030-01', class_at: `2030-01-0${7 + run}T18:00:00Z` }),
      ],
      [
        'a job of each customer',
        (sub, run) => json({ client: sub, date: '2030-01-02', job: 4100 + run * 3 + sub.length }),
      ],
    ])('is not seen in two purchases: %s', async (_, naming) => {
      const shop = transport.shop();
      await runTwice(shop, ['ada', 'cleo', 'daniel'], naming);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is not seen in payments that are made again by the day', async () => {
      const shop = transport.shop();
      const naming: Naming = (sub, run) => ({ custom: `${sub}/2030-01/run-${1 + run}` });
      await runTwice(shop, people, naming, 24 * hourMs);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('did no harm if both runs have one request id, and the service refused the second', async () => {
      const shop = transport.shop();
      const naming: Naming = (sub, run) => json({ sub, period: '2030-01', run: runIds[run] });
      await runTwice(shop, ['ada'], naming, hourMs, (person) => `bill-${person}-2030-01`);
      const { what, severity } = findingOf(
        await shop.merchant.verdict(),
        'key-reused-for-other-intent',
      );
      expect(severity).toBe('low');
      expect(what).toContain('bodies that ask for the same thing');
    });

    it('has used one request id for two periods', async () => {
      const shop = transport.shop();
      const naming: Naming = (sub, run) => json({ sub, period: `2030-0${1 + run}`, run });
      await runTwice(shop, ['ada'], naming, hourMs, (person) => `bill-${person}`);
      expect(await highIn(shop)).toEqual(['high key-reused-for-other-intent']);
    });
  },
  onTestTime,
);
