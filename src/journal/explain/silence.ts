/** What a test can check if a merchant sent nothing. */

/** Enough merchants to recognize the client id that the code under test uses. */
const mostNamed = 5;

/**
 * What to check if a merchant sent no requests.
 *
 * @param others The merchants that sent some.
 */
export function adviseOnSilence(others: readonly string[]): string {
  if (others.length === 0) {
    return 'No other merchant sent any. Check that your code uses the URL of this sandbox.';
  }
  const left = others.length - mostNamed;
  const named = others.slice(0, mostNamed).join(', ');
  return `Check the client id in your code. Requests came from: ${named}${left > 0 ? ` and ${left} more` : ''}.`;
}
