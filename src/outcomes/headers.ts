/** Outcomes asked for by a request's own headers. */
import { catalogue } from './catalogue.ts';
import type { Outcome } from './outcome.ts';

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
  return { outcome: id, params };
}

/**
 * `PayPal-Mock-Response: {"mock_application_codes":"INSTRUMENT_DECLINED"}`, as the real service takes it; back-slashed
 * quotes are tolerated, as its documents print them. The first outcome with that error name.
 */
export function readMockResponse(header: string): Outcome | undefined {
  const name = /"mock_application_codes"\s*:\s*"([A-Z0-9_]+)"/.exec(
    header.replaceAll('\\', ''),
  )?.[1];
  return name === undefined
    ? undefined
    : catalogue.find(({ effect }) => effect.kind === 'error' && effect.name === name);
}
