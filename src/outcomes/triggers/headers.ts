/** Outcomes asked for by a request's own headers. */
import { didYouMean } from '../../shared/did-you-mean.ts';
import { errorNames } from '../catalogue/errors.ts';
import { catalogue, checkedCatalogue } from '../catalogue.ts';
import type { NearMiss } from '../decide/decision.ts';
import type { Outcome } from '../outcome.ts';
import { applyParams, type ParamValues } from '../decide/params.ts';

/** `Sandbox-Outcome: reset-after-commit; delay=800ms`: an outcome's id, and parameters. */
export function readOutcomeHeader(
  header: string,
): { readonly outcome: string; readonly params: Readonly<Record<string, string>> } | undefined {
  const [id = '', ...pairs] = header.split(';').map((part) => part.trim());
  // In capitals it names none, but one can be told that was meant.
  if (!/^[a-z0-9-]{1,64}$/i.test(id)) return undefined;
  const params = Object.fromEntries(
    pairs.flatMap((pair) => {
      const equals = pair.indexOf('=');
      return equals < 1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
    }),
  );
  // A name may come back in a message, so it cannot hold a card number.
  if (!Object.keys(params).every((name) => /^[A-Za-z]{1,32}\d{0,2}$/.test(name))) return undefined;
  return { outcome: id, params };
}

/** Parameters as their types have them: a header holds nothing but text. */
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

/** Why a request that asks for something is answered as if it did not. */
export interface UnappliedHeader {
  readonly nearMiss: NearMiss;
}

/** Why `PayPal-Mock-Response` was asked in vain. */
export function unappliedMockHeader(why: string): UnappliedHeader {
  return { nearMiss: { rule: 'PayPal-Mock-Response', why } };
}

/** Why `Sandbox-Outcome` was asked in vain. */
export function unappliedOutcomeHeader(why: string): UnappliedHeader {
  return { nearMiss: { rule: 'Sandbox-Outcome', why } };
}

const mockForm = '{"mock_application_codes":"NAME"}';

/**
 * `PayPal-Mock-Response: {"mock_application_codes":"INSTRUMENT_DECLINED"}`, as the real service takes it; back-slashed
 * quotes are tolerated, as its documents print them. Every outcome with that error name: which of them it is depends
 * on the operation, and the last is for any.
 */
export function readMockResponse(header: string): readonly Outcome[] | UnappliedHeader {
  const name = /"mock_application_codes"\s*:\s*"([A-Z0-9_]{1,64})"/.exec(
    header.replaceAll('\\', ''),
  )?.[1];
  if (name === undefined) return unappliedMockHeader(`it is not of the form ${mockForm}`);
  if (!errorNames.includes(name)) {
    return unappliedMockHeader(`it names no error of the service.${didYouMean(name, errorNames)}`);
  }
  const named = catalogue.filter(
    ({ effect, parameters }) =>
      // A page does not say the name.
      effect.kind === 'error' && effect.name === name && parameters['body']?.default !== 'html',
  );
  return [...named, applyParams(checkedCatalogue.get('error-by-name'), { error: name })];
}
