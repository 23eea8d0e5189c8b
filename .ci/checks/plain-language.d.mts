/** Each word of the table in a text, with its line and the plain word. */
export function findWords(text: string): string[];

/** Each sentence of a Markdown page that is too long. */
export function findLongSentences(page: string): string[];
