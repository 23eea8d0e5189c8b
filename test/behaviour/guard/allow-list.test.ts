/** The team's own test numbers. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AllowListError, createSandbox } from '../../../src/index.ts';
import { loadAllowList } from '../../../src/guard/allow-list.ts';
import { CardGuard } from '../../../src/guard/card-guard.ts';
import { pan } from '../../properties/support/card-numbers.ts';
import { cardBody } from '../../support/samples.ts';
import { runs } from '../../support/vitest/runs.ts';

const number = '4929851042331971';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Writes each list into the same file. */
function list(): { readonly path: string; readonly write: (text: string) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'cards.txt');
  return {
    path,
    write: (text) => {
      writeFileSync(path, text);
      return path;
    },
  };
}

describe('a list of test numbers', () => {
  it.each([
    ['a number', number],
    ['a digest', sha256(number)],
    ['a digest in capitals', sha256(number).toUpperCase()],
    ['comments and blank lines', `# acquirer A\n\n  ${number}  # certification\n\n`],
    ["another system's line ends", `\uFEFF4111111111111111\r\n${number}\r\n`],
  ])('is accepted with %s', async (_what, text) => {
    const allowCards = list().write(text);
    const sandbox = createSandbox({ realCards: 'refuse', allowCards });
    const store = async (pan_: string) =>
      sandbox.request('/v1/vault/credit-cards', {
        method: 'POST',
        headers: { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(cardBody({ number: pan_ })),
      });
    expect((await store(number)).status).toBe(201);
    expect((await store('4532015112830366')).status).toBe(400);
    expect(sandbox.about()).toMatchObject({ realCards: 'refuse' });
    expect(sandbox.about().allowedCards).toBeGreaterThan(0);
  });

  it.each([
    ['4929 8510 4233 1971', 'not a card number and not a digest.'],
    ['49298510423', 'not a card number and not a digest.'],
    [sha256(number).slice(1), 'not a card number and not a digest.'],
    ['4929851042331972', 'the check digit of the number is wrong.'],
    ['9999999999999995', 'no supported brand has such a number.'],
  ])('is refused for %j, with the place and without the content', (line, words) => {
    const { path, write } = list();
    write(`# mine\n${number}\n${line} # why\n`);
    const load = () => createSandbox({ allowCards: path });
    expect(load).toThrow(AllowListError);
    expect(load).toThrow(
      new AllowListError([
        `${path}:3: ${words} Each line must be a card number of a supported brand (12 to 19 digits without spaces) or its SHA-256 (64 hexadecimal digits). # starts a comment.`,
      ]),
    );
    expect(load).not.toThrow(line);
  });

  it('reports every invalid line', () => {
    const path = list().write(`no\n${number}\nyes\n`);
    expect(() => loadAllowList(path)).toThrow(/:1: [^\n]*\n[^\n]*:3: [^\n]*$/);
  });

  it('is reported if it cannot be read', () => {
    const { path } = list();
    expect(() => loadAllowList(path)).toThrow(`${path}: this file cannot be read (ENOENT).`);
  });

  it('treats numbers and their digests alike', () => {
    const { write } = list();
    fc.assert(
      fc.property(fc.array(pan, { maxLength: 5 }), fc.array(pan, { maxLength: 5 }), (on, off) => {
        const numbers = on.map((one) => one.number);
        const plain = new CardGuard('refuse', loadAllowList(write(numbers.join('\n'))));
        const digests = new CardGuard(
          'refuse',
          loadAllowList(write(numbers.map(sha256).join('\n'))),
        );
        expect(plain.allowed).toBe(digests.allowed);
        for (const one of [...numbers, ...off.map((other) => other.number)]) {
          expect(plain.accepts(one)).toBe(numbers.includes(one));
          expect(digests.accepts(one)).toBe(numbers.includes(one));
          expect(digests.isSuspicious(one)).toBe(plain.isSuspicious(one));
        }
      }),
      { numRuns: runs(50) },
    );
  });
});
