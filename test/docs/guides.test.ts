/** What the guides show besides examples that run: the shop that they test, and files for other programs. */
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import {
  exampleOf,
  expectGenerated,
  headingsOf,
  table,
} from '../support/repository/documentation.ts';
import { shopFiles } from '../support/shop-files.ts';

describe('the shop in the guides (UPDATE_DOCS=1 writes it)', () => {
  it.each(Object.entries(shopFiles()))('equals %s', (name, code) => {
    expect(code).toContain('export');
    expectGenerated(name, ['```js', code.trimEnd(), '```'].join('\n'));
  });
});

it('the contents of "How to …" name every answer (UPDATE_DOCS=1 writes them)', () => {
  const rows: string[][] = [];
  for (const { level, title, anchor } of headingsOf('docs/how-to.md')) {
    if (level === 2) rows.push([title]);
    const row = rows.at(-1);
    if (level === 3 && row !== undefined) row.push(`[${title}](#${anchor})`);
  }
  const answers = rows
    .filter(([, ...links]) => links.length > 0)
    .map(([section = '', ...links]) => [`**${section}**`, links.join(' · ')]);
  expectGenerated('how-to', table(['About', 'Answers'], answers));
});

const command = 'npx card-vault-sandbox run --junit verdict.xml -- npm test';

it('the step for GitHub Actions runs the tests with a sandbox', () => {
  const Workflow = z.strictObject({
    jobs: z.strictObject({
      test: z.strictObject({
        'runs-on': z.string(),
        steps: z.tuple([
          z.strictObject({ uses: z.string().startsWith('actions/checkout@') }),
          z.strictObject({ run: z.literal('npm ci') }),
          z.strictObject({ run: z.literal(command) }),
        ]),
      }),
    }),
  });
  expect(() => Workflow.parse(parse(exampleOf('github step')))).not.toThrow();
});

it('the job for GitLab runs the tests with a sandbox', () => {
  const Jobs = z.strictObject({
    test: z.strictObject({
      image: z.string(),
      script: z.tuple([z.literal('npm ci'), z.literal(command)]),
      artifacts: z.strictObject({
        when: z.literal('always'),
        reports: z.strictObject({ junit: z.literal('verdict.xml') }),
      }),
    }),
  });
  expect(() => Jobs.parse(parse(exampleOf('gitlab step')))).not.toThrow();
});

it('the manifests for Kubernetes are a pod with a health check and a service for it', () => {
  const labels = z.strictObject({ app: z.literal('vault') });
  const metadata = z.strictObject({ name: z.literal('vault'), labels: labels.optional() });
  const Pod = z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Pod'),
    metadata: metadata.required(),
    spec: z.strictObject({
      enableServiceLinks: z.literal(false),
      containers: z.tuple([
        z.strictObject({
          name: z.literal('vault'),
          image: z.string().regex(/card-vault-sandbox:\d+\.\d+\.\d+$/),
          ports: z.tuple([z.strictObject({ containerPort: z.literal(3000) })]),
          readinessProbe: z.strictObject({
            httpGet: z.strictObject({
              path: z.literal('/_sandbox/health'),
              port: z.literal(3000),
            }),
          }),
          securityContext: z.strictObject({
            readOnlyRootFilesystem: z.literal(true),
            allowPrivilegeEscalation: z.literal(false),
          }),
        }),
      ]),
    }),
  });
  const Service = z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    metadata,
    spec: z.strictObject({
      selector: labels,
      ports: z.tuple([z.strictObject({ port: z.literal(3000) })]),
    }),
  });
  const documents = parseAllDocuments(exampleOf('kubernetes')).map((each) => each.toJS());
  expect(() => z.tuple([Pod, Service]).parse(documents)).not.toThrow();
});
