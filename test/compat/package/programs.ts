/** What strangers write on their first day with the package: create, pay, force, listen, connect. */

const walk = `
const authorization = { Authorization: 'Bearer sandbox.my-shop', 'Content-Type': 'application/json' };
const post = (fetch, path, body) =>
  fetch('https://api.sandbox.paypal.com' + path, { method: 'POST', headers: authorization, body: JSON.stringify(body) });

async function main() {
  const sandbox = createSandbox({ seed: 'stranger' });
  const stored = await post(sandbox.fetch, '/v1/vault/credit-cards', {
    number: '4417119669820331', type: 'visa', expire_month: 11, expire_year: 2099,
  });
  const card = await stored.json();
  const transport = await sandbox.listen({ port: 0 });
  const remote = connect(transport.url, { merchant: 'my-shop' });
  await remote.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const payment = {
    intent: 'sale',
    payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card_token: { credit_card_id: card.id } }] },
    transactions: [{ amount: { total: '7.50', currency: 'USD' } }],
  };
  const lost = await post(remote.fetch, '/v1/payments/payment', payment).catch((error) => error.cause.code);
  const paid = await post(remote.fetch, '/v1/payments/payment', payment);
  await remote.playScenario('lost-answer');
  const counted = /outcome="reset-after-commit"} 1\\n/.test(await remote.metrics());
  const page = await fetch(transport.url + '/docs');
  await sandbox.close();
  console.log([stored.status, lost, paid.status, counted, page.status, sandbox.scenarios().length > 10].join(' '));
}
main();
`;

/** What each of them prints. */
export const walked = '201 ECONNRESET 201 true 200 true\n';

const entries = ['card-vault-sandbox', 'card-vault-sandbox/client'] as const;

export const esmProgram = `
import { createSandbox } from '${entries[0]}';
import { connect } from '${entries[1]}';
import fixtures from 'card-vault-sandbox/fixtures.schema.json' with { type: 'json' };
if (fixtures.title === undefined) throw new Error('The schema has no title.');
${walk}`;

export const cjsProgram = `
const { createSandbox } = require('${entries[0]}');
const { connect } = require('${entries[1]}');
if (require('card-vault-sandbox/scenario.schema.json').title === undefined) throw new Error('The schema has no title.');
${walk}`;

/** Loads the package in both ways, and says which names of the global object are new: another's may go by the same. */
export const guestProgram = `
import { createRequire } from 'node:module';
const before = new Set(Object.getOwnPropertyNames(globalThis));
for (const { createSandbox } of [await import('${entries[0]}'), createRequire(import.meta.url)('${entries[0]}')]) {
  const sandbox = createSandbox({ scenario: 'lost-answer' });
  await sandbox.request('/_sandbox/openapi.json');
}
console.log(Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name)).join(' '));
`;

/** Imports and requires the package. Says of each way to reach a class whether it is the same class. */
export const oneProgram = `
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const [library, client] = await Promise.all([import('${entries[0]}'), import('${entries[1]}')]);
console.log([
  library.connect === client.connect,
  library.SandboxError === client.SandboxError,
  require('${entries[0]}').connect === library.connect,
  require('${entries[1]}').connect === library.connect,
  require('${entries[1]}').SandboxError === library.SandboxError,
].join(' '));
`;

/** With types: what is right compiles, what is wrong does not. */
export const typedProgram = `
import {
  createSandbox, scenario, type About, type LedgerReading, type Merchant, type OperationName, type Outcome,
  type OutcomeId, type ForcedRule, type GenerateCardsOptions, type RemoteMerchant, type ScenarioBuilder, type SandboxApp,
} from '${entries[0]}';
import { type Sandbox, type SandboxOptions, type FixtureDocument, type ScenarioDocument } from '${entries[0]}';
import { connect, type Remote } from '${entries[1]}';

const options: SandboxOptions = { seed: 'typed', clock: { start: '2030-01-02T03:04:05Z', frozen: true } };
const sandbox: Sandbox = createSandbox(options);
export const ids: string[] = sandbox.force({ op: 'payment.create', outcome: 'reset-after-commit', times: 2 });
export const answer: Promise<Response> = sandbox.fetch('https://api.sandbox.paypal.com/v1/vault/credit-cards');
export const remote: Remote = connect('http://127.0.0.1:3000');
export const version: Promise<string> = remote.about().then((about) => about.version);
export const fixtures: FixtureDocument = { cards: [] };
export type Own = ScenarioDocument;
export const base = scenario('declines').about('Every card is declined.');
export const named: ScenarioBuilder = base;
export const app: SandboxApp = sandbox.app;
export const operation: OperationName = 'payment.create';
export async function chargedAt(merchant: Merchant | RemoteMerchant): Promise<LedgerReading> {
  return merchant.ledger();
}
export async function ofEither(either: Sandbox | Remote): Promise<[readonly Outcome[], Outcome, About]> {
  const explained = await either.explain((await answer).headers.get('paypal-debug-id'));
  console.log(explained?.summary);
  return [await either.outcomes(), await either.outcome('reset-after-commit'), await either.about()];
}
// What an editor offers: a plain text would leave nothing of these.
export const offered: Extract<ForcedRule['outcome'], 'reset-after-commit'> = 'reset-after-commit';
export const dealt: Extract<GenerateCardsOptions['outcome'], 'decline-generic'> = 'decline-generic';
// @ts-expect-error: there is no such outcome.
export const misspelt: OutcomeId = 'reset-after-comit';
sandbox.force({ op: 'payment.create', outcome: 'decline-insufficient-funds' });
// @ts-expect-error: there is no such outcome.
sandbox.force({ op: 'payment.create', outcome: 'declined' });
// @ts-expect-error: there is no such outcome.
sandbox.force({ op: 'payment.create', sequence: ['ok', 'declined'] });
// @ts-expect-error: there is no such outcome.
base.op('payment.create').then('declined');
// @ts-expect-error: there is no such outcome.
export const rules: ScenarioDocument['rules'] = [{ op: 'payment.create', then: 'declined' }];
// @ts-expect-error: there is no such outcome.
sandbox.generateCards({ outcome: 'declined' });
// @ts-expect-error: there is no such option.
createSandbox({ sead: 'typo' });
// @ts-expect-error: there is no such operation.
sandbox.force({ op: 'payment.creat', outcome: 'reset-after-commit' });
// @ts-expect-error: a promise over the wire.
export const reading: string = remote.about().version;
`;

/** How consumers set their compilers; every library is checked as well. */
export const compilers = [
  { name: 'node16 as ESM', file: 'main.mts', module: 'node16', moduleResolution: 'node16' },
  { name: 'node16 as CommonJS', file: 'main.cts', module: 'node16', moduleResolution: 'node16' },
  { name: 'bundler', file: 'main.ts', module: 'esnext', moduleResolution: 'bundler' },
] as const;
