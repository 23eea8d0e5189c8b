/** Makes texts of merchants safe to print: an invoice number may hold anything. */

/** Replaces control characters, which steer a terminal, and marks that reverse the text after them. */
export function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/**
 * Also replaces what CI systems read as commands in a log.
 *
 * GitHub Actions runs a line that starts with two colons, and wrapping can move any word to the start of a line. Actions,
 * Azure Pipelines and TeamCity run two hashes and a bracket anywhere in a line.
 */
export function escapeForLog(text: string): string {
  return escapeControls(text).replaceAll(/(?<=^|\s)::|##(?=\w*\[)/g, '\ufffd\ufffd');
}
