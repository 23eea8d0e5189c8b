/** The answer for an unknown path or a wrong method. */
import { nearestPath } from '../../shared/did-you-mean.ts';
import { ControlRequestError } from './control-error.ts';
import { pathPattern } from '../routes/declared-call.ts';

/** A path that is served, as documented with `{names}`, and its methods. */
export interface ServedPath {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Answers 405 with Allow for a known path, and 404 with the nearest path for an unknown one. */
export function notFound(
  path: string,
  method: string,
  served: readonly ServedPath[],
): ControlRequestError {
  const known = served.find((one) => pathPattern(one.path).test(path));
  if (known === undefined) return unknownPath(path, served);
  return new ControlRequestError(
    'method-not-allowed',
    `${known.path} is served with ${known.methods.join(', ')}, not with ${method}.`,
    { place: 'method', allowed: known.methods, headers: { Allow: known.methods.join(', ') } },
  );
}

/** Words that a path may have in place of the one that is served. */
const otherWords: readonly (readonly [other: RegExp, path: string])[] = [
  [/^\/_sandbox\/requests(?=\/|$)/, '/_sandbox/journal'],
  [/^\/_sandbox\/gates(?=\/|$)/, '/_sandbox/hold'],
];

function unknownPath(path: string, served: readonly ServedPath[]): ControlRequestError {
  const meant = otherWords.reduce((text, [other, word]) => text.replace(other, word), path);
  const near = served.find((one) => one.path === meant) ?? nearestPath(meant, served);
  const nearest =
    near === undefined
      ? 'All paths are listed'
      : `The nearest path is ${near.methods.join(', ')} ${near.path}. All paths are listed`;
  return new ControlRequestError(
    'unknown-path',
    `Nothing is served at ${path.slice(0, 256)}. ${nearest} at /docs/control.`,
    { place: 'path', allowed: served.map((one) => one.path), nearest: near?.path },
  );
}
