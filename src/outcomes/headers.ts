/** Outcomes asked for by a request's own headers. */
import { catalogue } from './catalogue.ts';
import type { Outcome } from './outcome.ts';
import type { Given } from './params.ts';

/** `Sandbox-Outcome: reset-after-commit; delay=800ms`: an outcome's id, and parameters. */
export function readOutcomeHeader(
  header: string,
): { readonly outcome: string; readonly params: Readonly<Record<string, string>> } | undefined {
  const [id = '', ...pairs] = header.split(';').map((part) => part.trim());
  if (!/^[a-z0-9-]{1,64}$/.test(id)) return undefined;
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
export function typedParams(outcome: Outcome, params: Readonly<Record<string, string>>): Given {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const counted = ['count', 'bytes', 'seconds'].includes(outcome.parameters[name]?.type ?? '');
      return [name, counted && /^\d{1,9}$/.test(value) ? Number(value) : value];
    }),
  );
}

/**
 * `PayPal-Mock-Response: {"mock_application_codes":"INSTRUMENT_DECLINED"}`, as the real service takes it; back-slashed
 * quotes are tolerated, as its documents print them. Every outcome with that error name: which of them it is depends
 * on the operation.
 */
export function readMockResponse(header: string): readonly Outcome[] {
  const name = /"mock_application_codes"\s*:\s*"([A-Z0-9_]+)"/.exec(
    header.replaceAll('\\', ''),
  )?.[1];
  return name === undefined
    ? []
    : catalogue.filter(({ effect }) => effect.kind === 'error' && effect.name === name);
}
