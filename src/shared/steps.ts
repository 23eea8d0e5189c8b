/**
 * Functions that read like async functions, but wait only for real promises. They are generators that use `yield*`
 * instead of `await`. Without a promise they finish in one synchronous step.
 */

/** The generator of such a function. It yields each promise that it waits for. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise; returns any other value at once. */
export function* wait<T>(value: T | Promise<T>): Steps<T> {
  // `runSteps` resumes with what the promise resolved to.
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs steps to their end. Returns a promise only if a step waited. */
export function runSteps<T>(steps: Steps<T>): T | Promise<T> {
  return resume(steps, steps.next());
}

function resume<T>(steps: Steps<T>, step: IteratorResult<Promise<unknown>, T>): T | Promise<T> {
  if (step.done === true) return step.value;
  return step.value.then(
    (value) => resume(steps, steps.next(value)),
    (failure: unknown) => resume(steps, steps.throw(failure)),
  );
}
