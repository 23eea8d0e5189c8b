/** The packed package on Deno and Bun, if `npm run test:package` could fetch them. */
import { afterAll, expect, it } from 'vitest';
import { Consumers } from './consumer.ts';
import { runtimesToTry } from './nodes.ts';

/** Other runtimes have their own buffers, timers, sockets and `fetch`. Their errors of `fetch` have codes of their own. */
const program = `
import { assertPassed, connect, createSandbox, VerdictError } from 'card-vault-sandbox';

const headers = { 'Content-Type': 'application/json' };
const sandbox = createSandbox({ seed: 'runtimes', fixtures: new URL('./shop.json', import.meta.url) });
const merchant = sandbox.merchant('my-shop');
const transport = await sandbox.listen({ port: 0 });
const remote = connect(transport.url);

async function walk(name, shop) {
  const post = (path, body) =>
    shop.fetch('https://api.sandbox.paypal.com' + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const stored = await post('/v1/vault/credit-cards', {
    number: '4417119669820331', type: 'visa', expire_month: 11, expire_year: 2099,
  });
  const { id } = await stored.json();
  const pay = () => post('/v1/payments/payment', {
    intent: 'sale',
    payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card_token: { credit_card_id: id } }] },
    transactions: [{ amount: { total: '7.50', currency: 'USD' }, custom: 'order-1' }],
  });
  const paid = await pay();
  const good = await shop.verdict();
  await shop.force({ op: 'payment.create', outcome: 'truncated-body' });
  const cut = await pay().then((answer) => answer.text()).then(() => 'whole', () => 'cut');
  const bad = await shop.verdict();
  let failure;
  try {
    assertPassed(bad);
  } catch (error) {
    failure = error instanceof VerdictError;
  }
  const copy = await shop.export();
  await shop.reset();
  await shop.import(copy);
  const { transfers } = await shop.ledger();
  const page = (await shop.verdictPage()).includes('</html>');
  console.log(name, stored.status, paid.status, good.passed, cut, bad.passed, failure, transfers.length, page);
}

await walk('in process', merchant);
await walk('connected', remote.merchant('over-a-socket'));
const docs = await fetch(transport.url + '/docs');
await docs.text();
console.log(docs.status, (await remote.health()).status, await remote.playScenario('lost-answer'));
await sandbox.close();
`;

const lines = [
  'in process 201 201 true cut false true 2 true',
  'connected 201 201 true cut false true 2 true',
  '200 ready lost-answer',
];

const consumers = new Consumers();
afterAll(() => {
  consumers.remove();
});

const runtimes = [
  { name: 'this Node', version: process.versions.node, path: process.execPath, command: [] },
  ...runtimesToTry(),
];

it.each(runtimes)(
  'the package pays, judges, listens and connects on $name $version',
  async ({ name, path, command }) => {
    const project = consumers.project(name.replaceAll(' ', '-'), {
      'package.json': '{ "private": true, "type": "module" }',
      'shop.json': '{ "cards": [] }',
      'program.js': program,
    });
    const ran = await project.run([...command, 'program.js'], path);
    expect(ran).toEqual({ code: 0, stdout: `${lines.join('\n')}\n`, stderr: '' });
  },
);
