/** Extracts the parts to keep of bodies that are too long. */
import { redactText } from '../../redaction/redact.ts';
import { showNone } from '../../redaction/hide-card-numbers.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import { hashParts } from '../purchase-key.ts';
import { requestDetailsOf } from '../query/request-details.ts';

const toInstrument = stepsOf('payer.funding_instruments[0]');
const toTransaction = stepsOf('transactions[0]');

/**
 * Keeps what a verdict needs to tell purchases apart: amount, card and names. Of the rest, such as
 * the items, which make requests long, it keeps a hash.
 */
export function summarizeRequest(text: string): string | undefined {
  const body = parsed(text);
  if (body === undefined) return undefined;
  const transaction = memberAlong(body, toTransaction);
  return JSON.stringify({
    payer: { funding_instruments: [memberAlong(body, toInstrument)] },
    transactions: [picked(transaction, ['amount', 'invoice_number', 'custom', 'description'])],
    ...picked(body, ['amount', 'invoice_number']),
    details: hashParts([redactText(requestDetailsOf(body), showNone)]),
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

/** Finds all ids in a JSON text, at any level. */
export function findIds(text: string): string[] {
  return Array.from(text.matchAll(anId), ([, id = '']) => id);
}

/** Keeps the part of a JSON text that `findIds` reads. */
export function keepOnlyIds(text: string): string {
  return Array.from(text.matchAll(anId), ([member]) => member).join();
}
