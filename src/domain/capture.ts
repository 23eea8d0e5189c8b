/** Captures: taking money that an authorization holds. */
import type { Refundable } from './sale.ts';
import type { Books } from './ports.ts';
import { accept, refuseUnknown, type Result } from './refusals.ts';

export interface Capture extends Refundable {
  readonly kind: 'capture';
  readonly authorizationId: string;
  readonly isFinal: boolean;
  readonly invoiceNumber: string | undefined;
}

export function findCapture(books: Books, id: string): Result<Capture> {
  const capture = books.captures.get(id);
  return capture === undefined ? refuseUnknown('capture') : accept(capture);
}
