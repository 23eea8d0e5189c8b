/**
 * Functions that read like async functions, but wait only for real promises. They are generators that use `yield*`
 * instead of `await`. Without a promise they finish in one synchronous step.
 */

/** The generator of such a function. It yields each promise and each pause that it waits for. */
export type Steps<T> = Generator<Promise<unknown> | Pause, T, unknown>;

/**
 * A wait that other code ends. Unlike after a promise, the steps continue inside the call that ends it, so code that ends
 * several pauses decides their order.
 */
export interface Pause {
  /** Begins the wait. Call `resume` once, when the wait is over. */
  begin(resume: () => void): void;
}

/** Waits for a promise; returns any other value at once. */
export function* wait<T>(value: T | Promise<T>): Steps<T> {
  // `runSteps` resumes with what the promise resolved to.
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs steps to their end. Returns a promise only if a step waited. */
export function runSteps<T>(steps: Steps<T>): T | Promise<T> {
  return resume(steps, steps.next());
}

function resume<T>(
  steps: Steps<T>,
  step: IteratorResult<Promise<unknown> | Pause, T>,
): T | Promise<T> {
  if (step.done === true) return step.value;
  const { value: awaited } = step;
  if (!(awaited instanceof Promise)) {
    return new Promise((resolve, reject) => {
      awaited.begin(() => {
        try {
          resolve(resume(steps, steps.next()));
        } catch (failure) {
          reject(failure);
        }
      });
    });
  }
  return awaited.then(
    (value) => resume(steps, steps.next(value)),
    (failure: unknown) => resume(steps, steps.throw(failure)),
  );
}
