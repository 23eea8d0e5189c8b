/** `play` against a running sandbox, and the coverage that a judging command writes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../cli-process.ts';
import { folder, open } from '../judged-sandbox.ts';

const text = `scenario: mine
version: 1
rules:
  - { op: payment.create, then: decline-generic }
`;

it('plays a file for the named merchants', async () => {
  const { sandbox, url } = await open();
  const file = join(folder(), 'mine.yaml');
  writeFileSync(file, text);
  const played = await runCli(['play', file, url, '--merchant', 'a', '--merchant', 'b']);
  expect(played).toMatchObject({
    code: 0,
    stdout:
      'Merchant a plays mine from a fresh start.\nMerchant b plays mine from a fresh start.\n',
  });
  expect(sandbox.merchant('b').rules()).toHaveLength(1);
  const all = await runCli(['play', 'lost-answer', url, '--all']);
  expect(all.stdout).toContain('Merchant a plays lost-answer');
});

it('names the line of a mistake, and the unknown name', async () => {
  const { url } = await open();
  const file = join(folder(), 'mine.yaml');
  writeFileSync(file, text.replace('decline-generic', 'decline-genric'));
  const wrong = await runCli(['play', file, url]);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('mine.yaml:4:27 rules[0].then: Unknown outcome "decline-genric".'),
  ]);
  const unknown = await runCli(['play', 'lost-anser', url]);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(
      /No scenario and no file is called "lost-anser"\. Did you mean "lost-answer"\? Known: /,
    ),
  ]);
  expect((await runCli(['play'])).code).toBe(2);
});

it('writes the coverage beside a verdict', async () => {
  const { sandbox, url } = await open();
  await sandbox.request('/v1/vault/credit-cards');
  const file = join(folder(), 'coverage.json');
  await runCli(['verdict', url, '--coverage', file]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(sandbox.all.coverage());
});
