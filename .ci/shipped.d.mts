/** The module as text, that takes the place of `src/documents/shipped-documents.ts` in a build. */
export function shippedModule(): Promise<string>;
