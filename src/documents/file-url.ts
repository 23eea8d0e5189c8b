/** Accepts file URLs where a path is expected. */
import { fileURLToPath } from 'node:url';
import { isUrl } from '../shared/unknown-value.ts';

/** The path that a file URL names: a `URL`, such as `new URL('./shop.yaml', import.meta.url)`, or its text. */
export function pathOf<T>(given: T | URL): T | string {
  if (typeof given === 'string') return isFileUrl(given) ? fileURLToPath(given) : given;
  return isUrl(given) && isFileUrl(given.href) ? fileURLToPath(given.href) : (given as T);
}

function isFileUrl(text: string): boolean {
  return /^file:\/\//i.test(text) && URL.canParse(text);
}
