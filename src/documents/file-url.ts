/** Accepts file URLs where a path is expected. */
import { fileURLToPath } from 'node:url';
import { isUrl } from '../shared/unknown-value.ts';

/** The path that a file URL names: a `URL`, such as `new URL('./shop.yaml', import.meta.url)`, or its text. */
export function pathOf<T>(given: T | URL): T | string {
  if (typeof given === 'string') return pathOfText(given);
  return isUrl(given) && isFileUrl(given.href) ? pathOfText(given.href) : (given as T);
}

/** The words of a command line with paths in the place of file URLs: arguments, and values after `--flag=`. */
export function withPaths(words: readonly string[]): string[] {
  return words.map((word) => {
    const [, flag = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? [];
    return flag + pathOfText(value);
  });
}

/** A URL that names no file here, such as one with a host, stays: as a path it is missing, and the message shows it. */
function pathOfText(text: string): string {
  if (!isFileUrl(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}

function isFileUrl(text: string): boolean {
  return /^file:\/\//i.test(text) && URL.canParse(text);
}
