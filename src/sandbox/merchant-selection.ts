/** Which merchants a verb about several acts on. */
import { ArgumentError, checkKeys } from '../outcomes/argument-error.ts';
import { redactFreeText } from '../redaction/redact.ts';
import { asPlainObject, describeValue } from '../shared/unknown-value.ts';
import type { VerdictOptions } from '../verdict/options.ts';
import { isClientId } from '../world/identity/merchant-id.ts';

/** Which merchants a verb of `sandbox.all` acts on. */
export interface MerchantSelection {
  /** Only the merchants whose id starts with this. Default: all merchants. */
  readonly prefix?: string | undefined;
}

/**
 * Reads a prefix, which may be anything; `undefined` selects all merchants.
 *
 * It has the form of an id, because the verdict about a prefix that no merchant has names it as the merchant.
 */
export function readPrefix(given: unknown): string | undefined {
  if (given === undefined || (typeof given === 'string' && isClientId(given))) return given;
  throw new ArgumentError(
    `prefix must be the start of a client id such as "ci-": 1 to 128 letters, digits or any of . _ ~ @ + -, got ${redactFreeText(describeValue(given))}.`,
    { place: 'prefix' },
  );
}

/** Splits the options of a verdict, which may be anything, into the prefix and those that are for each merchant. */
export function splitOptions(options: VerdictOptions & MerchantSelection): {
  readonly prefix: string | undefined;
  readonly rest: VerdictOptions;
} {
  if (asPlainObject(options) === null) return { prefix: undefined, rest: options };
  const { prefix, ...rest } = options;
  return { prefix: readPrefix(prefix), rest };
}

/** Refuses a selection where a verb is about one merchant. */
export function refuseSelection(verb: string, selection: MerchantSelection): void {
  if (selection.prefix === undefined) return;
  throw new ArgumentError(
    `${verb}: one merchant has no prefix. Use sandbox.all.${verb}({ prefix }) for several merchants.`,
    { place: 'prefix' },
  );
}

/** Refuses any key but `prefix`. */
export function checkSelection(verb: string, selection: MerchantSelection): void {
  checkKeys(verb, selection, { prefix: true });
}
