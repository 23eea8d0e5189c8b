/** Verdicts, pages and coverage of the merchants whose id starts with a prefix. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, createSandbox, type Remote, type Sandbox } from '../../../../src/index.ts';

const cards = '/v1/vault/credit-cards';

async function sharedSandbox(): Promise<Sandbox> {
  const sandbox = createSandbox({ fixtures: 'empty' });
  onTestFinished(() => sandbox.close());
  for (const id of ['ci-cart', 'ci-card', 'local']) {
    await sandbox.merchant(id).fetch(`http://vault${cards}`);
  }
  sandbox.merchant('ci-card').force({ op: 'payment.create', outcome: 'decline-generic' });
  return sandbox;
}

async function clientOf(sandbox: Sandbox): Promise<Remote> {
  return connect((await sandbox.listen({ port: 0 })).url);
}

describe.each(['in process', 'client'])('sandbox.all with a prefix (%s)', (kind) => {
  async function shared(): Promise<Sandbox | Remote> {
    const sandbox = await sharedSandbox();
    return kind === 'client' ? clientOf(sandbox) : sandbox;
  }

  it('judges the merchants whose id starts with it, failed ones first', async () => {
    const { all } = await shared();
    const verdicts = await all.verdict({ prefix: 'ci-' });
    expect(verdicts.map(({ merchant, passed }) => [merchant, passed])).toEqual([
      ['ci-card', false],
      ['ci-cart', true],
    ]);
  });

  it('applies the other options to each of them', async () => {
    const { all } = await shared();
    const verdicts = await all.verdict({ prefix: 'ci-', allowUnfired: true });
    expect(verdicts.map(({ passed }) => passed)).toEqual([true, true]);
  });

  it('fails if no id starts with it, and creates no merchant', async () => {
    const sandbox = await shared();
    expect(await sandbox.all.verdict({ prefix: 'nightly-' })).toMatchObject([
      { merchant: 'nightly-', passed: false, reasons: [{ kind: 'no-requests' }] },
    ]);
    expect(await sandbox.merchants()).toEqual(['ci-cart', 'ci-card', 'local']);
  });

  it('judges all merchants if the prefix is undefined', async () => {
    const { all } = await shared();
    expect(await all.verdict({ prefix: undefined })).toHaveLength(3);
  });

  it('counts what those merchants tried', async () => {
    const { all } = await shared();
    expect(await all.coverage({ prefix: 'ci-' })).toMatchObject({ operations: { 'card.list': 2 } });
    expect(await all.coverage()).toMatchObject({ operations: { 'card.list': 3 } });
    expect((await all.coverage({ prefix: 'nightly-' })).operations).toEqual({});
  });

  it('writes a page about those merchants', async () => {
    const page = await (await shared()).all.verdictPage({ prefix: 'ci-' });
    expect(page).toContain('ci-cart');
    expect(page).not.toContain('local');
  });

  it.each([[''], ['a b'], ['4111111111111111'], [7], [null]])('refuses %j', async (prefix) => {
    const { all } = await shared();
    const selection = { prefix: prefix as string };
    const refusal = { name: 'ArgumentError', code: 'invalid-argument', place: 'prefix' };
    await expect(all.verdict(selection)).rejects.toMatchObject(refusal);
    await expect(all.verdictPage(selection)).rejects.toMatchObject(refusal);
    await expect((async () => all.coverage(selection))()).rejects.toMatchObject(refusal);
  });

  it('refuses other keys', async () => {
    const { all } = await shared();
    const misspelt = { prefx: 'ci-' } as object;
    const refusal = { code: 'invalid-argument', place: 'prefx', nearest: 'prefix' };
    await expect(all.verdictPage(misspelt)).rejects.toMatchObject(refusal);
    await expect((async () => all.coverage(misspelt))()).rejects.toMatchObject(refusal);
    await expect(all.verdict(misspelt)).rejects.toMatchObject({
      code: 'invalid-verdict',
      message: expect.stringMatching(/ Known: failOn, .*, prefix\. Did you mean "prefix"\?$/),
    });
  });

  it('refuses a prefix for one merchant', async () => {
    const merchant = (await shared()).merchant('ci-cart');
    const selection = { prefix: 'ci-' } as object;
    // Programs without types may pass what the methods do not declare.
    const coverage = merchant.coverage as (selection: object) => unknown;
    const page = merchant.verdictPage as (selection: object) => Promise<string>;
    await expect(merchant.verdict(selection)).rejects.toMatchObject({
      code: 'invalid-verdict',
      message: expect.stringContaining('In code, call the method of sandbox.all, if it has one.'),
    });
    await expect((async () => page(selection))()).rejects.toMatchObject({
      code: 'invalid-argument',
    });
    await expect((async () => coverage(selection))()).rejects.toMatchObject({
      code: 'invalid-argument',
      place: 'prefix',
    });
  });
});

describe('?prefix=', () => {
  async function answer(method: 'GET' | 'POST', path: string): Promise<Response> {
    const { url } = await (await sharedSandbox()).listen({ port: 0 });
    return fetch(`${url}/_sandbox${path}`, { method });
  }

  it('selects merchants for POST /_sandbox/verdict', async () => {
    const response = await answer('POST', '/verdict?prefix=ci-');
    expect(await response.json()).toMatchObject([{ merchant: 'ci-card' }, { merchant: 'ci-cart' }]);
  });

  it('can be a key of the body instead, but not both', async () => {
    const { url } = await (await sharedSandbox()).listen({ port: 0 });
    const ask = (query: string): Promise<Response> =>
      fetch(`${url}/_sandbox/verdict?${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"prefix":"ci-"}',
      });
    expect(await (await ask('all=true')).json()).toHaveLength(2);
    const both = await ask('prefix=local');
    expect([both.status, await both.json()]).toMatchObject([400, { place: 'body.prefix' }]);
  });

  it('selects merchants for GET /_sandbox/verdict and GET /_sandbox/coverage', async () => {
    const page = await (await answer('GET', '/verdict?prefix=ci-')).text();
    expect(page).toContain('ci-cart');
    expect(page).not.toContain('local');
    const coverage: unknown = await (await answer('GET', '/coverage?prefix=ci-')).json();
    expect(coverage).toMatchObject({ operations: { 'card.list': 2 } });
  });

  it.each([
    ['GET', '/coverage'],
    ['GET', '/verdict'],
    ['POST', '/verdict'],
    ['POST', '/rules'],
  ] as const)(
    'is refused with a merchant, or if no id can start with it: %s %s',
    async (method, path) => {
      const both = await answer(method, `${path}?prefix=ci-&merchant=local`);
      const empty = await answer(method, `${path}?prefix=`);
      expect([both.status, empty.status]).toEqual([400, 400]);
      if (path === '/rules') return;
      expect(await both.json()).toMatchObject({
        place: 'query.prefix',
        message: "Send either 'prefix' for several merchants or 'merchant' for one, not both.",
      });
      expect(await empty.json()).toMatchObject({
        error: 'invalid-parameter',
        place: 'query.prefix',
        message: expect.stringContaining("'prefix' must be the start of a client id"),
      });
    },
  );
});
