/** Billing jobs that write the number of their run into each payment. */
import { expect, it } from 'vitest';
import { hourMs, storeCard } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, send } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';

/** How a client names a payment: by the person, the count of the run, and the time. */
type Naming = (
  person: string,
  run: number,
  now: string,
) => { readonly custom?: string; readonly description?: string };

const runIds = ['0b6f0a52-5d0e-4f7e-9a43-6f0b8f3f2a11', '7c1d9c0e-33b2-4d6a-8f55-2a9e1c4b7d02'];

/** Runs a job twice that charges each person. */
async function runTwice(
  shop: Shop,
  people: readonly string[],
  naming: Naming,
  afterMs = hourMs / 3,
): Promise<void> {
  const cards = new Map<string, string>();
  for (const person of people) {
    cards.set(person, await storeCard(shop, { external_customer_id: person }));
  }
  for (let run = 0; run < 2; run++) {
    for (const [at, person] of people.entries()) {
      const { now } = shop.merchant.clock.read();
      const cardId = cards.get(person) ?? '';
      const names = { description: undefined, ...naming(person, run, now) };
      await send(shop, { cardId, customer: person, total: `${10 + at}.00`, ...names });
      shop.merchant.clock.advance(2000);
    }
    shop.merchant.clock.advance(afterMs);
  }
}

const json = (members: Record<string, unknown>) => ({ custom: JSON.stringify(members) });

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
        'the time of the payment',
        (sub, _run, now) => json({ sub, period: '2030-01', sent_at: now }),
        'which differs only in the time that it holds.',
      ],
      [
        'a time in milliseconds',
        (sub, _run, now) => json({ sub, period: '2030-01', ts: Date.parse(now) }),
        'which differs only in the time that it holds.',
      ],
    ])('is reported for one customer: %s', async (_, naming, why) => {
      const shop = transport.shop();
      await runTwice(shop, ['ada'], naming);
      const finding = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(finding).toMatchObject({ severity: 'high', what: expect.stringContaining(why) });
    });

    it.each<[string, Naming]>([
      ['the number of a batch', (sub, run) => planIn(sub, `batch ${7 + run}`)],
      ['the number of a job', (sub, run) => planIn(sub, `job no. ${41 + run}`)],
      ['the number of a run, in a sentence', (sub, run) => planIn(sub, `run ${41 + run}`)],
    ])('may have been two pieces of work for one customer: %s', async (_, naming) => {
      const shop = transport.shop();
      await runTwice(shop, ['ada'], naming);
      const finding = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(finding).toMatchObject({
        severity: 'medium',
        what: expect.stringContaining(
          'The description of the second differs only in the run of a job that it names.',
        ),
      });
    });

    it.each<[string, Naming]>([
      ['the id of a job', (sub, run) => json({ sub, period: '2030-01', job_id: runIds[run] })],
      ['the number of a batch', (sub, run) => planIn(sub, `batch ${7 + run}`)],
      ['the number of a run', (sub, run) => ({ custom: `${sub}/2030-01/run-${1 + run}` })],
      ['the run before the name', (sub, run) => ({ custom: `run${41 + run}:${sub}:2030-01` })],
      ['words', (sub, run) => ({ description: `Hosting ${sub}, Nov 2030, run ${1 + run}` })],
    ])('is reported once for several customers: %s', async (_, naming) => {
      const shop = transport.shop();
      await runTwice(shop, ['ada', 'bob', 'cyd'], naming);
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge')).toMatchObject({
        severity: 'high',
        what: expect.stringContaining(
          'were charged again 20.1 min later. Texts apart from the run of the job, cards and amounts are the same: 10.00 USD, 11.00 USD and 12.00 USD. Together they look like one job that ran twice.',
        ),
      });
      expect(verdict.totals).toMatchObject([{ excess: '33.00' }]);
    });

    it.each<[string, Naming]>([
      ['two periods', (sub, run) => ({ custom: `${sub}/2030-0${1 + run}/run-${1 + run}` })],
      ['no period', (sub, run) => ({ custom: `${sub}/run-${1 + run}` })],
      ['two parts', (sub, run) => planIn(sub, `batch ${1 + run} of 2`)],
      ['two runs of a year', (sub, run) => planIn(sub, `annual run ${2030 + run}`)],
      ['two parts of the plan', (sub, run) => planIn(sub, ['hosting', 'support'][run] ?? '')],
      [
        'two contracts',
        (sub, run) => json({ sub, contract: runIds[run], period: '2030-01', run: 41 + run }),
      ],
      ['two times without a period', (sub, _run, now) => json({ customer: sub, sent_at: now })],
    ])('is not seen in two purchases: %s', async (_, naming) => {
      const shop = transport.shop();
      await runTwice(shop, ['ada', 'bob', 'cyd'], naming);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is not seen in payments that are made again by the day', async () => {
      const shop = transport.shop();
      const naming: Naming = (sub, run) => ({ custom: `${sub}/2030-01/run-${1 + run}` });
      await runTwice(shop, ['ada', 'bob', 'cyd'], naming, 24 * hourMs);
      expect(await highIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

function planIn(person: string, words: string): ReturnType<Naming> {
  return { custom: `sub-${person}`, description: `Plan S, January 2030, ${words}` };
}
