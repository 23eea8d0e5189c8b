/** Hashes that tell texts apart within this process, and disclose nothing about them. */
import { hash, randomBytes } from 'node:crypto';

/** A new key for each process. With a known key, the few card numbers that exist could all be tried. */
let key: string | undefined;

/**
 * Returns the SHA-256 of a random key of this process and a text, in base64url. The hash must not leave the process.
 *
 * The key has a fixed length and comes first. An HMAC would also be safe for hashes that are shown, at three times the
 * cost.
 */
export function processHash(text: string): string {
  key ??= randomBytes(32).toString('base64url');
  return hash('sha256', key + text, 'base64url');
}
