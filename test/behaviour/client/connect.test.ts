/** What is the client's own: its errors, its token, and that it has every verb there is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import {
  ArgumentError,
  connect,
  createSandbox,
  SandboxError,
  type Remote,
  type RemoteMerchant,
  type Sandbox,
  type EveryMerchant,
  type Merchant,
  type SandboxOptions,
} from '../../../src/index.ts';
import { remoteError } from '../../../src/client/remote-error.ts';
import { verbNamed, type VerbName, type verbs } from '../../../src/contract/control/verbs.ts';
import { controlProblems } from '../../../src/contract/problems.ts';
import type { SandboxVerb } from '../../../src/sandbox/types.ts';
import { readSources } from '../../support/repository/source-files.ts';
import { asRule } from '../../support/requests/unchecked-input.ts';

/** Verbs that only make sense in process, and those that no control call exists for. */
const onlyHere = ['seed', 'app', 'listen', 'watchScenario'] as const;

/** The same verbs, each of which takes a round trip. */
type Away<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer A) => infer R
    ? (...given: A) => Promise<Awaited<R>>
    : T[K];
};

type VerbTable = typeof verbs;

/** The methods that the table of verbs makes of some of its rows, by name or by group. */
type MethodsOf<Names extends VerbName> = {
  [Name in Names]: VerbTable[Name] extends { readonly methods: infer Methods }
    ? GroupOf<keyof Methods & string>
    : Name;
}[Names];

type GroupOf<Path extends string> = Path extends `${infer Group}.${string}` ? Group : Path;

/** The verbs whose rows have this form. */
type VerbsWith<Row> = {
  [Name in VerbName]: VerbTable[Name] extends Row ? Name : never;
}[VerbName];

async function serving(options: SandboxOptions = {}): Promise<string> {
  const sandbox = createSandbox({ fixtures: 'empty', ...options });
  onTestFinished(() => sandbox.close());
  return (await sandbox.listen({ port: 0 })).url;
}

/** What comes of a call that throws, at once or later. */
async function thrown(call: () => unknown): Promise<Error> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It threw no error.');
}

/** What a call of the client throws. */
async function thrownBy(call: () => Promise<unknown>): Promise<SandboxError> {
  const error = await thrown(call);
  if (error instanceof SandboxError) return error;
  throw new Error(`It threw no SandboxError: ${String(error)}`);
}

describe('a refusal of a sandbox', () => {
  it('is thrown with its message, place, allowed values and nearest match', async () => {
    const sandbox = connect(await serving());
    const rule = asRule({ op: 'payment.craete', outcome: 'hang-after-commit' });
    expect(await thrownBy(() => sandbox.force(rule))).toMatchObject({
      code: 'invalid-rule',
      status: 400,
      place: 'op',
      nearest: 'payment.create',
      allowed: expect.arrayContaining(['any-write']),
      issues: [{ place: 'op' }],
      message: expect.stringContaining('Did you mean "payment.create"?'),
    });
  });

  it('is thrown for an unknown merchant', async () => {
    const sandbox = connect(await serving());
    const error = await thrownBy(() => sandbox.deleteMerchant('unused'));
    expect(error).toMatchObject({ code: 'unknown-merchant', status: 404 });
  });

  it('is thrown if the control token is missing or wrong', async () => {
    const url = await serving({ controlToken: 'open-sesame' });
    for (const sandbox of [connect(url), connect(url, { token: 'wrong' })]) {
      const error = await thrownBy(() => sandbox.reset());
      expect(error).toMatchObject({ code: 'token-required', status: 401 });
      expect((await sandbox.health()).status).toBe('ready');
    }
    await connect(url, { token: 'open-sesame' }).reset();
  });
});

describe('an address without a sandbox', () => {
  it('is reported as unreachable if nothing answers', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const { url } = await sandbox.listen({ port: 0 });
    await sandbox.close();
    const error = await thrownBy(() => connect(url).health());
    expect(error).toMatchObject({ code: 'unreachable' });
    expect(error.message).toContain(`Nothing answers at ${url} (ECONNREFUSED).`);
  });

  it('is reported as another server if something else answers', async () => {
    const server = createServer((_, response) => response.end('<h1>Hello</h1>')).listen(0);
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const error = await thrownBy(() => connect(`http://127.0.0.1:${port}`).about());
    expect(error).toMatchObject({ code: 'no-sandbox', status: 200 });
  });

  it.each([
    ['127.0.0.1:7999', 'http://127.0.0.1:7999'],
    ['7999', 'http://127.0.0.1:7999'],
    ['[::1]:7999', 'http://[::1]:7999'],
    ['https://shop.test/', 'https://shop.test'],
  ])('is connected to by its address, as the command is: "%s"', (address, url) => {
    expect(connect(address).url).toBe(url);
  });

  it.each(['shop.test', '127.0.0.1:99999', 'ftp://shop.test', ''])(
    'is refused without a request: "%s"',
    (url) => {
      expect(() => connect(url)).toThrow('is no address of a sandbox');
    },
  );
});

describe('the client', () => {
  it('acts on the merchant in its options', async () => {
    const url = await serving();
    const shop = connect(`${url}//`, { merchant: 'my-shop' });
    await shop.clock.freeze();
    expect([shop.id, shop.token, shop.url]).toEqual(['my-shop', 'sandbox.my-shop', url]);
    expect(await shop.merchants()).toEqual(['my-shop']);
  });

  // A caller without types may pass these, or an unset variable of the environment.
  it.each<unknown>([null, '', ' ', 'a/b', '.', 5, {}])(
    'refuses the merchant id %j instead of using another merchant',
    async (id) => {
      const wrong = id as string;
      const inProcess = await thrown(() => createSandbox({ fixtures: 'empty' }).merchant(wrong));
      expect(inProcess.message).toContain('A merchant id must be 1 to 128 letters');
      const away = connect('http://127.0.0.1:9');
      expect(() => away.merchant(wrong)).toThrow(inProcess);
      expect(() => connect('http://127.0.0.1:9', { merchant: wrong })).toThrow(inProcess);
    },
  );

  it('uses the default merchant for an omitted id only in connect', () => {
    const none = undefined as unknown as string; // A variable that was never set.
    expect(connect('http://127.0.0.1:9', { merchant: none }).id).toBe('default');
    expect(() => connect('http://127.0.0.1:9').merchant(none)).toThrow(ArgumentError);
  });

  it('reports that the sandbox is stopping', async () => {
    const server = createServer((_, response) => {
      response.writeHead(503).end('{"status":"stopping","merchants":0,"droppedRequestIds":0}');
    }).listen(0);
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    expect(await connect(`http://127.0.0.1:${port}`).health()).toMatchObject({
      status: 'stopping',
    });
  });

  it.each(['', '.', '..'])(
    'treats %j as an unknown name, as a sandbox in process does',
    async (name) => {
      const sandbox = createSandbox({ fixtures: 'empty' });
      onTestFinished(() => sandbox.close());
      const away = connect((await sandbox.listen({ port: 0 })).url);
      sandbox.force({ op: 'card.list', outcome: 'hang-before-commit' });
      sandbox.snapshot('kept');
      const verbs = ['outcome', 'restore', 'dropSnapshot', 'deleteMerchant', 'clearRules'] as const;
      for (const verb of verbs) {
        const inProcess = await thrown(() => sandbox[verb](name));
        const over = await thrownBy(() => away[verb](name));
        expect(over.name).toBe(inProcess.name);
        expect(inProcess.message.startsWith(over.message), over.message).toBe(true);
      }
      expect(sandbox.rules()).toHaveLength(1);
      expect(sandbox.snapshots().map((one) => one.name)).toEqual(['kept']);
      if (name === '') return;
      expect(() => sandbox.merchant(name)).toThrow('A merchant id must be 1 to 128 letters');
      const rule = { op: 'card.list', outcome: 'hang-before-commit', name } as const;
      expect(() => sandbox.force(rule)).toThrow('A name must not be "." or ".."');
    },
  );

  it('adds the wait of a verdict to the timeout of the call', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen({ port: 0 });
    sandbox.force({ op: 'card.list', outcome: 'hang-before-commit' });
    const left = new AbortController();
    const headers = { Authorization: `Bearer ${sandbox.token}` };
    const hung = fetch(`${url}/v1/vault/credit-cards`, { headers, signal: left.signal });
    await sandbox.waitFor({ operation: 'card.list', delivery: 'open' });
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => timeout.mockRestore());
    const verdict = await connect(url, { timeoutMs: 90_000 }).verdict({ waitMs: 100 });
    expect(verdict.counts.open).toBe(1);
    expect(timeout.mock.calls).toEqual([[90_100]]);
    left.abort();
    await expect(hung).rejects.toThrow('aborted');
  });

  it('refuses unknown options, as listen does', async () => {
    // A caller without types may pass this.
    const options: object = { merchnt: 'pp' };
    expect(() => connect('http://127.0.0.1:9', options)).toThrow(
      'Unknown option "merchnt". Did you mean "merchant"? Known: merchant, token, timeoutMs.',
    );
    const sandbox = createSandbox({ fixtures: 'empty' });
    const wrong: object = { prt: 0 };
    await expect(sandbox.listen(wrong)).rejects.toThrow(
      'Unknown option "prt". Did you mean "port"?',
    );
    await expect(sandbox.listen({ port: 70_000 })).rejects.toThrow(
      'Option port: must be at most 65535.',
    );
  });

  it.each<[unknown, string]>([
    [null, 'The options: must be an object of keys and values. Known: merchant, token, timeoutMs.'],
    ['worker-3', 'The options: must be an object of keys and values.'],
    [{ timeoutMs: 'soon' }, 'Option timeoutMs: must be a number of milliseconds from 1 to 2000000'],
    [{ timeoutMs: -1 }, 'Option timeoutMs: '],
    [{ timeoutMs: Number.NaN }, 'Option timeoutMs: '],
    [{ timeoutMs: 2 ** 32 }, 'Option timeoutMs: '],
    [{ token: 'a\nb' }, 'Option token: must be 1 to 256 printable ASCII characters with no space'],
    [{ token: ' a' }, 'Option token: '],
    [{ token: 'caf\u00e9' }, 'Option token: '],
    [{ token: 'S'.repeat(257) }, 'Option token: '],
    [{ token: 5 }, 'Option token: '],
  ])('refuses options that it could not send: %j', async (options, message) => {
    const given = options as object; // A caller without types may pass this.
    expect(await thrown(() => connect('http://127.0.0.1:9', given))).toMatchObject({
      name: 'OptionError',
      message: expect.stringContaining(message),
    });
  });

  it('accepts a URL object as an address', async () => {
    expect((await connect(new URL(await serving())).health()).status).toBe('ready');
  });

  it('names a scenario file that it cannot read', async () => {
    const sandbox = connect(await serving());
    const lost = await thrownBy(() => sandbox.playScenario('./no-such.yaml'));
    expect(lost).toMatchObject({ name: 'ScenarioError', code: 'invalid-scenario' });
    expect(lost.message).toContain('./no-such.yaml: this file cannot be read here (ENOENT).');
    const folder = await thrownBy(() => sandbox.playScenario('./scenarios'));
    expect(folder.message).toBe('./scenarios: this is a folder. Name one of the files in it.');
  });

  it('refuses to explain an answer without a debug id', async () => {
    const message = 'There is no debug id: the response has no Paypal-Debug-Id header';
    await expect(connect('http://127.0.0.1:9').explain(null)).rejects.toThrow(message);
    expect(() => createSandbox({ fixtures: 'empty' }).explain(null)).toThrow(message);
  });

  it('loads nothing of the server but the errors of verbs', () => {
    const loaded = readSources()
      .filter(({ path }) => path.startsWith('src/client/'))
      .flatMap(({ imports }) => imports.filter(({ typeOnly }) => !typeOnly))
      .filter(({ target }) => !target.startsWith('src/client/'));
    const targets = new Set(loaded.map(({ target }) => target));
    const shared = [
      'src/contract/constants.ts',
      'src/contract/control/verbs.ts',
      'src/contract/merchant-token.ts',
      'src/documents/document-error.ts',
      'src/journal/errors.ts',
      'src/outcomes/argument-error.ts',
      'src/scenarios/scenario-error.ts',
      'src/shared/fetch-arguments.ts',
      'src/shared/option-error.ts',
      'src/shared/sandbox-error.ts',
      'src/shared/unknown-value.ts',
      'src/verdict/options-error.ts',
      'src/world/errors.ts',
      'src/world/identity/client-id.ts',
    ];
    expect([...targets].toSorted()).toEqual(['node:fs/promises', ...shared]);
    const behind = new Set(
      readSources()
        .filter(({ path }) => shared.includes(path))
        .flatMap(({ imports }) => imports.filter(({ typeOnly }) => !typeOnly))
        .map(({ target }) => target)
        .filter((target) => !shared.includes(target)),
    );
    expect(behind).toEqual(
      new Set(['src/shared/did-you-mean.ts', 'src/redaction/hide-card-numbers.ts']),
    );
  });

  it('gives an error no place if the control API always names the same one', () => {
    const fixed = Object.entries(controlProblems).filter(([, problem]) => 'place' in problem);
    const places = fixed.map(([error]) => {
      const answer = { error, message: 'Refused.', place: 'path.id' };
      return [error, remoteError(answer, 400, verbNamed('reset')).place];
    });
    expect(places).toEqual(fixed.map(([error]) => [error, undefined]));
  });

  it('has every verb of the table and of a sandbox in process, with the same types', () => {
    const { clock, ...remote } = connect('http://127.0.0.1:3000');
    const { clock: own, ...local } = createSandbox({ fixtures: 'empty' });
    const shared = Object.keys(local).filter((verb) => !onlyHere.some((one) => one === verb));
    expect(Object.keys(remote).toSorted()).toEqual([...shared, 'url'].toSorted());
    expect(Object.keys(clock)).toEqual(Object.keys(own));
    expect(Object.keys(remote.all)).toEqual(Object.keys(local.all));
    type Groups = 'clock' | 'all' | 'merchant' | 'fetch' | 'close' | typeof Symbol.asyncDispose;
    type Verbs = Omit<Sandbox, (typeof onlyHere)[number] | Groups>;
    expectTypeOf<Away<Verbs>>().toEqualTypeOf<Away<Pick<Remote, keyof Verbs>>>();
    expectTypeOf<Away<Sandbox['clock']>>().toEqualTypeOf<Away<Remote['clock']>>();
    expectTypeOf<Away<Sandbox['all']>>().toEqualTypeOf<Away<Remote['all']>>();
    expectTypeOf<Remote['fetch']>().toEqualTypeOf<Sandbox['fetch']>();
    expectTypeOf<Remote>().toExtend<RemoteMerchant>();
    type OfMerchant = MethodsOf<VerbsWith<{ readonly on: 'merchant' }>>;
    expectTypeOf<Exclude<keyof Merchant, 'id' | 'token' | 'fetch'>>().toEqualTypeOf<OfMerchant>();
    type OfSandbox = MethodsOf<VerbsWith<{ readonly on: 'sandbox' }>>;
    expectTypeOf<SandboxVerb>().toEqualTypeOf<OfSandbox>();
    type OfAll = MethodsOf<VerbsWith<{ readonly all: string }>>;
    expectTypeOf<keyof EveryMerchant>().toEqualTypeOf<OfAll>();
  });
});
