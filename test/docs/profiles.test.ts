/** The table of profiles in docs/concepts/profiles.md lists every difference between the profiles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { profileNames, profiles, type ProfileName } from '../../src/contract/profile.ts';
import { createSandbox } from '../../src/index.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { readPage } from '../support/repository/documentation.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../support/samples.ts';
import { filesIn } from '../support/repository/source-files.ts';

/** Each place in the code that reads the profile, and the row of the table that describes it. */
const rows = {
  'vaultedPaymentState in src/http/views/payment-views.ts':
    'state of a payment with a vaulted card',
  'vaultedPaymentState in src/http/handlers/payments.ts':
    'PATCH of a payment with a vaulted card, such as `/transactions/0/custom`',
  'refundLinkMethod in src/http/views/payment-views.ts': "method of a sale's `refund` link",
  'vaultExpiryAs in src/http/views/card-view.ts': '`expire_month`, `expire_year` of a vault card',
  'paymentTimes in src/http/views/view.ts': 'times of payments and sales',
  'addsSubtotal in src/http/views/view.ts': '`amount.details.subtotal` added',
} as const;

function readsOfProfile(): string[] {
  const members = Object.keys(profiles.documented);
  const reads = filesIn('src')
    .filter((path) => path.endsWith('.ts') && path !== 'src/contract/profile.ts')
    .flatMap((path) => {
      const code = readFileSync(join(packageRoot(), path), 'utf8');
      return members
        .filter((member) =>
          new RegExp(String.raw`profile\.${member}\b|\b${member}\b[^;\n]*\} = [\w.]*profile;`).test(
            code,
          ),
        )
        .map((member) => `${member} in ${path}`);
    });
  return reads.toSorted();
}

it('every place that reads the profile has its row', () => {
  expect(readsOfProfile()).toEqual(Object.keys(rows).toSorted());
  const page = readPage('docs/concepts/profiles.md');
  for (const row of Object.values(rows)) expect(page).toContain(`| ${row} `);
});

/** Answers of one walk through the service, by step. */
async function walk(profile: ProfileName): Promise<Record<string, unknown>> {
  const sandbox = createSandbox({
    profile,
    fixtures: 'empty',
    seed: 'profiles',
    clock: { start: '2026-05-06T07:08:09.123Z', frozen: true },
  });
  const { fetch } = sandbox.merchant('walk');
  const answers: Record<string, unknown> = {};
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://sandbox.local/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: Record<string, unknown> = JSON.parse(await response.text());
    delete answer['debug_id'];
    answers[`${method} ${path}`] = { status: response.status, ...answer };
    return String(answer['id']);
  };
  const cardId = await ask('POST', '/vault/credit-cards', cardBody());
  await ask('PATCH', `/vault/credit-cards/${cardId}`, [
    { op: 'replace', path: '/first_name', value: 'Grace' },
  ]);
  const paid = await ask('POST', '/payments/payment', paymentBody({ cardId }));
  const raw = await ask('POST', '/payments/payment?', rawPaymentBody());
  await ask('GET', `/payments/payment/${raw}`);
  await ask('GET', '/vault/credit-cards');
  await ask('GET', '/payments/payment');
  await ask('POST', '/vault/credit-cards?', {});
  await ask('POST', `/payments/payment/${paid}/execute`, {});
  await ask('PATCH', `/payments/payment/${paid}`, [
    { op: 'replace', path: '/transactions/0/custom', value: 'x' },
  ]);
  return answers;
}

it('answers differ only where the table says so', async () => {
  const [one, other] = await Promise.all(profileNames.map(walk));
  const differing = new Set<string>();
  compare(one, other, 'answer', differing);
  expect([...differing].toSorted()).toEqual([
    'amount.details',
    'create_time',
    'expire_month',
    'expire_year',
    'links.method',
    // The PATCH of a payment, which one of the profiles refuses.
    'refused',
    'state',
    'update_time',
  ]);
});

/** Collects the names of the members that differ, with the name of their holder where they are too short to tell. */
function compare(one: unknown, other: unknown, name: string, into: Set<string>): void {
  if (!isObject(one) || !isObject(other)) {
    if (one !== other) into.add(name);
    return;
  }
  if (one['status'] !== other['status']) {
    into.add('refused');
    return;
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const path = ['details', 'method'].includes(key) ? `${name}.${key}` : key;
    compare(one[key], other[key], Array.isArray(one) ? name : path, into);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
