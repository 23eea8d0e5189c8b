/** Tells cards apart by their numbers, without keeping a number. */
import type { OperationName } from '../contract/service/operation-name.ts';
import { processHash } from '../shared/process-hash.ts';
import { memberAlong, stepsOf, textOf } from '../shared/unknown-value.ts';

const places: Partial<Record<OperationName, ReturnType<typeof stepsOf>>> = {
  'card.create': stepsOf('number'),
  'payment.create': stepsOf('payer.funding_instruments[0].credit_card.number'),
};

/** 72 bits. A slice of 13 or more characters would keep the whole digest in memory. */
const length = 12;

/**
 * Returns the mark of the card number in a request; `undefined` if it has none.
 *
 * Two requests of one merchant have the same mark if and only if they name the same number. A mark is for verdicts of
 * this process alone: no answer, journal query, export or file contains it.
 */
export function cardMarkOf(
  merchant: string,
  operation: OperationName | undefined,
  body: unknown,
): string | undefined {
  const place = operation && places[operation];
  const number = place && textOf(memberAlong(body, place)).replaceAll(/\D/g, '');
  if (number === undefined || number === '') return undefined;
  return processHash(JSON.stringify([merchant, number])).slice(0, length);
}
