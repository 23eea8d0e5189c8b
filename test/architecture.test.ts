/** The house's map as a test: which room may know which, and who may touch the machine. */
import { describe, expect, it } from 'vitest';
import { readSource, readSources, readText, type SourceFile } from './support/source-files.ts';

/**
 * The rooms from top to bottom. A room imports rooms of lower steps only, never one of its own step, whether it
 * takes values or types. A later room gets its step here.
 */
const steps: readonly Readonly<Record<string, string>>[] = [
  {
    cli: 'commands and flags',
    'index.ts': 'the public entry for importers',
    vitest: 'a merchant and a verdict for each test of vitest',
  },
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

interface Reach {
  readonly what: string;
  /** Tells a file that reaches for it. */
  readonly uses: (file: SourceFile) => boolean;
  readonly allowed: RegExp;
  readonly why: string;
}

const importing = (names: RegExp) => (file: SourceFile) =>
  file.imports.some(({ target }) => names.test(target));
const saying = (words: RegExp) => (file: SourceFile) => words.test(file.code);

/** What the client loads beside itself: files that load nothing of the server. */
const leaves: ReadonlySet<string> = new Set([
  'src/contract/problems.ts',
  'src/contract/control/verbs.ts',
  'src/contract/constants.ts',
  'src/contract/merchant-token.ts',
  'src/documents/document-error.ts',
  'src/scenarios/scenario-error.ts',
  'src/shared/sandbox-error.ts',
  'src/verdict/options-error.ts',
  'src/world/errors.ts',
  'src/journal/errors.ts',
  'src/shared/unknown-value.ts',
  'src/shared/option-error.ts',
  'src/outcomes/argument-error.ts',
  'src/world/identity/merchant-id.ts',
]);

/** What only some rooms may reach for. */
const reaches: readonly Reach[] = [
  {
    what: 'sockets (node:http, node:net and their like, @hono/node-server)',
    uses: importing(/^(?:node:(?:http2?|https|net|tls|dgram)|@hono\/node-server)(?:\/|$)/),
    allowed: /^src\/(?:transports|cli)\//,
    why: 'rooms behind the doors must behave the same in process and over a socket',
  },
  {
    what: 'process and console',
    uses: saying(/(?<![.\w])(?:process|console)\s*\.|(?<![.\w])globalThis\.(?:process|console)\b/),
    // vitest shows what a test writes to the console with the test, and nothing else is shown where it failed. What the
    // process uses is what whoever scrapes the metrics asks for.
    allowed: /^src\/(?:cli\/|vitest\/print-story\.ts$|metrics\/process-use\.ts$)/,
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
    // The hall keys its fingerprints of request bodies anew in each process; they never reach an answer.
    // A rule's chance is a hash of its seed and the attempt, so it runs no generator.
    // The team's test numbers are held as digests only. A fingerprint in SARIF is a hash of what its finding is about.
    allowed:
      /^src\/(?:world\/|guard\/card-guard\.ts$|http\/steps\/idempotency\.ts$|journal\/purchase-key\.ts$|outcomes\/decide\/chance\.ts$|report\/sarif\.ts$)/,
    why: "chance comes from a world's dice, so that the same seed gives the same bytes",
  },
  {
    what: 'the real clock or unseeded chance (Date.now, new Date(), Math.random)',
    uses: saying(
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
          !leaves.has(target),
      ),
    allowed: /^src\/(?!client\/)/,
    why: 'the client stands alone and brings no server with it',
  },
  {
    what: 'vitest',
    uses: importing(/^vitest$/),
    allowed: /^src\/vitest\//,
    why: 'only those who use vitest have it',
  },
  {
    what: 'the globals of the importing program (globalThis.Request = …, overrideGlobalObjects: true)',
    uses: saying(
      /\bglobalThis\.(?:Request|Response|Headers|fetch)\s*=(?!=)|overrideGlobalObjects:\s*true/,
    ),
    allowed: /^(?!)/,
    why: "a consumer's Request and Response are never replaced",
  },
];

const roomOf = (path: string): string => path.split('/')[1] ?? path;
const stepOf = (room: string): number => steps.findIndex((step) => Object.hasOwn(step, room));

/** One sentence for each arrow that does not point down. */
function brokenArrows(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path);
    const step = stepOf(room);
    if (step < 0) return [`${file.path}: the room ${room} has no step in this test. Give it one.`];
    return file.imports.flatMap(({ target }) => {
      const other = roomOf(target);
      if (!target.startsWith('src/') || other === room) return [];
      const otherStep = stepOf(other);
      if (otherStep > step) return [];
      const direction = otherStep === step ? 'points sideways' : 'points up';
      const rooms = `${room} (${steps[step]?.[room]}) must not know ${other} (${steps[otherStep]?.[other]})`;
      return [
        `${file.path} imports ${target}: the arrow ${room} → ${other} ${direction}. ${rooms}.`,
      ];
    });
  });
}

/** One sentence for each file that reaches for what its room may not have. */
function wrongReaches(files: readonly SourceFile[]): readonly string[] {
  return reaches.flatMap(({ what, uses, allowed, why }) =>
    files
      .filter((file) => !allowed.test(file.path) && uses(file))
      .map((file) => `${file.path} reaches for ${what}, but ${why}.`),
  );
}

/** Each loop of files that import one another, be it for a type, as a path that ends where it began. */
function importLoops(files: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const loops: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) loops.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const { target } of byPath.get(path)?.imports ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
  return loops;
}

/** Rooms and files that a start must not wait for: what they hold is loaded by whoever asks for it first. */
const laterThanStart: readonly { readonly what: string; readonly path: RegExp }[] = [
  { what: 'the schemas and routes of the control plane', path: /^src\/contract\/control\// },
  { what: 'the app of the control plane', path: /^src\/control\/(?:app|routes\/bind-verbs)\.ts$/ },
  { what: 'the pages', path: /^src\/control\/pages\// },
  { what: 'what judges a verdict', path: /^src\/verdict\/(?:options\.ts|verdict\.ts|findings)/ },
  {
    what: 'the socket door',
    path: /^src\/transports\/(?:connections|outbox|unread-body|refuse-connections|listen|socket-transport|report-unreadable)\.ts$/,
  },
];

/** It loads no schema. */
const lightEnough: ReadonlySet<string> = new Set([
  'src/contract/control/journal-queries.ts',
  'src/contract/control/verbs.ts',
]);

/** Files that are loaded with this one, each with the one that asked for it. */
function loadedWith(entry: string, files: readonly SourceFile[]): ReadonlyMap<string, string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const askedBy = new Map([[entry, 'the test']]);
  // A map is walked on into what is added to it.
  for (const path of askedBy.keys()) {
    for (const { target, typeOnly, lazy } of byPath.get(path)?.imports ?? []) {
      if (!typeOnly && !lazy && byPath.has(target) && !askedBy.has(target))
        askedBy.set(target, path);
    }
  }
  return askedBy;
}

/** One sentence for each file that a start loads although it could wait. */
function loadedTooEarly(entry: string, files: readonly SourceFile[]): readonly string[] {
  return [...loadedWith(entry, files)].flatMap(([path, by]) => {
    if (lightEnough.has(path)) return [];
    const early = laterThanStart.find((one) => one.path.test(path));
    return early === undefined ? [] : [`${path} (${early.what}) is loaded at a start, by ${by}.`];
  });
}

describe('the house', () => {
  const sources = readSources();

  it('has arrows that point down only', () => {
    expect(brokenArrows(sources)).toEqual([]);
  });

  it('has no file that imports itself through others', () => {
    expect(importLoops(sources)).toEqual([]);
  });

  it.each(['src/index.ts', 'src/cli/commands/serve.ts'])(
    'starts with %s, and with nothing early',
    (entry) => {
      expect([...loadedWith(entry, sources).keys()]).toContain(
        'src/contract/service/operations.ts',
      );
      expect(loadedTooEarly(entry, sources)).toEqual([]);
    },
  );

  it.each(laterThanStart)('has $what for those who ask', ({ path }) => {
    expect(sources.filter((file) => path.test(file.path))).not.toEqual([]);
  });

  it.each(reaches)('lets only its own rooms reach for $what', (reach) => {
    expect(wrongReaches(sources).filter((sentence) => sentence.includes(reach.what))).toEqual([]);
  });
});

describe('the map for readers', () => {
  it('has every room on its step', () => {
    const rows = readText('docs/architecture.md').matchAll(/^\| (\d+) +\| `([\w.-]+)\/?`/gm);
    expect([...rows].map(([, step, room]) => [Number(step), room])).toEqual(
      steps.flatMap((rooms, at) => Object.keys(rooms).map((room) => [at + 1, room])),
    );
  });
});

describe('this test', () => {
  it('names an arrow that points up, and why it may not', () => {
    const planted = readSource(
      'src/domain/card/card.ts',
      "import { hall } from '../../http/pipeline.ts';\n",
    );
    expect(brokenArrows([planted])).toEqual([
      'src/domain/card/card.ts imports src/http/pipeline.ts: the arrow domain → http points up. ' +
        'domain (cards and money) must not know http (answers /v1).',
    ]);
  });

  it('names an arrow to a room of the same step, be it for a type', () => {
    const planted = readSource('src/http/a.ts', "import type {\n  B,\n} from '../control/b.ts';\n");
    expect(brokenArrows([planted])).toEqual([
      expect.stringContaining('the arrow http → control points sideways'),
    ]);
  });

  it('asks for the step of a new room', () => {
    expect(brokenArrows([readSource('src/attic/a.ts', '')])).toEqual([
      'src/attic/a.ts: the room attic has no step in this test. Give it one.',
    ]);
  });

  it('finds a loop, be it of types', () => {
    const a = readSource('src/http/a.ts', "export { b } from './b.ts';\n");
    const b = readSource('src/http/b.ts', "import { a } from './a.ts';\n");
    const typed = readSource('src/http/b.ts', "import type { a } from './a.ts';\n");
    for (const other of [b, typed]) {
      expect(importLoops([a, other])).toEqual(['src/http/a.ts → src/http/b.ts → src/http/a.ts']);
    }
    expect(importLoops([a, readSource('src/http/b.ts', '')])).toEqual([]);
  });

  it('finds what a start loads through others, unless it is a type or comes later', () => {
    const loads = (line: string) => [
      readSource('src/index.ts', "export { a } from './sandbox/sandbox.ts';\n"),
      readSource('src/sandbox/sandbox.ts', line),
      readSource('src/contract/control/routes.ts', ''),
    ];
    const early = (line: string) => loadedTooEarly('src/index.ts', loads(line));
    expect(early("import { a } from '../contract/control/routes.ts';\n")).toEqual([
      'src/contract/control/routes.ts (the schemas and routes of the control plane) is loaded at a start, by src/sandbox/sandbox.ts.',
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
  ])('sees what the domain must not reach for: %s', (line, what) => {
    expect(wrongReaches([readSource('src/domain/a.ts', line)])).toContainEqual(
      expect.stringContaining(`src/domain/a.ts reaches for ${what}`),
    );
  });

  it('does not take comments, quotes or a given time for a reach', () => {
    const innocent = [
      '// Date.now is not for the domain, nor is process.env',
      "const hint = 'set console.log or process.env';",
      'const day = new Date(givenMs);',
      'const state = card.process.state;',
    ].join('\n');
    expect(wrongReaches([readSource('src/domain/a.ts', innocent)])).toEqual([]);
  });
});
