/** Bodies in every form are read alike, and what `fetch` refuses is refused. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { testNow } from '../../support/transports.ts';
import { cardBody } from '../../support/samples.ts';

const url = 'https://api.sandbox.paypal.com/v1/vault/credit-cards';
const json = { 'Content-Type': 'application/json' };
const encode = (text: string) => new TextEncoder().encode(text);

/** The same text, as whatever `fetch` takes. */
const forms: Readonly<Record<string, (text: string) => RequestInit>> = {
  text: (text) => ({ body: text }),
  bytes: (text) => ({ body: encode(text) }),
  Blob: (text) => ({ body: new Blob([text]) }),
  stream: (text) => ({ body: new Blob([text]).stream(), duplex: 'half' }),
};

const texts: Readonly<Record<string, string>> = {
  'a card': JSON.stringify(cardBody()),
  'a name beyond ASCII': JSON.stringify({ ...cardBody(), first_name: 'Zoë ✓ 𝒜' }),
  'half a character': `{"first_name":"\ud800"}`,
  'no JSON': '{"number":',
  nothing: '',
  'too much': JSON.stringify({ ...cardBody(), first_name: 'é'.repeat(600) }),
};

const shop = () =>
  createSandbox({
    seed: 'bodies',
    clock: { start: testNow, frozen: true },
    limits: { maxBodyBytes: 1_024 },
  });

/** What was answered, and what the journal kept of the request. */
async function outcome(init: RequestInit, headers: Record<string, string> = json) {
  const sandbox = shop();
  const all = { Authorization: `Bearer ${sandbox.token}`, ...headers };
  const answer = await sandbox.fetch(url, { method: 'POST', headers: all, ...init });
  const [entry] = sandbox.journal().entries;
  return { status: answer.status, text: await answer.text(), request: entry?.request };
}

describe('a request body in process', () => {
  it.each(Object.entries(texts))('is read alike in every form: %s', async (_, text) => {
    const expected = await outcome({ body: encode(text) });
    for (const form of Object.values(forms)) expect(await outcome(form(text))).toEqual(expected);
  });

  it('is read alike in a Request and in the options of fetch', async () => {
    const sandbox = shop();
    const headers = { ...json, Authorization: `Bearer ${sandbox.token}` };
    const body = JSON.stringify(cardBody());
    const whole = new Request(url, { method: 'POST', headers, body });
    const bare = new Request(url, { method: 'POST', headers });
    expect((await sandbox.fetch(whole)).status).toBe(201);
    expect((await sandbox.fetch(bare, { body })).status).toBe(201);
    expect(
      await sandbox.request('/v1/vault/credit-cards', { method: 'POST', headers, body }),
    ).toMatchObject({ status: 201 });
  });

  it('gets the default Content-Type of fetch for a text', async () => {
    const { status, text } = await outcome({ body: texts['a card'] ?? '' }, {});
    expect(status).toBe(415);
    expect(text).toContain('UNSUPPORTED_MEDIA_TYPE');
  });

  it('reaches the control API too', async () => {
    const sandbox = shop();
    const rule = { op: 'card.create', outcome: 'error-503-before-commit' };
    const armed = await sandbox.request('/_sandbox/rules', {
      method: 'POST',
      headers: json,
      body: JSON.stringify(rule),
    });
    expect(armed.ok).toBe(true);
    expect(sandbox.rules()).toMatchObject([
      { operations: [rule.op], steps: [{ outcome: rule.outcome }] },
    ]);
  });

  it('is refused with GET', async () => {
    const asked = shop().fetch(url, { headers: json, body: '{}' });
    await expect(asked).rejects.toThrow(TypeError);
  });
});

describe('an answer in process', () => {
  it.each([
    ['a text', url, url],
    ['a URL', new URL(`${url}?page=1#top`), `${url}?page=1`],
    ['a Request', new Request(url), url],
    ['a path', '/v1/vault/credit-cards', 'http://sandbox.local/v1/vault/credit-cards'],
  ])('has the URL of its request, given as %s', async (_how, input, asked) => {
    const sandbox = shop();
    expect((await sandbox.fetch(input)).url).toBe(asked);
  });
});
