/** What every operation answers alike, whatever it is about. */
import { expect } from 'vitest';
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import {
  operationNames,
  operations,
  type JsonOperation,
} from '../../../src/contract/service/operations.ts';
import type { Reply } from '../transports.ts';

const declares = (name: OperationName, status: number): boolean =>
  status in operations[name].responses;

/** Every operation but the token's, whose errors have OAuth's shape. */
export const jsonOperations = operationNames.filter((name) => name !== 'token.create');
export const withBody = jsonOperations.filter((name) => declares(name, 415));
export const withRequestId = jsonOperations.filter((name) => declares(name, 409));
export const aboutRecord = jsonOperations.filter((name) => operations[name].path.includes('{'));

/** Operations that wallets have. Whatever is sent, the sandbox refuses them, as the service does for cards. */
export const alwaysRefused: readonly JsonOperation[] = ['payment.execute', 'auth.reauthorize'];
export const writes = jsonOperations.filter((name) => operations[name].method !== 'get');

export const textOf = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

export const information = (name: string): string =>
  `https://developer.paypal.com/docs/api/#${name}`;

/** The error body that `name` has, `message` aside. */
export function expectProblem(reply: Reply<unknown>, status: number, name: string): void {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.body).toEqual({
    name,
    message: expect.stringMatching(/^[A-Z].*[^.]$/),
    information_link: information(name),
    debug_id: reply.headers.get('paypal-debug-id'),
  });
}
