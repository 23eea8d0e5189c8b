/** When what was compiled of the command is kept, and for whom. */

/** When a start is over, and its first requests are answered, also where machines are slow. */
const startedAfterMs = 2_000;

/**
 * What processes go by that call the same functions. How a command line begins is how it goes on: a verb in front, or
 * flags of the verb that needs no name.
 */
export function verbOf([first = '']: readonly string[]): string {
  return /^[a-z]+$/.test(first) ? first : 'serve';
}

/**
 * Keeps it soon after the start, or at the end of a process that ends well before: V8 drops what has not run for a while,
 * so one that served for long no longer has what a start needs. The help of a verb is not the verb, and keeps nothing.
 */
export function keepOnceStarted(keep: () => void, args: readonly string[]): void {
  if (args.some((arg) => /^(-h|--help|-v|--version)$/.test(arg))) return;
  const atExit = (code: number): void => {
    // What runs into a mistake is not what the next start will run.
    if (code === 0) keep();
  };
  process.once('exit', atExit);
  setTimeout(() => {
    process.off('exit', atExit);
    keep();
  }, startedAfterMs).unref();
}
