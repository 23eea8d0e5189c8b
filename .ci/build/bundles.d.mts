/** What is bundled: the parts that tests read. */
export const entries: Readonly<Record<string, string>>;
export const requiredEntries: Readonly<Record<string, string>>;
export const external: readonly string[];
