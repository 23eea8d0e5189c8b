/** Requests that must be refused, and what the refusal says. */
import { expect } from 'vitest';
import type { Request, Shop } from '../transports.ts';

/** The operations that may answer 400. */
type Refusing =
  | 'payment.create'
  | 'payment.list'
  | 'payment.update'
  | 'payment.execute'
  | 'sale.refund'
  | 'auth.capture'
  | 'auth.void'
  | 'auth.reauthorize'
  | 'capture.refund';

/** The refusal's name and message. It must carry no `details`: those are for fields that are wrong. */
export async function refusalOf(
  shop: Shop,
  name: Refusing,
  request: Request,
): Promise<{ name: string; message: string }> {
  const refusal = await shop.ask(name, 400, request);
  expect(refusal).not.toHaveProperty('details');
  return { name: refusal.name, message: refusal.message };
}

/** Each field that is wrong with its issue, in the order they are listed. */
export async function issuesOf(
  shop: Shop,
  name: Refusing,
  request: Request,
): Promise<readonly (readonly [field: string, issue: string])[]> {
  const refusal = await shop.ask(name, 400, request);
  expect(refusal.name).toBe('VALIDATION_ERROR');
  expect(refusal.message).toBe('Invalid request - see details');
  return refusal.details?.map(({ field, issue }) => [field, issue] as const) ?? [];
}

export const malformedRequest = {
  name: 'MALFORMED_REQUEST',
  message: 'Incoming JSON request does not map to API request',
};

export const requiredIssue = 'Required field missing';
export const zeroIssue = 'Amount cannot be zero';
export const formatIssue =
  'Amount must be a string of up to 7 digits, with exactly 2 decimals after a "." or none; HUF, JPY and TWD take no decimals';
