const mostNameLetters = 80;

/**
 * Makes the client id of a test: readable, and like that of no other test.
 *
 * The id that vitest gives a test differs between files, tests and workers. It is the same in every run, so the ids of cards
 * and payments stay the same too.
 */
export function merchantName(prefix: string, title: string, taskId: string): string {
  const words = `${prefix} ${title}`
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, mostNameLetters)
    .replaceAll(/^-+|-+$/g, '');
  return `${words}~${taskId.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
}
