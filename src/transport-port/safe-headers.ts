/** Headers of every answer with a body. They forbid what no browser has to do with an answer of a sandbox. */

/** Browsers must not guess another type than the declared one. */
export const notSniffed = { 'X-Content-Type-Options': 'nosniff' } as const;

/** No page of another origin may frame or load what the control API and the pages answer. */
export const ownOriginOnly = {
  ...notSniffed,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const;
