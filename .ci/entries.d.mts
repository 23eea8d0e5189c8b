/** The public entries: the source of each, by the name of its files in `dist`. */
export const entries: Readonly<Record<string, string>>;
