/** What a merchant's code believes once its client is done. */
import { z } from 'zod';

export type Told =
  /** The call went well; the payment's id, if the answer had one. */
  | { readonly word: 'paid'; readonly paymentId: string | undefined }
  /** The client reported an answer of 4xx, or a plain no. */
  | { readonly word: 'refused' }
  /** Anything else that was thrown: the code cannot know. */
  | { readonly word: 'error' }
  /** Nothing yet, and nothing to end it. */
  | { readonly word: 'waits' };

/** What code throws that has read a status by itself. */
export class AnsweredWith extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The service answered ${status}.`);
    this.name = 'AnsweredWith';
    this.status = status;
  }
}

/** What a client throws that knows that nothing was paid. */
export class NotPaid extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'NotPaid';
  }
}

const WithId = z.object({ id: z.string() });

/** Each library keeps the status of an answer in another place of its error. */
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

/** Runs a purchase as merchants' code does: what does not throw was paid. */
export async function hear(buy: () => Promise<unknown>): Promise<Told> {
  try {
    const answer = WithId.safeParse(await buy());
    return { word: 'paid', paymentId: answer.data?.id };
  } catch (error) {
    if (error instanceof NotPaid) return { word: 'refused' };
    const status = WithStatus.safeParse(error).data ?? 0;
    return { word: status >= 400 && status < 500 ? 'refused' : 'error' };
  }
}

/**
 * The same, given up after a while. The time passes in short timers, one after the other: a busy machine delays them as
 * it delays the client, which runs in the same process.
 */
export async function hearWithin(patienceMs: number, buy: () => Promise<unknown>): Promise<Told> {
  const stepMs = 10;
  let timer: NodeJS.Timeout | undefined;
  const waits = new Promise<Told>((resolve) => {
    const step = (left: number): void => {
      if (left === 0) resolve({ word: 'waits' });
      else timer = setTimeout(step, stepMs, left - 1);
    };
    step(Math.ceil(patienceMs / stepMs));
  });
  const told = await Promise.race([hear(buy), waits]);
  clearTimeout(timer);
  return told;
}
