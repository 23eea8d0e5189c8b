/** Files that are made from the code and kept, so that a change of what clients see shows in review. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readText, root } from './source-files.ts';

/** Expects a kept file to hold this text; with the named variable set to 1, writes it first. */
export function expectKept(
  path: string,
  text: string,
  rewrite: 'UPDATE_GOLDEN' | 'UPDATE_DECISIONS' | 'UPDATE_PICTURE',
): void {
  if (process.env[rewrite] === '1') writeFileSync(join(root, path), text);
  const kept = existsSync(join(root, path)) ? readText(path) : '';
  expect(
    text,
    `${path} is not what the code makes of it. If the change is meant, write it with ` +
      `\`${rewrite}=1 npm run test:run -- <this test>\` and read the difference with \`git diff ${path}\`.`,
  ).toBe(kept);
}
