/** The team's own test numbers: a text file with one number, or the digest of one, a line. */
import { looksIssued, passesLuhn } from '../domain/card/brand.ts';
import { readTextFile } from '../documents/files.ts';
import { DocumentError } from '../documents/document-error.ts';
import { hashNumber } from './card-guard.ts';

/** What is wrong with a list of test numbers. */
export class AllowListError extends DocumentError {
  override readonly name = 'AllowListError';

  constructor(lines: readonly string[]) {
    super(lines, 'invalid-allow-list');
  }
}

const digest = /^[0-9a-f]{64}$/i;
const number = /^\d{12,19}$/;

const allowed =
  'Each line holds one card number (12 to 19 digits without spaces, with a good check digit, of a brand that is served here) or the SHA-256 of one (64 hexadecimal digits); # begins a comment';

/**
 * Reads a list; gives the digests of its numbers, which is all that is kept. Throws an `AllowListError` that names
 * every line that is neither, and quotes none.
 */
export function loadAllowList(path: string): ReadonlySet<string> {
  const digests = new Set<string>();
  const mistakes: string[] = [];
  const lines = readTextFile(path, path, AllowListError)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const [entry = ''] = line.split('#');
    const text = entry.trim();
    if (text === '') continue;
    const fault = findLineProblem(text);
    if (fault !== undefined) mistakes.push(`${path}:${at + 1}: ${fault} ${allowed}.`);
    else digests.add(number.test(text) ? hashNumber(text) : copyDigest(text));
  }
  if (mistakes.length > 0) throw new AllowListError(mistakes);
  return digests;
}

/** A string of its own: a slice would keep the whole file alive behind it, and the numbers in it. */
function copyDigest(hexadecimal: string): string {
  return Buffer.from(hexadecimal, 'hex').toString('hex');
}

function findLineProblem(text: string): string | undefined {
  if (digest.test(text)) return undefined;
  if (!number.test(text)) return 'this is neither a card number nor a digest.';
  if (!passesLuhn(text)) return 'the check digit of this number is wrong.';
  return looksIssued(text) ? undefined : 'no brand that is served here has such a number.';
}
