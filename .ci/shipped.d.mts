/** The module as text, that takes the place of `src/shipped.ts` in a build. */
export function shippedModule(): Promise<string>;
