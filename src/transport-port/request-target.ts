/** The path and query of a request, as routes and operations read them. */
import { getQueryParam, tryDecode } from 'hono/utils/url';

export interface RequestTarget {
  /** Decoded, except for percent signs and separators, without dot segments and without one trailing slash. */
  readonly path: string;
  /** The query with its question mark, or empty. */
  readonly search: string;
}

/** A path that every URL has as it is: no dot segments, and nothing to decode. */
const plainPath = /^\/[\w/~@+=&:,-]*$/;

/** A query that every URL has as it is. */
const plainQuery = /^\?[\w/~@+=&?:,.%*-]*$/;

/** Reads a target that begins with a slash. A fragment, which no client should send, is ignored. */
export function readTarget(target: string): RequestTarget {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  const search = query === -1 ? '' : target.slice(query);
  if (plainPath.test(path) && (search === '' || plainQuery.test(search))) {
    return { path: withoutSlash(path), search };
  }
  const url = new URL(`http://localhost${target}`);
  return { path: withoutSlash(tryDecode(url.pathname, decodePath)), search: url.search };
}

/** Reads the parameters of a query. The first value of each name counts. */
export function readQuery({ search }: RequestTarget): Record<string, string> {
  const params = search === '' ? undefined : getQueryParam(`http://localhost/${search}`);
  return typeof params === 'object' ? params : {};
}

/** An encoded percent sign stays encoded, so that each parameter of a path can be decoded once more. */
function decodePath(path: string): string {
  return decodeURI(path.replaceAll('%25', '%2525'));
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** User name and password of a URL that is a part of a target, plain or encoded. */
const userInfo = /((?:\/|%2f){2})[^/?#\s]*?(?::|%3a)[^/?#\s]*?(?:@|%40)/gi;

/** Removes passwords of URLs in a target, because targets are kept in journals and quoted in answers. */
export function withoutUserInfo(target: string): string {
  return /@|%40/.test(target) ? target.replaceAll(userInfo, '$1') : target;
}
