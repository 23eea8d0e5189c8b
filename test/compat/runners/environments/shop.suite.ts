/** Run by `environments.test.ts` in environments that imitate a browser: what a merchant's tests do there. */
import { afterAll, describe, expect, test } from 'vitest';
import { connect, createSandbox } from '../../../../src/index.ts';
import { cardBody, rawPaymentBody } from '../../../support/samples.ts';

const cards = 'https://api.sandbox.paypal.com/v1/vault/credit-cards';
const json = { 'Content-Type': 'application/json' };
const text = JSON.stringify(cardBody());
const sandbox = createSandbox({ fixtures: 'empty' });
const { url } = await sandbox.listen({ port: 0 });
afterAll(() => sandbox.close());

/** Whether the `fetch` of the environment lets a page read another origin. */
const readsOtherOrigins = process.env['READS_OTHER_ORIGINS'] === 'true';

describe('in process', () => {
  const authorized = { Authorization: `Bearer ${sandbox.token}`, ...json };
  const headerForms = {
    'plain headers': () => authorized,
    'pairs of headers': () => Object.entries(authorized),
    'Headers of the environment': () => new Headers(authorized),
  };

  test.each(Object.entries(headerForms))('takes %s', async (_, headers) => {
    const init = { method: 'POST', headers: headers(), body: text };
    for (const answer of [
      await sandbox.fetch(cards, init),
      await sandbox.fetch(new Request(cards, init)),
      await sandbox.request('/v1/vault/credit-cards', init),
      await sandbox.merchant('by-merchant').fetch(cards, { ...init, headers: json }),
      await sandbox
        .merchant('by-merchant')
        .fetch(new Request(cards, { ...init, headers: new Headers(json) })),
    ]) {
      expect(answer.status).toBe(201);
      expect(answer.headers.get('Content-Type')).toContain('application/json');
      expect(await answer.json()).toMatchObject({ id: expect.stringMatching(/^CARD-/) });
    }
  });

  test.each(Object.entries(headerForms))('applies an outcome named in %s', async (_, headers) => {
    const all = new Headers(headers());
    all.set('Sandbox-Outcome', 'error-503-before-commit');
    const answer = await sandbox.fetch(cards, { method: 'POST', headers: all, body: text });
    expect(answer.status).toBe(503);
    const request = new Request(cards, { method: 'POST', headers: all, body: text });
    expect((await sandbox.fetch(request)).status).toBe(503);
  });

  const bodies: Readonly<Record<string, () => BodyInit>> = {
    'a text': () => text,
    'a Blob': () => new Blob([text]),
    'a Uint8Array': () => new TextEncoder().encode(text),
    'an ArrayBuffer': () => new Uint8Array([...text].map((sign) => sign.charCodeAt(0))).buffer,
  };

  test.each(Object.entries(bodies))('takes a body that is %s', async (_, body) => {
    const { fetch } = sandbox.merchant('bodies');
    const answer = await fetch(cards, { method: 'POST', headers: json, body: body() });
    expect(answer.status, await answer.text()).toBe(201);
  });

  test('takes a form', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const headers = { Authorization: `Basic ${btoa('forms:any')}` };
    const init = { method: 'POST', headers, body };
    const token = 'https://api.sandbox.paypal.com/v1/oauth2/token';
    for (const answer of [
      await sandbox.fetch(token, init),
      await sandbox.fetch(new Request(token, init)),
    ]) {
      expect(answer.status, await answer.clone().text()).toBe(200);
    }
    const form = new FormData();
    form.append('number', '1');
    const answer = await sandbox.merchant('forms').fetch(cards, { method: 'POST', body: form });
    expect(answer.status).toBe(415);
  });

  test('rejects lost answers', async () => {
    const merchant = sandbox.merchant('lost');
    const init = { method: 'POST', headers: json, body: text };
    for (const [outcome, code] of [
      ['reset-after-commit', 'ECONNRESET'],
      ['close-after-commit', 'UND_ERR_SOCKET'],
    ] as const) {
      merchant.force({ op: 'card.create', outcome });
      await expect(merchant.fetch(cards, init)).rejects.toMatchObject({ cause: { code } });
    }
    merchant.force({ op: 'card.create', outcome: 'truncated-body' });
    const cut = merchant.fetch(cards, init).then((answer) => answer.text());
    await expect(cut).rejects.toBeInstanceOf(Error);
  });

  test('ends a call that the caller aborts', async () => {
    const merchant = sandbox.merchant('aborted');
    const init = { method: 'POST', headers: json, body: text };
    merchant.hold({ op: 'card.create', count: 2, at: 'before-commit' });
    const caller = new AbortController();
    const call = merchant.fetch(cards, { ...init, signal: caller.signal });
    await merchant.waitForHeld({ times: 1 });
    caller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect(merchant.fetch(cards, { ...init, signal: caller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('judges the money', async () => {
    const merchant = sandbox.merchant('money');
    const payments = 'https://api.sandbox.paypal.com/v1/payments/payment';
    const body = JSON.stringify(rawPaymentBody());
    merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    const pay = (id: string): Promise<Response> =>
      merchant.fetch(payments, {
        method: 'POST',
        headers: { ...json, 'PayPal-Request-Id': id },
        body,
      });
    await expect(pay('first')).rejects.toThrow('fetch failed');
    expect((await pay('second')).status).toBe(201);
    expect((await merchant.verdict()).findings.map(({ rule }) => rule)).toContain('double-charge');
  });
});

describe('connected', () => {
  const remote = connect(url, { merchant: 'remote' });

  test('works, or says that the environment refuses another origin', async () => {
    if (!readsOtherOrigins) {
      await expect(remote.health()).rejects.toThrow(
        /^The test environment refused to send a request to http:.+ environment node/,
      );
      return;
    }
    expect(await remote.health()).toMatchObject({ status: 'ready' });
    await remote.force({ op: 'card.create', outcome: 'error-503-before-commit' });
    const init = { method: 'POST', headers: json, body: text };
    const { fetch } = remote.merchant('remote');
    expect((await fetch(cards, init)).status).toBe(503);
    expect((await fetch(new Request(cards, init))).status).toBe(201);
    const { entries } = await remote.journal();
    expect(entries.map(({ status }) => status)).toEqual([503, 201]);
    expect(await remote.verdict()).toMatchObject({ merchant: 'remote' });
    await remote.reset();
    const limited = connect(url, { merchant: 'remote', timeoutMs: 60_000 });
    expect(await limited.health()).toMatchObject({ status: 'ready' });
    const { signal } = new AbortController();
    const waiting = limited.waitFor({ operation: 'card.create' }, { signal });
    const request = new Request(cards, init);
    expect((await limited.request('/v1/vault/credit-cards')).status).toBe(401);
    expect((await limited.merchant('remote').fetch(request)).status).toBe(201);
    expect(await waiting).toHaveLength(1);
    const gone = new AbortController();
    gone.abort();
    const late = limited.waitFor({ operation: 'card.list' }, { signal: gone.signal });
    await expect(late).rejects.toMatchObject({ name: 'AbortError' });
  });
});
