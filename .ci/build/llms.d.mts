/** The pages that the index of the documentation names, in its order, and then those that only these pages link to. */
export function pagesOfIndex(): string[];

/** The index: what the project is, and the pages with a line about each. */
export function llmsIndex(): string;

/** The pages for users of the package. */
export function pagesForUsers(): string[];

/** The text of all pages for users. */
export function llmsFull(): string;
