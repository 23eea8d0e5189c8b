/** Keeps the list that `/_sandbox/about` shows equal to the comments it is made from. */
import { describe, expect, it } from 'vitest';
import { formatted } from '../../support/repository/formatted.ts';
import { expectKept } from '../../support/repository/kept-file.ts';
import { filesIn, readText } from '../../support/repository/source-files.ts';
import { decisionsIn } from '../../support/repository/seed-silent.ts';

const generated = 'src/control/decisions.ts';

const found = filesIn('src')
  .filter((path) => path.endsWith('.ts') && path !== generated)
  .flatMap((path) => decisionsIn(path, readText(path)));

/** The file as it should be. */
function generate(): Promise<string> {
  const text = `/**
 * Decisions that no document prescribes, collected from the comments in the sources. Made by
 * UPDATE_DECISIONS=1 npm run test:run -- test/behaviour/control/decisions.test.ts
 */
export const decisions: readonly { readonly where: string; readonly decision: string }[] =
  ${JSON.stringify(found)};
`;
  return formatted(generated, text);
}

describe('the list of decisions', () => {
  it('equals the comments in the sources', async () => {
    expectKept(generated, await generate(), 'UPDATE_DECISIONS');
  });

  it('is not empty, and every entry is a sentence', () => {
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(({ decision }) => !/\S.{10,}[.)]$/.test(decision))).toEqual([]);
  });
});

describe('reading decisions', () => {
  it.each([
    ['a one-line JSDoc', '/** `Seed silent:` cards stay. */', ['cards stay.']],
    [
      'a sentence in the middle of a paragraph, over lines',
      '/**\n * What a card is. `Seed silent:` cards\n *   stay, for ever.\n *\n * More.\n */',
      ['cards stay, for ever.'],
    ],
    ['a line comment over lines', 'x(); // Seed silent: cards\n// stay.\ny();', ['cards stay.']],
    ['a line comment that ends', '// Seed silent: cards stay.\n\n// Other.', ['cards stay.']],
    [
      'two in one paragraph',
      '// Seed silent: cards stay. Seed silent: money goes.',
      ['cards stay.', 'money goes.'],
    ],
    ['no text in quotes', "const hint = '// Seed silent: cards stay.';", []],
    ['no address', "const at = 'http://x'; f(`// Seed silent: a.`);", []],
  ])('understands %s', (_what, text, expected) => {
    expect(decisionsIn('src/a.ts', text).map(({ decision }) => decision)).toEqual(expected);
  });
});
