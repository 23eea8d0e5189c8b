/** The options of the command line: what to measure, how long and how often. */
import { parseArgs } from 'node:util';

export interface Settings {
  /** Names of parts, in the order of the command line. Default: all parts. */
  readonly parts: readonly string[];
  readonly json: boolean;
  /** Whether to write the figures into test/bench/README.md. */
  readonly readme: boolean;
  /** Fresh processes for each side. */
  readonly starts: number;
  /** Pairs of bursts in each process. */
  readonly pairs: number;
  /** Fresh processes that are compared only with each other. */
  readonly processes: number;
  readonly burstSeconds: number;
  readonly warmUpSeconds: number;
  /** Requests before the first measurement, because code is slow until V8 has compiled it. */
  readonly warmUpRequests: number;
  /** Cards in the larger of the two worlds that measure growth. */
  readonly cards: number;
  /** Number of resets, and of worlds created and deleted. */
  readonly churn: number;
  readonly soakMinutes: number;
  readonly generator: 'wrk' | 'autocannon' | undefined;
}

const usual = {
  starts: 3,
  pairs: 5,
  processes: 12,
  seconds: 1.5,
  warm: 30_000,
  cards: 1_000_000,
  churn: 10_000,
  minutes: 1,
};
const quick = {
  starts: 1,
  pairs: 1,
  processes: 2,
  seconds: 0.5,
  warm: 2_000,
  cards: 60_000,
  churn: 1_000,
  minutes: 0.1,
};

/** What `--help` prints. */
export const usage = (known: readonly string[]): string => `npm run bench -- [parts] [options]

Parts (default: all): ${known.join(', ')}

  --quick              about a minute in all; figures are rough
  --json               the figures as JSON
  --readme             write the figures into test/bench/README.md
  --starts <n>         fresh processes a side (${usual.starts})
  --pairs <n>          pairs of bursts in each of them (${usual.pairs})
  --processes <n>      fresh processes that are held against each other (${usual.processes})
  --seconds <n>        length of a burst (${usual.seconds})
  --warm <n>           requests of each kind before any is measured (${usual.warm})
  --cards <n>          cards in the large world (${usual.cards})
  --churn <n>          resets, and worlds made and deleted (${usual.churn})
  --minutes <n>        length of the soak (${usual.minutes})
  --load <generator>   wrk or autocannon; wrk where it is installed
`;

/** Reads the command line. Throws an error that names the problem. */
export function readSettings(args: readonly string[], known: readonly string[]): Settings {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      readme: { type: 'boolean' },
      starts: { type: 'string' },
      pairs: { type: 'string' },
      processes: { type: 'string' },
      seconds: { type: 'string' },
      warm: { type: 'string' },
      cards: { type: 'string' },
      churn: { type: 'string' },
      minutes: { type: 'string' },
      load: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`Unknown part '${unknown}'. Parts: ${known.join(', ')}.`);
  }
  const { load } = values;
  if (load !== undefined && load !== 'wrk' && load !== 'autocannon') {
    throw new Error(`--load must be wrk or autocannon, not '${load}'.`);
  }
  const preset = values.quick === true ? quick : usual;
  const count = (name: keyof typeof preset): number => {
    const given = values[name];
    const value = given === undefined ? preset[name] : Number(given);
    if (value > 0) return value;
    throw new Error(`--${name} must be a number above 0, not '${given}'.`);
  };
  const burstSeconds = count('seconds');
  return {
    parts: positionals.length === 0 ? known : positionals,
    json: values.json === true,
    readme: values.readme === true,
    starts: count('starts'),
    pairs: count('pairs'),
    processes: count('processes'),
    burstSeconds,
    warmUpSeconds: burstSeconds,
    warmUpRequests: count('warm'),
    cards: count('cards'),
    churn: count('churn'),
    soakMinutes: count('minutes'),
    generator: load,
  };
}
