/** Texts of merchants, where they could be taken for more than text. */

/**
 * Takes out of a text what would steer a terminal, and what turns around the words that stand behind it: an invoice
 * number may hold anything.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/**
 * The same where it is printed: pipelines take commands from what they log, Actions from a line that starts with two
 * colons, which any word may once it is wrapped, and Actions, Azure and TeamCity from wherever two hashes and a bracket
 * stand in it.
 */
export function harmlessPrinted(text: string): string {
  return harmless(text).replaceAll(/(?<=^|\s)::|##(?=\w*\[)/g, '\ufffd\ufffd');
}
