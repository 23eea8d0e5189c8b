/** What a merchant's code has in hand when a buyer presses "pay": where to, who, and which order. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { ClientClock } from '../reference/surroundings.ts';
import { paymentBody } from '../../../support/samples.ts';

export interface Till {
  /** Base address of the service, without a trailing slash. */
  readonly url: string;
  readonly clientId: string;
  readonly secret: string;
  readonly cardId: string;
  readonly order: string;
  /** For a client that is given its time. */
  readonly clock: ClientClock;
}

export const tokenPath = '/v1/oauth2/token';
export const paymentPath = '/v1/payments/payment';
export const tokenForm = 'grant_type=client_credentials';
export const formType = 'application/x-www-form-urlencoded';

export function basic({ clientId, secret }: Pick<Till, 'clientId' | 'secret'>): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

/**
 * The payment as the seed document shows it, with the order's number where it stops nothing. An invoice number would:
 * the service takes each only once, so a set-up that sends one says so.
 */
export function orderBody({ cardId, order }: Till): Record<string, unknown> {
  return paymentBody({ cardId, transaction: { custom: order } });
}

export function invoicedBody({ cardId, order }: Till): Record<string, unknown> {
  return paymentBody({ cardId, transaction: { invoice_number: order } });
}

const Token = z.object({ access_token: z.string() });

/** The header that a token answer leads to. */
export function bearer(answer: unknown): { readonly Authorization: string } {
  return { Authorization: `Bearer ${Token.parse(answer).access_token}` };
}

/**
 * Between two calls of a real shop there is time, in which a connection goes back to its pool; code that calls again in
 * the same breath would get a new one from some clients. A few turns of the event loop are enough and take no time.
 */
export async function breathe(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}
