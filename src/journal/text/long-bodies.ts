/** Of a request that is too long to be kept whole: what it asks for. A verdict tells purchases apart by that. */
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';

const toInstrument = stepsOf('payer.funding_instruments[0]');
const toTransaction = stepsOf('transactions[0]');

/** The money, its card and what it is called stay; carts of hundreds of items, which make a request long, do not. */
export function summarizeRequest(text: string): string | undefined {
  const body = parsed(text);
  if (body === undefined) return undefined;
  const transaction = memberAlong(body, toTransaction);
  return JSON.stringify({
    payer: { funding_instruments: [memberAlong(body, toInstrument)] },
    transactions: [picked(transaction, ['amount', 'invoice_number', 'custom', 'description'])],
    ...picked(body, ['amount', 'invoice_number']),
  });
}

function picked(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, memberOf(value, name)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const anId = /"id":"([^"]+)"/g;

/** Every id that a text of JSON shows, at any level. */
export function findIds(text: string): string[] {
  return Array.from(text.matchAll(anId), ([, id = '']) => id);
}

/** Of a text of JSON as much as `findIds` reads. */
export function keepOnlyIds(text: string): string {
  return Array.from(text.matchAll(anId), ([member]) => member).join();
}
