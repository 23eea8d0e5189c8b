/** What a merchant's code knows after its client has finished. */
import { z } from 'zod';

export type ClientResult =
  /** The call succeeded. The payment id is present if the answer had one. */
  | { readonly word: 'paid'; readonly paymentId: string | undefined }
  /** The client reported a 4xx or that nothing was paid. */
  | { readonly word: 'refused' }
  /** Any other error: the code cannot know the outcome. */
  | { readonly word: 'error' }
  /** The call is still waiting, without a timeout. */
  | { readonly word: 'waits' };

/** An answer with an error status, for code that checks the status itself. */
export class UnexpectedStatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The service answered ${status}.`);
    this.name = 'AnsweredWith';
    this.status = status;
  }
}

/** An error of a client that knows that nothing was paid. */
export class NotPaidError extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'NotPaid';
  }
}

const WithId = z.object({ id: z.string() });

/** Each library keeps the status of an answer in another property of its error. */
const WithStatus = z.union([
  z.object({ status: z.int() }).transform(({ status }) => status),
  z
    .object({ response: z.object({ status: z.int() }) })
    .transform(({ response }) => response.status),
  z
    .object({ response: z.object({ statusCode: z.int() }) })
    .transform(({ response }) => response.statusCode),
  z.object({ httpStatusCode: z.int() }).transform(({ httpStatusCode }) => httpStatusCode),
]);

/** Runs a purchase like typical merchant code: a call that does not throw counts as paid. */
export async function runPurchase(buy: () => Promise<unknown>): Promise<ClientResult> {
  try {
    const answer = WithId.safeParse(await buy());
    return { word: 'paid', paymentId: answer.data?.id };
  } catch (error) {
    if (error instanceof NotPaidError) return { word: 'refused' };
    const status = WithStatus.safeParse(error).data ?? 0;
    return { word: status >= 400 && status < 500 ? 'refused' : 'error' };
  }
}

/**
 * The same with a limit on the time. The time passes in short timers, because a busy machine delays them as much as the
 * client in the same process.
 */
export async function runPurchaseWithin(
  patienceMs: number,
  buy: () => Promise<unknown>,
): Promise<ClientResult> {
  const stepMs = 10;
  let timer: NodeJS.Timeout | undefined;
  const waits = new Promise<ClientResult>((resolve) => {
    const step = (left: number): void => {
      if (left === 0) resolve({ word: 'waits' });
      else timer = setTimeout(step, stepMs, left - 1);
    };
    step(Math.ceil(patienceMs / stepMs));
  });
  const result = await Promise.race([runPurchase(buy), waits]);
  clearTimeout(timer);
  return result;
}
