/** Wrong arguments of callers without types are refused alike, in process and over HTTP. */
import { afterAll, describe, expect, it } from 'vitest';
import {
  connect,
  createSandbox,
  type Remote,
  type Sandbox,
  type SandboxError,
} from '../../../src/index.ts';

const sandbox = createSandbox({ fixtures: 'empty' });
const away = connect((await sandbox.listen({ port: 0 })).url, { timeoutMs: 60_000 });
afterAll(() => sandbox.close());

/** A verb that accepts anything, as for a caller without types. */
type Loose = (...given: readonly unknown[]) => unknown;

/** One verb of either, by its name; `clock.set` is one of the clock. */
function verbOf(place: Sandbox | Remote, name: string): Loose {
  const [group, verb] = name.includes('.') ? name.split('.') : [undefined, name];
  const of: object = group === undefined ? place : Reflect.get(place, group);
  return Reflect.get(of, verb ?? '') as Loose;
}

/** What a wrong call throws or rejects with. */
async function refusal(place: Sandbox | Remote, name: string, given: readonly unknown[]) {
  try {
    await verbOf(place, name)(...given);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error(`${name} took it.`);
}

/** Objects without keys of their own, such as a promise without await. */
const keyless = [new Date(0), new Date(Number.NaN), new Map(), Promise.resolve({})];

describe.each<readonly [string, string, readonly unknown[]]>([
  [
    'outcomes',
    'ArgumentError',
    [null, [], { op: 'card.get' }, { operation: 'card.gte' }, { tier: 9 }, { tier: null }],
  ],
  ['outcome', 'ArgumentError', [undefined, 5]],
  [
    'journal',
    'QueryError',
    [
      null,
      0,
      true,
      [],
      { status: null },
      { since: null },
      { card: {} },
      { merchant: 'other' },
      { outcome: 'decline-generc' },
      ...keyless,
    ],
  ],
  ['clearRules', 'ArgumentError', [null, 5, Symbol('id')]],
  ['explain', 'QueryError', [undefined, null, 5, Symbol('id')]],
  [
    'verify',
    'QueryError',
    [
      undefined,
      null,
      5,
      [],
      () => true,
      { match: { outcome: 'decline-generc' }, times: 0 },
      { sequence: [{ outcome: 'lost-answer' }] },
      ...keyless,
    ],
  ],
  ['waitFor', 'QueryError', [undefined, null, 5, [], { outcome: 'ok' }, ...keyless]],
  ['clock.set', 'ClockError', [undefined, null, 'x', 5, 1n, new Date(Number.NaN)]],
  ['clock.advance', 'ClockError', [undefined, null, '1 day', Number.NaN, {}, 1n]],
  [
    'generateCards',
    'ArgumentError',
    [null, 5, [], { outcome: 'nope' }, { brand: 'nope' }, { count: -1 }, { x: 1 }],
  ],
  ['force', 'RuleError', [undefined, null, 5, [], {}]],
  ['playScenario', 'ScenarioError', [undefined, null, 5, [], {}, '']],
  ['verdict', 'VerdictOptionsError', [null, 5, [], { x: 1 }, { waitMs: 1n }, ...keyless]],
  ['import', 'ExportError', [undefined, null, 5, [], {}]],
  ['snapshot', 'SnapshotError', [null, 5, 'a b']],
  ['restore', 'SnapshotError', [undefined, null]],
  ['dropSnapshot', 'SnapshotError', [undefined, null]],
  ['deleteMerchant', 'MerchantError', [undefined, null]],
])('%s refuses with a %s', (verb, mistake, wrong) => {
  it.each(wrong.map((given) => ({ given })))('refuses $given', async ({ given }) => {
    for (const place of [sandbox, away]) {
      expect(await refusal(place, verb, [given])).toMatchObject({ name: mistake });
    }
  });
});

it('a wait with an invalid timeout is refused at once, in process and over HTTP', async () => {
  for (const timeoutMs of ['soon', -1, Number.NaN, 1e12]) {
    for (const place of [sandbox, away]) {
      const error = await refusal(place, 'waitFor', [{}, { timeoutMs }]);
      expect(error).toMatchObject({ name: 'QueryError', place: 'timeoutMs' });
    }
  }
});

it.each([null, 5, 'soon', { signal: 5 }, { signal: {} }].map((settings) => ({ settings })))(
  'a wait refuses the settings $settings',
  async ({ settings }) => {
    const said = await Promise.all(
      [sandbox, away].map((place) => refusal(place, 'waitFor', [{}, settings])),
    );
    expect(said[0]).toMatchObject({ name: 'QueryError' });
    expect(said[1]).toEqual(said[0]);
  },
);

it('a wait accepts null as its signal, as fetch does', async () => {
  for (const place of [sandbox, away]) {
    const wait = [{ operation: 'token.create' }, { timeoutMs: 1, signal: null }];
    expect(await refusal(place, 'waitFor', wait)).toMatchObject({ name: 'WaitTimeoutError' });
  }
});

it('a value that JSON cannot express is refused with the error of the verb', async () => {
  const loop: Record<string, unknown> = {};
  loop['match'] = loop;
  for (const given of [{ times: 1n }, loop]) {
    for (const place of [sandbox, away]) {
      expect(await refusal(place, 'verify', [given])).toMatchObject({ name: 'QueryError' });
    }
  }
});

it.each([
  [['shop'], 'There is no merchant "shpo". Did you mean "shop"? Known: shop.'],
  [
    Array.from({ length: 21 }, (_, at) => `worker-${at}`),
    'There is no merchant "shpo". merchants() and GET /_sandbox/merchants list all 21.',
  ],
])('an unknown merchant has the same message in process and over HTTP', async (known, message) => {
  const other = createSandbox({ fixtures: 'empty' });
  for (const id of known) other.merchant(id).clock.freeze();
  const places = [other, connect((await other.listen({ port: 0 })).url)];
  for (const place of places) {
    const error = await refusal(place, 'deleteMerchant', ['shpo']);
    expect(error).toMatchObject({ name: 'MerchantError', code: 'unknown-merchant', message });
  }
  await other.close();
});

it.each<readonly [string, unknown, object]>([
  ['force', undefined, { message: expect.stringMatching(/^force: must be an object such as /) }],
  ['force', [{}], { message: expect.stringMatching(/^force: must be an object such as /) }],
  [
    'force',
    { op: 'payment.create', outcome: 'declined' },
    { place: 'outcome', nearest: 'decline-generic' },
  ],
  [
    'force',
    { op: 'payment.create', outcome: 'decline-generic', prefix: 'ci-' },
    { message: expect.stringContaining('Arm a rule for several merchants with') },
  ],
  [
    'all.force',
    { op: 'payment.create', outcome: 'decline-generic', prefix: 'ci-' },
    { place: 'prefix', message: expect.stringContaining('Write merchants: { prefix: "ci-" }') },
  ],
  ['hold', { op: 'payment.create', times: 2 }, { place: 'count' }],
  [
    'playScenario',
    { name: 'lost-answer' },
    { place: 'name', message: expect.stringContaining('as in playScenario("lost-answer")') },
  ],
  ['import', {}, { place: 'format' }],
  ['outcome', undefined, { code: 'invalid-argument' }],
  ['all.coverage', { merchant: 'shop' }, { place: 'merchant', allowed: ['prefix'] }],
  ['all.verdictPage', { prefx: 'ci-' }, { nearest: 'prefix' }],
  ['verdict', null, { message: 'verdict: must be an object of keys and values.' }],
  [
    'verdict',
    { waitMs: '1s' },
    { message: 'verdict waitMs: must be a whole number of milliseconds from 0 to 60000.' },
  ],
  ['verdict', { settle: true }, { message: expect.stringContaining('must be a duration (') }],
])('%s refuses %j with the same error in process and over HTTP', async (verb, given, error) => {
  const inProcess = await refusal(sandbox, verb, [given]);
  const over = await refusal(away, verb, [given]);
  expect(inProcess).toMatchObject(error);
  const fieldsOf = ({ name, code, message, place, allowed, nearest }: SandboxError) => ({
    name,
    code,
    message,
    place,
    allowed,
    nearest,
  });
  expect(fieldsOf(over as SandboxError)).toEqual(fieldsOf(inProcess as SandboxError));
});

it('the merchant called undefined is deleted by its name, and not by a missing id', async () => {
  sandbox.merchant('undefined').clock.freeze();
  await refusal(away, 'deleteMerchant', [undefined]);
  expect(sandbox.merchants()).toContain('undefined');
  await away.deleteMerchant('undefined');
  expect(sandbox.merchants()).not.toContain('undefined');
});
