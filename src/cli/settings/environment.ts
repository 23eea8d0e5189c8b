/** Variables of the environment: which of them set a flag, and which of them look as if they should. */
import { nearest } from '../../shared/did-you-mean.ts';
import { envNames, flags, type Flag } from './flags.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The variable that sets a flag, if one does. Set to nothing counts as not set: that is how Compose files and CI switch a
 * variable off.
 */
export function setIn(env: Env, flag: Flag): string | undefined {
  return envNames(flag).find(
    (name) => env[name] !== undefined && env[name] !== '' && !isLink(name, env),
  );
}

/** One sentence for each variable that is a link, or looks like a mistyped one of ours. */
export function doubtsAbout(env: Env): string[] {
  const known = flags.flatMap(envNames).filter((name) => name.startsWith(prefix));
  const rests = known.map((name) => name.slice(prefix.length));
  const links = known.filter((name) => isLink(name, env)).map(linkWords);
  const unknown = Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .flatMap((name) => {
      // Only a doubt: other programs, and links to services in a cluster, may use the prefix too.
      const near = nearest(name.slice(prefix.length), rests);
      return near === undefined
        ? []
        : [
            `The environment variable ${name} is not known and does nothing. Did you mean ${prefix}${near}?`,
          ];
    });
  return [...links, ...unknown];
}

/** One sentence for each token that was meant to be and is nothing: a secret that a pipeline does not have. */
export function emptyTokens(env: Env): string[] {
  return ['CARD_VAULT_CONTROL_TOKEN', 'CARD_VAULT_CONTROL_TOKEN_FILE']
    .filter((name) => env[name] === '')
    .map(
      (name) =>
        `The environment variable ${name} is set to nothing, so calls under /_sandbox need no token.`,
    );
}

const prefix = 'CARD_VAULT_';

/** What Kubernetes, and links of Docker, set for a service whose name is the beginning of the variable's. */
function isLink(name: string, env: Env): boolean {
  return name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(env[name] ?? '');
}

function linkWords(name: string): string {
  const service = name.slice(0, -'_PORT'.length).toLowerCase().replaceAll('_', '-');
  return `The environment variable ${name} is the link to a service called ${service}, and is taken as not set. In Kubernetes, enableServiceLinks: false leaves such links out.`;
}
