/** The merchant that a call names, held to what a client id may be. */
import { isClientId } from '../../world/identity/merchant-id.ts';
import { ControlRequestError } from '../errors/control-error.ts';

/** Throws a `ControlRequestError` for what no client can be called. */
export function checked(merchant: string): string {
  if (isClientId(merchant)) return merchant;
  throw new ControlRequestError(
    'invalid-parameter',
    "'merchant' must be a client id: 1 to 128 letters, digits and . _ ~ @ + - (a + is written %2B in a query).",
    { place: 'query.merchant' },
  );
}
