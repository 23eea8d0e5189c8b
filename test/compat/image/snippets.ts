/** Reads the documented snippets for compose and CI as strictly as their runners do. */
import { parse } from 'yaml';
import { z } from 'zod';
import { exampleOf } from '../../support/repository/documentation.ts';

const Variables = z.record(z.string(), z.string());

/** The service that a snippet starts, and its address for the job. */
export interface Snippet {
  /** The equivalent arguments of `docker run`. */
  readonly options: readonly string[];
  /** The host name of the service for the job; `undefined` if the job uses a port of this machine. */
  readonly alias: string | undefined;
  readonly url: string;
}

const environment = (variables: z.infer<typeof Variables>) =>
  Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);

const Compose = z.strictObject({
  services: z.strictObject({
    vault: z.strictObject({
      image: z.literal('card-vault-sandbox'),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      environment: Variables,
      volumes: z.array(z.string().startsWith('./')),
    }),
    shop: z.strictObject({
      build: z.literal('.'),
      environment: z.strictObject({ VAULT_URL: z.url() }),
      depends_on: z.strictObject({
        vault: z.strictObject({ condition: z.literal('service_healthy') }),
      }),
    }),
  }),
});

/** The snippet for compose, with the volumes of this folder. */
export function composeSnippet(folder: string): Snippet {
  const { vault, shop } = Compose.parse(parse(exampleOf('compose'))).services;
  return {
    options: [
      ...vault.volumes.flatMap((volume) => ['-v', volume.replace('.', folder)]),
      ...environment(vault.environment),
    ],
    alias: 'vault',
    url: shop.environment.VAULT_URL,
  };
}

const image = z.string().regex(/^images\.example\.com\/card-vault-sandbox:\d+\.\d+\.\d+$/);

const GitHub = z.strictObject({
  jobs: z.strictObject({
    test: z.strictObject({
      'runs-on': z.string(),
      services: z.strictObject({
        vault: z.strictObject({
          image,
          ports: z.tuple([z.literal('3000:3000')]),
          env: Variables,
        }),
      }),
      steps: z.tuple([
        z.strictObject({ uses: z.string() }),
        z.strictObject({ run: z.string(), env: z.strictObject({ VAULT_URL: z.url() }) }),
        z.strictObject({ run: z.string(), if: z.literal('always()') }),
        z.strictObject({
          uses: z.string(),
          if: z.literal('always()'),
          with: z.strictObject({ name: z.string(), path: z.literal('verdict.xml') }),
        }),
      ]),
    }),
  }),
});

export function gitHubSnippet(): Snippet {
  const { services, steps } = GitHub.parse(parse(exampleOf('github'))).jobs.test;
  return {
    options: environment(services.vault.env),
    alias: undefined,
    url: steps[1].env.VAULT_URL,
  };
}

/** The line that prints the verdict of the service in this container. */
export function gitHubVerdict(container: string): string {
  const [, , { run }] = GitHub.parse(parse(exampleOf('github'))).jobs.test.steps;
  return run.replace('${{ job.services.vault.id }}', container);
}

const GitLab = z.strictObject({
  test: z.strictObject({
    image: z.string(),
    services: z.tuple([z.strictObject({ name: image, alias: z.string(), variables: Variables })]),
    variables: z.strictObject({ VAULT_URL: z.url() }),
    script: z.array(z.string()),
    artifacts: z.strictObject({
      when: z.literal('always'),
      reports: z.strictObject({ junit: z.literal('verdict.xml') }),
    }),
  }),
});

export function gitLabSnippet(): Snippet {
  const { services, variables } = GitLab.parse(parse(exampleOf('gitlab'))).test;
  const [{ alias, variables: own }] = services;
  return { options: environment(own), alias, url: variables.VAULT_URL };
}
