/** The origin of links: configured, as a proxy in front reports it, or the one that the client used. */
import type { Transport } from './transport.ts';

/** The origin of the links in the answer to a request. */
export type LinkBase = (transport: Pick<Transport, 'header' | 'origin'>) => string;

/** Chooses where links start. Headers of a proxy count only if they are trusted: any client can send them. */
export function linkBaseOf(baseUrl: string | undefined, trustProxy: boolean): LinkBase {
  if (baseUrl !== undefined) return () => baseUrl;
  return trustProxy ? proxiedOrigin : ({ origin }) => origin;
}

/**
 * Reads `Forwarded` (RFC 7239), then `X-Forwarded-Proto` and `X-Forwarded-Host`. Each part that is absent or invalid comes
 * from the request itself. Of several values, the first is the one that the client used.
 */
function proxiedOrigin(transport: Pick<Transport, 'header' | 'origin'>): string {
  const forwarded = forwardedPairs(transport.header('forwarded'));
  const own = schemeAndHost(transport.origin);
  const schemes = [forwarded.get('proto'), firstOf(transport.header('x-forwarded-proto'))];
  const hosts = [forwarded.get('host'), firstOf(transport.header('x-forwarded-host'))];
  const scheme = schemes.map((one) => one?.toLowerCase()).find(isScheme) ?? own.scheme;
  const host = hosts.find(isHost) ?? own.host;
  // A port that the scheme implies is left out, as in every URL.
  return isHost(host) ? new URL(`${scheme}://${host}`).origin : `${scheme}://${host}`;
}

function schemeAndHost(origin: string): { readonly scheme: string; readonly host: string } {
  const [scheme = 'http', host = ''] = origin.split('://', 2);
  return { scheme, host };
}

function firstOf(list: string | undefined): string | undefined {
  return list?.split(',', 1)[0]?.trim();
}

const pairForm = /^\s*([!#$%&'*+.^_`|~\w-]+)=(?:"([^"\\]*)"|([^\s";,=]+))\s*$/;

/** The pairs of the first element. An element with an invalid pair is ignored. */
function forwardedPairs(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (firstOf(header) ?? '').split(';').map((text) => pairForm.exec(text));
  const isValid = pairs.every((pair) => pair !== null);
  return new Map(
    isValid
      ? pairs.map(([, name = '', quoted, plain = '']) => [name.toLowerCase(), quoted ?? plain])
      : [],
  );
}

function isScheme(text: string | undefined): text is 'http' | 'https' {
  return text === 'http' || text === 'https';
}

/** A host name or address with an optional port, and nothing that would change the rest of a URL. */
function isHost(text: string | undefined): text is string {
  if (text === undefined || !/^(?:[a-z\d._-]+|\[[a-f\d:.]+\])(?::\d{1,5})?$/i.test(text))
    return false;
  return URL.canParse(`http://${text}`);
}
