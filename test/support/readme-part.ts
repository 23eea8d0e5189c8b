/** Parts of README pages that are made by tests, each between two comments that name it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../src/shared/package-root.ts';

export const readmePath = join(packageRoot(), 'README.md');

/** Expects a part of the README to say this; with UPDATE_README=1, writes it first. */
export function expectReadmePart(name: string, text: string): void {
  expectPart(readmePath, name, text);
}

/** The same of another page. */
export function expectPart(path: string, name: string, text: string): void {
  const [begin, end] = [`<!-- ${name}:begin -->\n`, `<!-- ${name}:end -->`];
  const made = `\n${text}\n\n`;
  const cut = () => {
    const whole = readFileSync(path, 'utf8');
    const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
    expect([from, to], `${path} lacks ${begin.trim()} or ${end}`).not.toContain(-1);
    return { whole, from: from + begin.length, to };
  };
  if (process.env['UPDATE_README'] === '1') {
    const { whole, from, to } = cut();
    writeFileSync(path, whole.slice(0, from) + made + whole.slice(to));
  }
  const { whole, from, to } = cut();
  // The formatter aligns columns; what the cells say is what counts.
  expect(folded(whole.slice(from, to))).toBe(folded(made));
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function folded(text: string): string {
  return text
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(/\\([_*<>])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
