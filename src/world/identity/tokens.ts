/**
 * Bearer tokens that contain their merchant: `A21.<merchant>.<issue>`.
 *
 * The issue holds creation time, lifetime, a random part and a signature over all of it. Nothing is
 * stored: a reset does not invalidate a client's cached token, every replica with the same seed
 * accepts it, and a proxy can read the merchant.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { isClientId } from './merchant-id.ts';

/** Token lifetime in seconds: nine hours, as recorded since 2016 (contract.md §1.2). */
export const tokenLifetimeS = 32_400;

/** `Bearer sandbox.<merchant>` needs no token call. */
const shortcut = 'sandbox.';

/** The merchant and expiry of a bearer token. `expiresAtMs` is absent if it never expires. */
export interface Bearer {
  readonly merchant: string;
  readonly expiresAtMs?: number;
  /** Tells this token from others. Absent if the merchant has only one of its kind. */
  readonly mark?: string;
}

export type BearerRefusal = 'absent' | 'unknown' | 'shortcut-off';

/** How many read tokens are cached, so that each signature is checked once. */
const maxCachedTokens = 10_000;
/** Longer than any header with a token from here. */
const maxCachedLength = 256;

export class Tokens {
  readonly #key: Buffer;
  readonly #shortcutOn: boolean;
  readonly #cache = new Map<string, Bearer>();

  constructor(seed: string, options: { readonly shortcut: boolean }) {
    this.#key = hash('sha256', JSON.stringify([seed, 'tokens']), 'buffer');
    this.#shortcutOn = options.shortcut;
  }

  /** Creates a token for a merchant. `nonce` comes from the merchant's random streams. */
  mint(merchant: string, nowMs: number, lifetimeS: number, nonce: string): string {
    // In milliseconds: a token cut to whole seconds would expire earlier than the client was told.
    const issue = `${Math.ceil(nowMs).toString(36)}-${lifetimeS.toString(36)}-${nonce}`;
    return `A21.${merchant}.${issue}-${this.#seal(merchant, issue)}`;
  }

  /** Reads an Authorization header. The caller compares the expiry with the merchant's clock. */
  read(header: string | undefined): Bearer | BearerRefusal {
    if (header === undefined || header === '') return 'absent';
    const known = this.#cache.get(header);
    if (known !== undefined) return known;
    const token = /^bearer +(\S+) *$/i.exec(header)?.[1];
    if (token === undefined) return 'unknown';
    const bearer = token.startsWith(shortcut)
      ? this.#readShortcut(token.slice(shortcut.length))
      : this.#readMinted(token);
    if (typeof bearer === 'string') return bearer;
    // Spaces around a token can make a header arbitrarily long.
    if (header.length > maxCachedLength) return bearer;
    if (this.#cache.size >= maxCachedTokens) this.#cache.clear();
    this.#cache.set(header, bearer);
    return bearer;
  }

  #readShortcut(merchant: string): Bearer | BearerRefusal {
    if (!isClientId(merchant)) return 'unknown';
    return this.#shortcutOn ? { merchant } : 'shortcut-off';
  }

  #readMinted(token: string): Bearer | BearerRefusal {
    const parts = /^A21\.(.+)\.((-?[0-9a-z]+)-([0-9a-z]+)-[0-9a-z]+)-([0-9a-f]{16})$/.exec(token);
    const [, merchant = '', issue = '', issuedMs = '', lifetimeS = '', seal = ''] = parts ?? [];
    if (parts === null || !isClientId(merchant)) return 'unknown';
    const expected = this.#seal(merchant, issue);
    if (!timingSafeEqual(Buffer.from(seal), Buffer.from(expected))) return 'unknown';
    const expiresAtMs = Number.parseInt(issuedMs, 36) + Number.parseInt(lifetimeS, 36) * 1000;
    return { merchant, expiresAtMs, mark: seal };
  }

  #seal(merchant: string, issue: string): string {
    return createHmac('sha256', this.#key)
      .update(`${merchant}.${issue}`)
      .digest('hex')
      .slice(0, 16);
  }
}
