/** The client id of a test: readable, and like that of no other test. */

const mostNameLetters = 80;

/**
 * Made of what the test is called and of the id that vitest gives it, which differs between files, tests and workers
 * and is the same in every run, so that ids of cards and payments stay the same too.
 */
export function merchantName(prefix: string, title: string, taskId: string): string {
  const words = `${prefix} ${title}`
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, mostNameLetters)
    .replaceAll(/^-+|-+$/g, '');
  return `${words}~${taskId.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
}
