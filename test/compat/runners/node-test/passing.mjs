import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertPassed, createSandbox } from 'card-vault-sandbox';

const sandbox = createSandbox({ fixtures: 'empty' });
after(() => sandbox.close());

for (const name of ['first', 'second']) {
  test(`the ${name} shop has money of its own`, { concurrency: true }, async () => {
    const merchant = sandbox.merchant(name);
    const stored = await sandbox.request('/v1/vault/credit-cards', {
      method: 'POST',
      headers: { Authorization: `Bearer ${merchant.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        number: '5555555555554444',
        type: 'mastercard',
        expire_month: 11,
        expire_year: 2031,
      }),
    });
    assert.equal(stored.status, 201);
    assert.equal(merchant.journal().entries.length, 1);
    assertPassed(await merchant.verdict());
  });
}
