/**
 * The table of verbs: what each acts on and how it is written over HTTP and in code.
 *
 * The methods of a sandbox and of its merchants, and the typed client, are derived from it. Together with the schemas in
 * this folder it gives the HTTP routes and their document. It loads no schema, so the client and a cold start can use it.
 */

/** Stands for every merchant where a verb takes the id of one. */
export const allMerchants: unique symbol = Symbol('all merchants');
export type AllMerchants = typeof allMerchants;

/** The merchant that a verb acts on, or all of them. */
export type Target = string | AllMerchants;

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One row: a verb without its schemas. */
export interface Verb {
  /** Whether it acts on one merchant or on the sandbox as a whole. */
  readonly on: 'merchant' | 'sandbox';
  /** Method and path below `/_sandbox`. A parameter in the path is a key of the input; `{id?}` may be omitted. */
  readonly http: `${HttpMethod} /${string}`;
  /** Where the rest of the input goes. Absent for a verb without one. */
  readonly takes?: 'query' | 'body';
  /** The input may be omitted. */
  readonly optional?: true;
  /** It can act on all merchants: with `?all=true`, or whenever the query names no merchant. */
  readonly all?: 'with all=true' | 'without merchant';
  /** It can act on the merchants whose id starts with a prefix: `?prefix=ci-`. */
  readonly prefix?: true;
  /** It changes something, so its HTTP answer names the merchant. */
  readonly changes?: true;
  /** Key of the HTTP answer that holds what the verb returns. */
  readonly returns?: string;
  /** The HTTP answer is text, not JSON. */
  readonly text?: true;
  /** Code of the HTTP error that means "nothing found", for which the verb returns `undefined`. */
  readonly absent?: string;
  /** Which error invalid input throws in code. */
  readonly inputError?:
    | 'argument'
    | 'clock'
    | 'export'
    | 'gate'
    | 'query'
    | 'rule'
    | 'scenario'
    | 'snapshot'
    | 'verdict';
  /** Longest body in bytes. Default 65,536. */
  readonly maxBodyBytes?: number;
  /** The most values and keys that its JSON body may have. */
  readonly maxBodyValues?: number;
  /** The most keys that one object in its JSON body may have. */
  readonly maxBodyKeys?: number;
  /** The most line breaks and marks, such as commas and brackets, that its YAML body may have. */
  readonly maxYamlMarks?: number;
  /** Methods in code, each with the input that it makes of its arguments. Default: one, which takes the input itself. */
  readonly methods?: Readonly<Record<string, (...args: never[]) => unknown>>;
}

const megabyte = 1_048_576;

export const verbs = {
  // The sandbox itself
  health: { on: 'sandbox', http: 'GET /health' },
  about: { on: 'sandbox', http: 'GET /about' },
  metrics: { on: 'sandbox', http: 'GET /metrics', text: true },

  // Merchants
  merchants: { on: 'sandbox', http: 'GET /merchants' },
  deleteMerchant: {
    on: 'sandbox',
    http: 'DELETE /merchants/{id}',
    changes: true,
    methods: { deleteMerchant: (id: string) => ({ id }) },
  },
  reset: { on: 'merchant', http: 'POST /reset', all: 'with all=true', changes: true },

  // Clock
  readClock: { on: 'merchant', http: 'GET /clock', methods: { 'clock.read': () => undefined } },
  changeClock: {
    on: 'merchant',
    http: 'POST /clock',
    takes: 'body',
    changes: true,
    inputError: 'clock',
    methods: {
      'clock.freeze': () => ({ freeze: true }),
      'clock.resume': () => ({ resume: true }),
      // JSON omits a key without a value, and the message would then name another key.
      'clock.set': (at: string | Date) => ({ set: at ?? null }),
      'clock.advance': (by: number | string) => ({ advance: by ?? null }),
    },
  },

  // Outcomes and rules
  outcomes: {
    on: 'sandbox',
    http: 'GET /outcomes',
    takes: 'query',
    optional: true,
    inputError: 'argument',
  },
  outcome: {
    on: 'sandbox',
    http: 'GET /outcomes/{id}',
    methods: { outcome: (id: string) => ({ id }) },
  },
  force: {
    on: 'merchant',
    http: 'POST /rules',
    takes: 'body',
    all: 'with all=true',
    prefix: true,
    changes: true,
    returns: 'ids',
    inputError: 'rule',
  },
  rules: {
    on: 'merchant',
    http: 'GET /rules',
    takes: 'query',
    all: 'with all=true',
    methods: { rules: () => ({}), unfired: () => ({ unfired: true }) },
  },
  clearRules: {
    on: 'merchant',
    http: 'DELETE /rules/{id?}',
    all: 'with all=true',
    changes: true,
    returns: 'cleared',
    methods: { clearRules: (id?: string) => ({ id }) },
  },

  // Gates
  hold: {
    on: 'merchant',
    http: 'POST /hold',
    takes: 'body',
    changes: true,
    returns: 'id',
    inputError: 'gate',
  },
  held: { on: 'merchant', http: 'GET /held' },
  waitForHeld: {
    on: 'merchant',
    http: 'POST /held/wait',
    takes: 'body',
    optional: true,
    inputError: 'gate',
  },
  release: {
    on: 'merchant',
    http: 'POST /release',
    takes: 'body',
    optional: true,
    changes: true,
    returns: 'released',
    inputError: 'gate',
    methods: { release: (order?: unknown) => ({ order }) },
  },

  // Scenarios and test cards
  scenarios: { on: 'sandbox', http: 'GET /scenarios' },
  playScenario: {
    on: 'merchant',
    http: 'POST /scenario',
    takes: 'body',
    changes: true,
    returns: 'scenario',
    inputError: 'scenario',
    maxBodyBytes: megabyte,
    // Enough for 12,000 rules as JSON. The YAML parser is slower: these are 5,000 rules in its short form.
    maxBodyValues: 100_000,
    maxYamlMarks: 40_000,
  },
  generateCards: {
    on: 'merchant',
    http: 'POST /cards/generate',
    takes: 'body',
    optional: true,
    inputError: 'argument',
  },

  // Journal
  journal: {
    on: 'merchant',
    http: 'GET /journal',
    takes: 'query',
    optional: true,
    inputError: 'query',
  },
  explain: {
    on: 'merchant',
    http: 'GET /journal/{debugId}',
    absent: 'unknown-request',
    inputError: 'query',
    methods: { explain: (debugId: string | null) => ({ debugId }) },
  },
  verify: { on: 'merchant', http: 'POST /journal/verify', takes: 'body', inputError: 'query' },
  waitFor: {
    on: 'merchant',
    http: 'POST /journal/wait',
    takes: 'body',
    inputError: 'query',
    methods: { waitFor: (match: object, options: object = {}) => ({ match, options }) },
  },

  // Snapshots, export and import
  snapshot: {
    on: 'merchant',
    http: 'POST /snapshots',
    takes: 'body',
    changes: true,
    returns: 'name',
    inputError: 'snapshot',
    methods: { snapshot: (name?: string) => ({ name }) },
  },
  snapshots: { on: 'merchant', http: 'GET /snapshots' },
  restore: {
    on: 'merchant',
    http: 'POST /snapshots/{name}',
    changes: true,
    methods: { restore: (name: string) => ({ name }) },
  },
  dropSnapshot: {
    on: 'merchant',
    http: 'DELETE /snapshots/{name}',
    changes: true,
    methods: { dropSnapshot: (name: string) => ({ name }) },
  },
  exportWorld: { on: 'merchant', http: 'GET /world', methods: { export: () => undefined } },
  importWorld: {
    on: 'merchant',
    http: 'PUT /world',
    takes: 'body',
    changes: true,
    inputError: 'export',
    // A world of 100,000 cards is 28 MB and 4 million values and keys.
    maxBodyBytes: 128 * megabyte,
    maxBodyValues: 5_000_000,
    // Only objects that people write, such as expectations about purchases, have more than a few keys.
    maxBodyKeys: 100_000,
    methods: { import: (document: object) => document },
  },

  // Ledger, coverage and verdict
  ledger: { on: 'merchant', http: 'GET /ledger' },
  coverage: {
    on: 'merchant',
    http: 'GET /coverage',
    takes: 'query',
    optional: true,
    all: 'without merchant',
    prefix: true,
    inputError: 'argument',
  },
  verdict: {
    on: 'merchant',
    http: 'POST /verdict',
    takes: 'body',
    optional: true,
    all: 'with all=true',
    prefix: true,
    inputError: 'verdict',
    // Enough for a belief about each of 40,000 purchases.
    maxBodyBytes: megabyte,
  },
  verdictPage: {
    on: 'merchant',
    http: 'GET /verdict',
    takes: 'query',
    optional: true,
    all: 'without merchant',
    prefix: true,
    inputError: 'argument',
    text: true,
  },
} as const satisfies Record<string, Verb>;

export type VerbName = keyof typeof verbs;

/** The row of a verb, with every field that any row may have. */
export const verbNamed = (name: VerbName): Verb => verbs[name];

/** Every verb with its row, in the order of the table. */
// The table has exactly these keys.
export const verbNames = Object.keys(verbs) as readonly VerbName[];

/** Which object has a method. */
export type MethodOwner = 'merchant' | 'sandbox' | 'all';

interface Method {
  /** Its name; for a method of a group the name of the group first, as in `clock.set`. */
  readonly path: readonly string[];
  readonly verb: VerbName;
  readonly toInput: (...args: unknown[]) => unknown;
}

/** The methods of each object, read once from the table. */
const methodsByOwner: Readonly<Record<MethodOwner, readonly Method[]>> = {
  merchant: methodsWhere(({ on }) => on === 'merchant'),
  sandbox: methodsWhere(({ on }) => on === 'sandbox'),
  all: methodsWhere(({ all }) => all !== undefined),
};

function methodsWhere(belongs: (verb: Verb) => boolean): readonly Method[] {
  return verbNames
    .filter((name) => belongs(verbNamed(name)))
    .flatMap((name) => {
      const { methods = { [name]: (input: unknown) => input }, optional } = verbNamed(name);
      return Object.entries(methods).map(([path, method]): Method => {
        // The written interfaces say what each method takes; callers without types may give anything.
        const read = method as (...args: unknown[]) => unknown;
        return {
          path: path.split('.'),
          verb: name,
          toInput: (...args) => {
            const input = read(...args);
            return input === undefined && optional ? {} : input;
          },
        };
      });
    });
}

/** Performs a verb, in process or over HTTP. */
export type Perform = (verb: VerbName, input: unknown) => unknown;

/** Makes the methods of an object from the table. */
export function methodsOf(owner: MethodOwner, perform: Perform): object {
  const object: Record<string, unknown> = {};
  for (const { path, verb, toInput } of methodsByOwner[owner]) {
    const [name = '', member] = path;
    const method = (...args: unknown[]): unknown => perform(verb, toInput(...args));
    if (member === undefined) object[name] = method;
    else object[name] = { ...(object[name] as object | undefined), [member]: method };
  }
  return object;
}

/** Method and path of a verb, with the parameters that its path takes. */
export interface HttpCall {
  readonly method: HttpMethod;
  /** Below `/_sandbox`; `{id?}` stands for a last step that may be omitted. */
  readonly path: string;
  readonly parameters: readonly string[];
}

/** Reads the `http` field of a row. */
export function httpCallOf({ http }: Verb): HttpCall {
  const [method, path] = http.split(' ') as [HttpMethod, string]; // Its type says so.
  return {
    method,
    path,
    parameters: [...path.matchAll(/\{(\w+)\??\}/g)].map(([, name = '']) => name),
  };
}
