/** The public entries: the source of each, by the name of its files in `dist`. */
export const entries: Readonly<Record<string, string>>;
/** With those that only `import` finds. */
export const moduleEntries: Readonly<Record<string, string>>;
