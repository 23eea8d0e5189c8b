import { describe, expect, it } from 'vitest';
import { findLongSentences, findWords } from '../../.ci/checks/plain-language.mjs';

const sentenceOf = (words: number): string => `A${' word'.repeat(words - 1)}.`;

describe('the language check', () => {
  it('reports a word with its line and the plain word', () => {
    expect(findWords('const a = 1;\n// It begins anew.')).toEqual(['2: "anew". Write: again.']);
  });

  it('accepts words that only contain a listed word', () => {
    expect(findWords('Authorization: Bearer renewed')).toEqual([]);
  });

  it('reports a sentence of more than 30 words', () => {
    expect(findLongSentences(`# Title\n\n${sentenceOf(30)} ${sentenceOf(31)}`)).toEqual([
      expect.stringMatching(/^31 words: /),
    ]);
  });

  it('counts each list item on its own', () => {
    expect(findLongSentences(`- ${sentenceOf(20)}\n- ${sentenceOf(20)}`)).toEqual([]);
  });

  it('ignores code, tables, headings and comments', () => {
    const long = sentenceOf(40);
    const page = `# ${long}\n\n| ${long} |\n\n\`\`\`text\n${long}\n\`\`\`\n\n<!-- ${long} -->`;
    expect(findLongSentences(page)).toEqual([]);
  });
});
