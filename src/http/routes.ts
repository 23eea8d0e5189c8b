/** The paths of operations, in every spelling. */
import { operations } from '../contract/service/operations.ts';

/** Both spellings of the vault are served; the document shows the first (contract.md §2.1). */
const vaultSpellings = ['/v1/vault/credit-cards', '/v1/vault/credit-card'] as const;

/** Lists every spelling of an operation's path. */
export function pathSpellings(path: string): readonly string[] {
  const [plural, singular] = vaultSpellings;
  return path.startsWith(plural) ? [path, singular + path.slice(plural.length)] : [path];
}

export interface Route {
  /** As documented, with `{names}`. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

/** Lists every served path with its methods. */
export const routes: readonly Route[] = collectRoutes();

function collectRoutes(): Route[] {
  const methodsByPath = new Map<string, string[]>();
  for (const { path, method } of Object.values(operations)) {
    for (const spelling of pathSpellings(path)) {
      const methods = methodsByPath.get(spelling) ?? [];
      // Hono answers HEAD on every GET route.
      methods.push(method.toUpperCase(), ...(method === 'get' ? ['HEAD'] : []));
      methodsByPath.set(spelling, methods);
    }
  }
  return [...methodsByPath].map(([path, methods]) => ({
    path,
    // The app has removed one trailing slash. A second one makes a different path.
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }));
}
