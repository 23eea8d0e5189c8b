/** The team's own test numbers: a text file with one card number or digest per line. */
import { looksIssued, passesLuhn } from '../domain/card/brand.ts';
import { readTextFile } from '../documents/files.ts';
import { DocumentError } from '../documents/document-error.ts';
import { hashNumber } from './card-guard.ts';

/** A list of test numbers is invalid. */
export class AllowListError extends DocumentError {
  override readonly name = 'AllowListError';

  constructor(lines: readonly string[]) {
    super(lines, 'invalid-allow-list');
  }
}

const digest = /^[0-9a-f]{64}$/i;
const number = /^\d{12,19}$/;

const allowed =
  'Each line must be a card number of a supported brand (12 to 19 digits without spaces) or its SHA-256 (64 hexadecimal digits). # starts a comment';

/**
 * Reads a list and returns the digests of its numbers. The numbers themselves are not stored.
 *
 * @throws {AllowListError} If a line is invalid. The error names every such line and quotes none.
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
    const problem = findLineProblem(text);
    if (problem !== undefined) mistakes.push(`${path}:${at + 1}: ${problem} ${allowed}.`);
    else digests.add(number.test(text) ? hashNumber(text) : copyDigest(text));
  }
  if (mistakes.length > 0) throw new AllowListError(mistakes);
  return digests;
}

/** Copies a digest. A slice would keep the text of the whole file in memory, with the numbers in it. */
function copyDigest(hexadecimal: string): string {
  return Buffer.from(hexadecimal, 'hex').toString('hex');
}

function findLineProblem(text: string): string | undefined {
  if (digest.test(text)) return undefined;
  if (!number.test(text)) return 'not a card number and not a digest.';
  if (!passesLuhn(text)) return 'the check digit of the number is wrong.';
  return looksIssued(text) ? undefined : 'no supported brand has such a number.';
}
