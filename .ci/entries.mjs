/** The public entries, by the names of their files in `dist`, each a subpath of `exports` in package.json. */
export const entries = {
  index: 'src/index.ts',
  client: 'src/client/connect.ts',
};

/** With those that only `import` finds: vitest refuses to be required. */
export const moduleEntries = { ...entries, vitest: 'src/vitest/index.ts' };

/** What the entry for vitest takes of the library. */
export const parts = 'src/vitest/library-parts.ts';

/** What a bundle leaves to the program that imports it. */
export const left = ['vitest'];
