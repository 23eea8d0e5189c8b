/** Detects credentials of a live account. */

/**
 * The prefixes of live tokens and keys.
 *
 * `Seed silent:` client ids and secrets of the real service look the same for its sandbox and for live, so they are
 * accepted. A real access token in their place and a live key of another payment provider can be detected.
 */
const live = /^(?:A21AA[\w-]{12,}|A101\.[\w.-]{8,}|[rsp]k_live_\w+)/;

/** Whether a client id, a secret or a bearer token looks like a live one. */
export function looksLikeLiveCredential(credential: string): boolean {
  return live.test(credential);
}
