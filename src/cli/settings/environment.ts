/** Environment variables: which one sets a flag, and which ones look like a typing error. */
import { nearest } from '../../shared/did-you-mean.ts';
import { envNames, flags, type Flag } from './flags.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The variable that sets a flag, if there is one. An empty variable counts as not set: Compose files and CI switch
 * variables off that way.
 */
export function variableFor(env: Env, flag: Flag): string | undefined {
  return envNames(flag).find(
    (name) => env[name] !== undefined && env[name] !== '' && !isLink(name, env),
  );
}

/** One warning for each variable that is a service link, or looks like a mistyped variable of ours. */
export function environmentWarnings(env: Env): string[] {
  const known = flags.flatMap(envNames).filter((name) => name.startsWith(prefix));
  const rests = known.map((name) => name.slice(prefix.length));
  const links = known.filter((name) => isLink(name, env)).map(linkWarning);
  const unknown = Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .flatMap((name) => {
      // Only a warning: other programs and links to services in a cluster may use the prefix too.
      const near = nearest(name.slice(prefix.length), rests);
      return near === undefined
        ? []
        : [`Unknown environment variable ${name}. Did you mean ${prefix}${near}?`];
    });
  return [...links, ...unknown];
}

/** One warning for each empty token variable, such as a secret that is missing in CI. */
export function emptyTokenWarnings(env: Env): string[] {
  return ['CARD_VAULT_CONTROL_TOKEN', 'CARD_VAULT_CONTROL_TOKEN_FILE']
    .filter((name) => env[name] === '')
    .map(
      (name) => `The environment variable ${name} is empty, so calls to /_sandbox need no token.`,
    );
}

const prefix = 'CARD_VAULT_';

/** Kubernetes and Docker links set such a variable for a service called card-vault. */
function isLink(name: string, env: Env): boolean {
  return name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(env[name] ?? '');
}

function linkWarning(name: string): string {
  const service = name.slice(0, -'_PORT'.length).toLowerCase().replaceAll('_', '-');
  return `The environment variable ${name} is a link to a service called ${service} and is ignored. In Kubernetes, set enableServiceLinks: false to avoid such links.`;
}
