/** Bodies that are small as text and huge as values. */
import { describe, expect, it } from 'vitest';
import { findExceededBound } from '../../../src/documents/json-bounds.ts';
import { createSandbox, ExportError } from '../../../src/index.ts';
import { onEveryTransport } from '../../support/transports.ts';

const header = '"format":"card-vault-sandbox/world","version":1,';

onEveryTransport('PUT /_sandbox/world', (transport) => {
  async function put(body: string) {
    const answer = await transport.fetch(`${transport.base}/_sandbox/world?merchant=shop`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  }

  it('refuses a body of more values than its bound, and names the bound', async () => {
    const { status, text } = await put(`{${header}"transfers":[${'1,'.repeat(5_000_000)}1]}`);
    expect(status).toBe(413);
    expect(text).toContain(
      'The body holds more than the 5000000 values and keys that this call may have.',
    );
  });

  it('refuses an object of more keys than its bound, and names the bound', async () => {
    const keys = Array.from({ length: 100_001 }, (_, n) => `"k${n}":1`);
    const { status, text } = await put(`{${header}"records":{${keys.join(',')}}}`);
    expect(status).toBe(413);
    expect(text).toContain('an object of more than the 100000 keys that one may have in this call');
  });

  it('names the first hundred of many unknown keys, and counts the others', async () => {
    const keys = Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`);
    const { status, text } = await put(`{${header}${keys.join(',')}}`);
    expect(status).toBe(400);
    expect(text).toContain('k50: this key is not known here');
    expect(text).toMatch(/and 89\d{3} more/);
    expect(text.length).toBeLessThan(100_000);
  });

  it.each([
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
    `{${header}"transfers":${'['.repeat(65)}`,
  ])('refuses a body that is nested too deep: %.20s', async (body) => {
    const { status, text } = await put(body);
    expect(status).toBe(413);
    expect(text).toContain('deeper than the 64 levels that any call may have');
  });

  it('reports a list of empty objects without an issue for each', async () => {
    const { status, text } = await put(`{${header}"transfers":[${'{},'.repeat(200_000)}{}]}`);
    expect(status).toBe(400);
    expect(text).toContain('transfers');
    expect(text.length).toBeLessThan(100_000);
  });
});

onEveryTransport('other calls with a body', (transport) => {
  it.each(['/rules', '/verdict', '/scenario', '/clock'])(
    'refuse a body that is nested too deep: %s',
    async (path) => {
      const answer = await transport.fetch(`${transport.base}/_sandbox${path}?merchant=shop`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      });
      expect([answer.status, await answer.text()]).toEqual([
        413,
        expect.stringContaining('64 levels'),
      ]);
    },
  );
});

it('import in code stops at the first wrong members of a long list', () => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const document = { ...sandbox.export(), transfers: Array.from({ length: 300_000 }, () => ({})) };
  const wrong = () => {
    // Whatever code passes is checked, not only what its type allows.
    sandbox.import(document as unknown as ReturnType<typeof sandbox.export>);
  };
  expect(wrong).toThrow(ExportError);
  expect(wrong).toThrow('transfers[0]');
});

describe('the check of the bounds of a JSON text', () => {
  const bounds = { maxValues: 5, maxDepth: 2 };
  it.each([
    ['[1,2,3]', undefined],
    ['[1,2,3,4,5]', 'maxValues'],
    ['{"a":1,"b":2}', undefined],
    ['{"a":1,"b":2,"c":3}', 'maxValues'],
    [']]:[[', undefined],
    ['[[]]', undefined],
    ['[[[', 'maxDepth'],
    ['[[],[]]', undefined],
    ['"[[[[,,,,,,"', undefined],
    [String.raw`"\"[[[[,,,,,,"`, undefined],
    [String.raw`"\\",[[[`, 'maxDepth'],
    ['', undefined],
    ['"', undefined],
  ])('finds in %s what exceeds a bound: %s', (text, exceeded) => {
    expect(findExceededBound(Buffer.from(text), bounds)).toBe(exceeded);
  });

  it.each([
    ['{"a":1,"b":2}', undefined],
    ['{"a":1,"b":2,"c":3}', 'maxKeys'],
    ['{"a":{"b":1,"c":2}}', undefined],
    ['{"a":{"b":1},"c":{"d":1},"e":1}', 'maxKeys'],
    ['[{"a":1,"b":2},{"c":3,"d":4}]', undefined],
    ['{":::":":::"}', undefined],
  ])('count the keys of each object: %s', (text, exceeded) => {
    const keyBounds = { maxValues: 100, maxDepth: 9, maxKeys: 2 };
    expect(findExceededBound(Buffer.from(text), keyBounds)).toBe(exceeded);
  });
});
