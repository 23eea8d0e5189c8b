/** Committed files that are generated from the code, so that a review shows what clients will see. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readText, root } from './source-files.ts';

/** Expects a committed file to hold this text. Writes it first if the named variable is 1. */
export function expectKept(
  path: string,
  text: string,
  rewrite: 'UPDATE_GOLDEN' | 'UPDATE_DECISIONS' | 'UPDATE_DOCS' | 'UPDATE_PICTURE' | 'UPDATE_TYPES',
): void {
  if (process.env[rewrite] === '1') writeFileSync(join(root, path), text);
  const kept = existsSync(join(root, path)) ? readText(path) : '';
  expect(
    text,
    `${path} does not match the code. If the change is intended, write it with ` +
      `\`${rewrite}=1 npm run test:run -- <this test>\` and review it with \`git diff ${path}\`.`,
  ).toBe(kept);
}
