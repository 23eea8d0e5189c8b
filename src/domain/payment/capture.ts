/** Captures: taking money that an authorization holds. */
import type { Books } from '../ports.ts';
import { accept, refuseUnknown, type Result } from '../refusals.ts';
import type { Capture } from '../records.ts';

export function findCapture(books: Books, id: string): Result<Capture> {
  const capture = books.captures.get(id);
  return capture === undefined ? refuseUnknown('capture') : accept(capture);
}
