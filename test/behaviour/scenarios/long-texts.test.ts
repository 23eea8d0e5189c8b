/** Long and hostile texts: each is answered with what is wrong, and the work grows like the text. */
import { describe, expect, it } from 'vitest';
import { loadDocument, loadScenarioText } from '../../../src/scenarios/load.ts';
import { countYamlMarks } from '../../../src/documents/yaml-bounds.ts';
import { ScenarioError } from '../../../src/scenarios/scenario-error.ts';
import { call } from '../control/call.ts';
import { onEveryTransport } from '../../support/transports.ts';

function linesFor(load: () => unknown): readonly string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  return [];
}

const linesForText = (text: string, name = 'mine.yaml'): readonly string[] =>
  linesFor(() => loadScenarioText(name, text));

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

const head = 'scenario: mine\nversion: 1\n';

describe('a scenario text', () => {
  it('names a repeated key with the line of the first', () => {
    expect(linesForText(`${head}seed: 1\nscenario: other\n`)).toEqual([
      'mine.yaml:4:1: the key "scenario" is already used in line 1. Each key must be unique.',
    ]);
  });

  it.each([
    ['of JSON', '{"scenario": "mine",\n "version": 1,\n "version": 1}', '3:2', 'version', 2],
    ['in a flow map', `${head}clock: { mode: real, mode: virtual }\n`, '3:22', 'mode', 3],
    ['in another spelling', `${head}rules:\n  - { op: any, "op": any }\n`, '4:16', 'op', 4],
    ['that reads as a number', `${head}1: a\n"1": b\n`, '4:1', '1', 3],
    ['after Windows line ends', 'version: 1\r\nversion: 1\r\n', '2:1', 'version', 1],
  ])('names a repeated key %s', (_what, text, place, key, line) => {
    expect(linesForText(text)[0]).toBe(
      `mine.yaml:${place}: the key "${key}" is already used in line ${line}. Each key must be unique.`,
    );
  });

  it('may merge several maps into one', () => {
    const text = `${head}rules:\n  - &a { op: any, then: reset-after-commit }\n  - { <<: *a, name: b }\n  - { <<: *a, <<: *a, name: c }\n`;
    expect(linesForText(text)).toEqual([]);
  });

  it('names 100 of very many repeated keys and counts the others', () => {
    const lines = linesForText(`${head}${repeat(20_000, () => 'k: 1\n')}`);
    expect(lines).toHaveLength(101);
    expect(lines[0]).toBe(
      'mine.yaml:4:1: the key "k" is already used in line 3. Each key must be unique.',
    );
    expect(lines[100]).toBe('... and 19899 more');
  });

  it('names 100 of very many unknown keys and counts the others', () => {
    const lines = linesForText(`${head}${repeat(32_000, (index) => `k${index}: 1\n`)}`);
    expect(lines).toHaveLength(101);
    expect(lines[99]).toContain('mine.yaml:102:1 k99: this key is not known here.');
    expect(lines[100]).toBe('... and 31900 more');
  });

  it.each([
    ['lists in one line', '['.repeat(20_000)],
    ['objects in one line', '{a: '.repeat(20_000)],
    ['lists of lines', '- '.repeat(20_000)],
    ['closed lists', `${'['.repeat(2000)}${']'.repeat(2000)}`],
    ['objects of lines', repeat(150, (index) => `${' '.repeat(index)}a:\n`)],
    ['keys that are lists', '? '.repeat(20_000)],
  ])('is refused, with its place, if it nests too deeply: %s', (_what, text) => {
    const lines = linesForText(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^mine\.yaml:\d+:\d+.*: lists and objects are nested too deeply here\. Write them with fewer levels\.$/,
    );
  });

  it('is refused as a value too if it nests too deeply', () => {
    let value: unknown = [];
    for (let level = 0; level < 50_000; level++) value = [value];
    const [line] = linesFor(() => loadDocument({ scenario: 'mine', version: 1, rules: value }));
    expect(line).toContain(': lists and objects are nested too deeply here.');
  });

  it('is refused with exponentially growing aliases', () => {
    const text = `a0: &a0 [x]\n${repeat(40, (at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`)}`;
    expect(linesForText(text)).toEqual([
      'mine.yaml: aliases (*) repeat too much of the document. Write the values out, or use fewer aliases.',
    ]);
  });

  it('lists 100 problems of very many wrong rules, states and cards', () => {
    const rules = repeat(2000, (index) => `  - { op: any, while: x${index}, then: nope }\n`);
    const states = `states: [${repeat(2000, (index) => `s${index}, `)}]\n`;
    const lines = linesForText(`${head}${states}rules:\n${rules}`);
    expect(lines).toHaveLength(101);
    const line = lines.find((one) => one.includes('unknown state'));
    expect(line).toContain('Known: s0, s1');
    expect(line).toContain('and 1800 more.');
    expect(lines[100]).toBe('... and 3900 more');
  });

  it('does not compare a very long word with the known ones', () => {
    const [line] = linesForText(`${head}${'x'.repeat(1000)}: 1\n`);
    expect(line).not.toContain('Did you mean');
  });
});

onEveryTransport('a scenario sent over HTTP', (transport) => {
  it('is refused if its YAML has 32,000 unknown keys', async () => {
    const text = repeat(32_000, (index) => `k${index}: 1\n`);
    const { status, body } = await call(transport, 'POST /_sandbox/scenario', text, {
      'Content-Type': 'text/yaml',
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid-scenario' });
  });

  const send = (text: string, type: string) =>
    call(transport, 'POST /_sandbox/scenario', text, { 'Content-Type': type });

  it.each([
    ['short keys', (at: number) => `k${at}: 1\n`],
    ['items of lines', () => '- 1\n'],
    ['items in brackets', () => '[],'],
    ['quoted texts', () => '"" '],
    ['levels of lists', () => '- '],
    ['levels of keys', () => ': '],
    ['anchors', (at: number) => `&a${at} `],
    ['aliases', () => '*a '],
    ['tags', () => '! '],
    ['comments', () => '#\n'],
    ['empty lines', () => '\n'],
    ['documents', () => '---\n'],
  ])('is refused before it is parsed if it has very many %s', async (_what, line) => {
    for (const type of ['text/yaml', 'application/yaml', 'text/yaml; form=json']) {
      const { status, body } = await send(repeat(50_000, line), type);
      expect(status).toBe(413);
      expect(body).toMatchObject({
        error: 'body-too-large',
        place: 'body',
        message: expect.stringMatching(
          /^The YAML text has \d+ line breaks and marks .+ this call may have 40000\. Send the document as JSON/,
        ),
      });
    }
  });

  it('is refused before it is read if its JSON has very many values', async () => {
    const { status, body } = await send(
      `{"rules":[${'{},'.repeat(60_000)}{}]}`,
      'application/json',
    );
    expect(status).toBe(413);
    expect(body).toMatchObject({
      message: 'The body holds more than the 100000 values and keys that this call may have.',
    });
  });

  it.each([
    ['one long word', `about: ${'x'.repeat(900_000)}`],
    ['many words', `about: ${'x '.repeat(400_000)}`],
    ['a long quoted text', `about: "${'a-b:c '.repeat(100_000)}"`],
    ['a text of many brackets', `about: '${'['.repeat(1000)}'`],
    ['a text of many lines', `about: |\n${'  a long line of words\n'.repeat(30_000)}`],
    ['many rules', `rules:\n${repeat(4000, () => '- { op: any, then: reset-after-commit }\n')}`],
  ])('is read if it has %s', async (_what, rest) => {
    const { status, body } = await send(`${head}${rest}\n`, 'text/yaml');
    expect([status, body]).toEqual([
      200,
      { merchant: 'default', scenario: 'mine', hint: undefined },
    ]);
  });

  it('is refused if its JSON repeats a key', async () => {
    const text = '{"scenario":"mine","version":1,"about":"x",\n"seed":1,"seed":2}';
    const { status, body } = await call(transport, 'POST /_sandbox/scenario', text, {
      'Content-Type': 'application/json',
    });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(
      'body:2:10: the key \\"seed\\" is already used in line 2',
    );
  });
});

describe('the marks of a YAML text', () => {
  it.each([
    ['a: 1\nb: 2\n', 2],
    ['a: b: c: 1', 2],
    ['? a\n: 1', 2],
    ['- - 1', 2],
    ['[1, {a: 2, b: 3}]', 6],
    ['"a": \'b\'', 4],
    ['&a *b !c', 3],
    ['2026-11-24T10:40:00Z decline-generic http://a?b=c', 0],
    ['-', 1],
    ['-\t-\r\n-\n', 5],
    ['é # — ', 0],
    ['', 0],
  ])('are counted in %j', (text, marks) => {
    expect(countYamlMarks(Buffer.from(text))).toBe(marks);
  });
});
