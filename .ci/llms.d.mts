/** The pages that the index of the documentation names, as paths below the repository, in its order. */
export function pagesOfIndex(): string[];

/** The index: what the project is, and the pages with a line about each. */
export function llmsIndex(): string;

/** The text of all pages. */
export function llmsFull(): string;
