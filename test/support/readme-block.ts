/** Blocks of the README that say by a comment how they are tried. */
import { readText } from './source-files.ts';

/** The one that is marked so. */
export function readmeBlock(mark: string): string {
  const fence = new RegExp(`<!-- run: ${mark} -->\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``);
  const [, code] = fence.exec(readText('README.md')) ?? [];
  if (code === undefined) throw new Error(`README.md has no block marked "run: ${mark}".`);
  return code;
}
