/** Request headers that ask for an outcome: `Sandbox-Outcome` and `PayPal-Mock-Response`. */
import { didYouMean } from '../../shared/did-you-mean.ts';
import { errorNames } from '../catalogue/errors.ts';
import { catalogue, checkedCatalogue } from '../catalogue.ts';
import type { NearMiss } from '../decide/decision.ts';
import type { Outcome } from '../outcome.ts';
import { applyParams, type ParamValues } from '../decide/params.ts';

/** Reads `Sandbox-Outcome: reset-after-commit; delay=800ms`: the id of an outcome and its parameters. */
export function readOutcomeHeader(
  header: string,
): { readonly outcome: string; readonly params: Readonly<Record<string, string>> } | undefined {
  const [id = '', ...pairs] = header.split(';').map((part) => part.trim());
  // No id has capitals, but an id in capitals allows a suggestion.
  if (!/^[a-z0-9-]{1,64}$/i.test(id)) return undefined;
  const params = Object.fromEntries(
    pairs.flatMap((pair) => {
      const equals = pair.indexOf('=');
      return equals < 1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
    }),
  );
  // A name may be repeated in a message, so it must not contain a card number.
  if (!Object.keys(params).every((name) => /^[A-Za-z]{1,32}\d{0,2}$/.test(name))) return undefined;
  return { outcome: id, params };
}

/** Converts the text of a header to the types of the parameters. */
export function typedParams(
  outcome: Outcome,
  params: Readonly<Record<string, string>>,
): ParamValues {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const counted = ['count', 'bytes', 'seconds'].includes(outcome.parameters[name]?.type ?? '');
      return [name, counted && /^\d{1,9}$/.test(value) ? Number(value) : value];
    }),
  );
}

/** A header that asks for an outcome which the request cannot have, and why. */
export interface UnappliedHeader {
  readonly nearMiss: NearMiss;
}

/** Reports that `PayPal-Mock-Response` cannot apply. */
export function unappliedMockHeader(why: string): UnappliedHeader {
  return { nearMiss: { rule: 'PayPal-Mock-Response', why } };
}

/** Reports that `Sandbox-Outcome` cannot apply. */
export function unappliedOutcomeHeader(why: string): UnappliedHeader {
  return { nearMiss: { rule: 'Sandbox-Outcome', why } };
}

const mockForm = '{"mock_application_codes":"NAME"}';

/**
 * Reads `PayPal-Mock-Response: {"mock_application_codes":"INSTRUMENT_DECLINED"}`, as the real service does.
 *
 * Escaped quotes are accepted, because the service's documentation prints them. The result lists every outcome with
 * this error name. The operation decides between them, and the last one suits every operation.
 */
export function readMockResponse(header: string): readonly Outcome[] | UnappliedHeader {
  const name = /"mock_application_codes"\s*:\s*"([A-Z0-9_]{1,64})"/.exec(
    header.replaceAll('\\', ''),
  )?.[1];
  if (name === undefined) return unappliedMockHeader(`its value must have the form ${mockForm}`);
  if (!errorNames.includes(name)) {
    return unappliedMockHeader(
      `the service has no error of this name.${didYouMean(name, errorNames)}`,
    );
  }
  const named = catalogue.filter(
    ({ effect, parameters }) =>
      // A page does not show the error name.
      effect.kind === 'error' && effect.name === name && parameters['body']?.default !== 'html',
  );
  return [...named, applyParams(checkedCatalogue.get('error-by-name'), { error: name })];
}
