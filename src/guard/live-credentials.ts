/** Tells credentials that open a real account somewhere. */

/**
 * How live tokens and keys begin. `Seed silent:` client ids and secrets of the real service look the same whether they
 * are for its sandbox or for live, so those say nothing and are taken; what can be told is a real service's access
 * token in their place, and a live key of another payment company.
 */
const live = /^(?:A21AA[\w-]{12,}|A101\.[\w.-]{8,}|[rsp]k_live_\w+)/;

/** Whether a client id, a secret or a bearer token looks like a live one. */
export function looksLikeLiveCredential(credential: string): boolean {
  return live.test(credential);
}
