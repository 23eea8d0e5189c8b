/** Which module may import which, and which files may use the machine. */
import { describe, expect, it } from 'vitest';
import {
  filesIn,
  readSource,
  readSources,
  readText,
  type SourceFile,
} from './support/repository/source-files.ts';

/** The modules from top to bottom. A module imports modules of lower steps only, for values and for types. */
const steps: readonly Readonly<Record<string, string>>[] = [
  {
    cli: 'commands and flags',
    'index.ts': 'the public entry for importers',
    vitest: 'a merchant and a verdict for each test of vitest',
    playwright: 'a merchant and a verdict for each test of Playwright',
  },
  { 'test-runner': 'what the entries for test runners share' },
  { client: 'drives a sandbox that runs elsewhere' },
  { sandbox: 'composition root: options, worlds, apps, transports and the verbs' },
  { transports: 'in process and over a socket; the only modules that know sockets' },
  { http: 'answers /v1', control: 'answers /_sandbox' },
  {
    verdict: 'judges what happened to the money',
    report: 'shows verdicts to people and machines',
    metrics: 'counts, and writes what Prometheus reads',
  },
  { world: "one merchant's state, clock, ids and dice" },
  { scenarios: 'reads and checks scenario files', guard: 'finds real cards and live credentials' },
  {
    outcomes: 'what can be forced, and when it is',
    journal: 'what was requested and answered',
  },
  {
    fixtures: 'the data that worlds start with',
    'transport-port': 'how the pipeline answers a client',
  },
  { documents: 'reads files and values that people write, and explains mistakes in them' },
  {
    contract: 'the wire format, without behaviour',
    redaction: 'removes card data and credentials from texts',
  },
  { domain: 'cards and money' },
  { shared: 'small helpers that know nothing of payments' },
];

interface Restriction {
  readonly what: string;
  /** Whether a file uses it. */
  readonly uses: (file: SourceFile) => boolean;
  readonly allowed: RegExp;
  readonly why: string;
}

const importing = (names: RegExp) => (file: SourceFile) =>
  file.imports.some(({ target }) => names.test(target));
const containing = (words: RegExp) => (file: SourceFile) => words.test(file.code);

/** What the client may load besides itself: files that load nothing of the server. */
const sharedWithClient: ReadonlySet<string> = new Set([
  'src/contract/control/verbs.ts',
  'src/contract/constants.ts',
  'src/contract/merchant-token.ts',
  'src/shared/fetch-arguments.ts',
  'src/documents/document-error.ts',
  'src/scenarios/scenario-error.ts',
  'src/shared/sandbox-error.ts',
  'src/verdict/options-error.ts',
  'src/world/errors.ts',
  'src/journal/errors.ts',
  'src/shared/unknown-value.ts',
  'src/shared/option-error.ts',
  'src/outcomes/argument-error.ts',
  'src/world/identity/client-id.ts',
]);

/** What only some modules may use. */
const restrictions: readonly Restriction[] = [
  {
    what: 'sockets (node:http, node:net and their like)',
    uses: importing(/^(?:node:(?:http2?|https|net|tls|dgram)|@hono\/node-server)(?:\/|$)/),
    allowed: /^src\/(?:transports|cli)\//,
    why: 'modules below the transports must behave the same in process and over a socket',
  },
  {
    what: 'process and console',
    uses: containing(
      /(?<![.\w])(?:process|console)\s*\.|(?<![.\w])globalThis\.(?:process|console)\b/,
    ),
    // vitest shows console output with the test that wrote it. The process metrics describe this process.
    // The file of kept worlds is locked by process, and saved when the process ends.
    allowed:
      /^src\/(?:cli\/|sandbox\/persist\/|test-runner\/print-story\.ts$|metrics\/process-use\.ts$)/,
    why: 'a library must not read the environment or write to the terminal of the program that imports it',
  },
  {
    what: 'node:process and node:console',
    uses: importing(/^node:(?:process|console)$/),
    allowed: /^src\/cli\//,
    why: 'a library must not read the environment or write to the terminal of the program that imports it',
  },
  {
    what: 'node:crypto',
    uses: importing(/^node:crypto$/),
    // Fingerprints of request bodies and marks of cards have a new key in each process and never reach a response.
    // A rule's chance is a hash of its seed and the attempt. Allowed test numbers are kept as digests.
    // A fingerprint in SARIF is a hash of the finding's subject. Keys of certificates never reach an answer.
    allowed:
      /^src\/(?:world\/|guard\/card-guard\.ts$|shared\/process-hash\.ts$|journal\/purchase-key\.ts$|outcomes\/decide\/chance\.ts$|report\/sarif\.ts$|transports\/tls\/)/,
    why: "chance comes from a world's dice, so that the same seed gives the same bytes",
  },
  {
    what: 'the real clock or unseeded chance (Date.now, new Date(), Math.random)',
    uses: containing(
      /\bDate\.now\b|\bnew Date(?:\(\s*\)|\b(?!\s*\())|(?<!new )\bDate\(\s*\)|\bMath\.random\b/,
    ),
    allowed: /^src\/(?!domain\/)/,
    why: 'time and chance come to the domain through its ports',
  },
  {
    what: 'something outside the domain',
    uses: importing(/^(?!src\/domain\/)/),
    allowed: /^src\/(?!domain\/)/,
    why: 'the domain imports nothing but itself',
  },
  {
    what: 'the server (anything but types and the errors that verbs throw)',
    uses: (file) =>
      file.imports.some(
        ({ target, typeOnly }) =>
          target.startsWith('src/') &&
          !target.startsWith('src/client/') &&
          !typeOnly &&
          !sharedWithClient.has(target),
      ),
    allowed: /^src\/(?!client\/)/,
    why: 'the client stands alone and brings no server with it',
  },
  {
    what: 'vitest',
    uses: importing(/^vitest$/),
    allowed: /^src\/vitest\//,
    why: 'only users of vitest have it installed',
  },
  {
    what: 'Playwright',
    uses: importing(/^@playwright\/test$/),
    allowed: /^src\/playwright\//,
    why: 'only users of Playwright have it installed',
  },
  {
    what: 'the globals of the importing program (globalThis.Request = …, overrideGlobalObjects: true)',
    uses: containing(
      /\bglobalThis\.(?:Request|Response|Headers|fetch)\s*=(?!=)|overrideGlobalObjects:\s*true/,
    ),
    allowed: /^(?!)/,
    why: "a consumer's Request and Response are never replaced",
  },
];

const moduleOf = (path: string): string => path.split('/')[1] ?? path;
const stepOf = (name: string): number => steps.findIndex((step) => Object.hasOwn(step, name));

/** One sentence for each import that does not point down. */
function brokenImports(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) => {
    const name = moduleOf(file.path);
    const step = stepOf(name);
    if (step < 0)
      return [`${file.path}: the module ${name} has no step in this test. Give it one.`];
    return file.imports.flatMap(({ target }) => {
      const other = moduleOf(target);
      if (!target.startsWith('src/') || other === name) return [];
      const otherStep = stepOf(other);
      if (otherStep > step) return [];
      const direction = otherStep === step ? 'points sideways' : 'points up';
      const reason = `${name} (${steps[step]?.[name]}) must not import ${other} (${steps[otherStep]?.[other]})`;
      return [`${file.path} imports ${target}: ${name} → ${other} ${direction}. ${reason}.`];
    });
  });
}

/** One sentence for each file that uses what its module may not use. */
function forbiddenUses(files: readonly SourceFile[]): readonly string[] {
  return restrictions.flatMap(({ what, uses, allowed, why }) =>
    files
      .filter((file) => !allowed.test(file.path) && uses(file))
      .map((file) => `${file.path} uses ${what}, but ${why}.`),
  );
}

/** Each import cycle, types included, as a path that ends where it began. */
function importCycles(files: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const { target } of byPath.get(path)?.imports ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}

/** Files that a start must not load. The first call that needs them loads them. */
const loadedOnDemand: readonly { readonly what: string; readonly path: RegExp }[] = [
  { what: 'the schemas and routes of the control API', path: /^src\/contract\/control\// },
  { what: 'the app of the control API', path: /^src\/control\/(?:app|routes\/bind-verbs)\.ts$/ },
  { what: 'the pages', path: /^src\/control\/pages\// },
  { what: 'the rules of the verdict', path: /^src\/verdict\/(?:options\.ts|verdict\.ts|findings)/ },
  {
    what: 'the socket transport',
    path: /^src\/transports\/(?:connections|outbox|unread\/discard-rest|refuse-connections|listen|socket-transport|report-unreadable)\.ts$/,
  },
];

/** Exceptions: they load no schema. */
const withoutSchemas: ReadonlySet<string> = new Set([
  'src/contract/control/gate-inputs.ts',
  'src/contract/control/inputs.ts',
  'src/contract/control/verbs.ts',
]);

/** Files that are loaded with this one, each with the file that imports it. */
function loadedWith(entry: string, files: readonly SourceFile[]): ReadonlyMap<string, string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const importedBy = new Map([[entry, 'the test']]);
  // The loop also visits the entries that it adds.
  for (const path of importedBy.keys()) {
    for (const { target, typeOnly, lazy } of byPath.get(path)?.imports ?? []) {
      if (!typeOnly && !lazy && byPath.has(target) && !importedBy.has(target))
        importedBy.set(target, path);
    }
  }
  return importedBy;
}

/** One sentence for each file that a start loads too early. */
function loadedTooEarly(entry: string, files: readonly SourceFile[]): readonly string[] {
  return [...loadedWith(entry, files)].flatMap(([path, by]) => {
    if (withoutSchemas.has(path)) return [];
    const early = loadedOnDemand.find((one) => one.path.test(path));
    return early === undefined ? [] : [`${path} (${early.what}) is loaded at a start, by ${by}.`];
  });
}

describe('the source modules', () => {
  const sources = readSources();

  it('import lower modules only', () => {
    expect(brokenImports(sources)).toEqual([]);
  });

  it('have no import cycles', () => {
    expect(importCycles(sources)).toEqual([]);
  });

  it.each(['src/index.ts', 'src/cli/commands/serve.ts'])(
    'load nothing on demand when %s starts',
    (entry) => {
      expect([...loadedWith(entry, sources).keys()]).toContain(
        'src/contract/service/operations.ts',
      );
      expect(loadedTooEarly(entry, sources)).toEqual([]);
    },
  );

  it.each(loadedOnDemand)('have $what', ({ path }) => {
    expect(sources.filter((file) => path.test(file.path))).not.toEqual([]);
  });

  it.each(restrictions)('use $what only where allowed', ({ what }) => {
    expect(forbiddenUses(sources).filter((sentence) => sentence.includes(what))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('lists every module with its step', () => {
    const rows = readText('docs/architecture.md').matchAll(/^\| (\d+) +\| `([\w.-]+)\/?`/gm);
    expect([...rows].map(([, step, name]) => [Number(step), name])).toEqual(
      steps.flatMap((names, at) => Object.keys(names).map((name) => [at + 1, name])),
    );
  });

  it('names files that exist', () => {
    const files = [...readSources().map(({ path }) => path), ...filesIn('test'), ...filesIn('.ci')];
    const names = [...readText('docs/architecture.md').matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)];
    const missing = names.filter(
      ([, name]) => !files.some((path) => `/${path}`.endsWith(`/${name}`)),
    );
    expect(missing.map(([, name]) => name)).toEqual([]);
  });
});

describe('the architecture test', () => {
  it('names an import that points up, with the reason', () => {
    const planted = readSource(
      'src/domain/card/card.ts',
      "import { handle } from '../../http/pipeline.ts';\n",
    );
    expect(brokenImports([planted])).toEqual([
      'src/domain/card/card.ts imports src/http/pipeline.ts: domain → http points up. ' +
        'domain (cards and money) must not import http (answers /v1).',
    ]);
  });

  it('names an import of a module on the same step, types included', () => {
    const planted = readSource('src/http/a.ts', "import type {\n  B,\n} from '../control/b.ts';\n");
    expect(brokenImports([planted])).toEqual([
      expect.stringContaining('http → control points sideways'),
    ]);
  });

  it('asks for the step of a new module', () => {
    expect(brokenImports([readSource('src/attic/a.ts', '')])).toEqual([
      'src/attic/a.ts: the module attic has no step in this test. Give it one.',
    ]);
  });

  it('finds a cycle, types included', () => {
    const a = readSource('src/http/a.ts', "export { b } from './b.ts';\n");
    const b = readSource('src/http/b.ts', "import { a } from './a.ts';\n");
    const typed = readSource('src/http/b.ts', "import type { a } from './a.ts';\n");
    for (const other of [b, typed]) {
      expect(importCycles([a, other])).toEqual(['src/http/a.ts → src/http/b.ts → src/http/a.ts']);
    }
    expect(importCycles([a, readSource('src/http/b.ts', '')])).toEqual([]);
  });

  it('finds what a start loads through other files, except types and lazy imports', () => {
    const loads = (line: string) => [
      readSource('src/index.ts', "export { a } from './sandbox/sandbox.ts';\n"),
      readSource('src/sandbox/sandbox.ts', line),
      readSource('src/contract/control/routes.ts', ''),
    ];
    const early = (line: string) => loadedTooEarly('src/index.ts', loads(line));
    expect(early("import { a } from '../contract/control/routes.ts';\n")).toEqual([
      'src/contract/control/routes.ts (the schemas and routes of the control API) is loaded at a start, by src/sandbox/sandbox.ts.',
    ]);
    expect(early("import type { A } from '../contract/control/routes.ts';\n")).toEqual([]);
    expect(early("const a = await import('../contract/control/routes.ts');\n")).toEqual([]);
  });

  it.each([
    ["import { createServer } from 'node:http';", 'sockets'],
    ["const net = await import('node:net');", 'sockets'],
    ["console.log('hello');", 'process and console'],
    ['const { env } = process;\nexport const home = process.env;', 'process and console'],
    ["import { argv } from 'node:process';", 'node:process'],
    ["import { randomInt } from 'node:crypto';", 'node:crypto'],
    ['const now = new Date();', 'the real clock'],
    ['const now = Date.now;', 'the real clock'],
    ['const chance = Math.random();', 'the real clock'],
    ["import { z } from 'zod';", 'something outside the domain'],
    ['globalThis.Request = LightRequest;', 'the globals'],
  ])('reports a forbidden use in the domain: %s', (line, what) => {
    expect(forbiddenUses([readSource('src/domain/a.ts', line)])).toContainEqual(
      expect.stringContaining(`src/domain/a.ts uses ${what}`),
    );
  });

  it('ignores comments, quoted text and given times', () => {
    const innocent = [
      '// Date.now is not for the domain, nor is process.env',
      "const hint = 'set console.log or process.env';",
      'const day = new Date(givenMs);',
      'const state = card.process.state;',
    ].join('\n');
    expect(forbiddenUses([readSource('src/domain/a.ts', innocent)])).toEqual([]);
  });
});
