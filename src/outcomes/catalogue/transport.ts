/** What the wire does to a request or to its answer. */
import type { FaultName } from '../outcome.ts';
import { delay, phase } from './parameters.ts';
import { bodyOperations, byRule, type Row } from './row.ts';

const unclear = {
  triggers: byRule,
  concludes: 'UNKNOWN',
  retry: 'same-key',
  provenance: 'transport',
} as const;

const beforeCommit = {
  ...unclear,
  operations: ['any-write'],
  phase: 'before-commit',
  commit: 'never',
} as const;

const afterCommit = {
  ...unclear,
  operations: ['any-write'],
  phase: 'after-commit',
  commit: 'committed',
} as const;

/** The answer is the right one until the wire gets hold of it. */
const spoilt = { ...unclear, operations: ['any'], phase: 'answer', commit: 'as-normal' } as const;

/** What makes it arrive whole, in its own time and way. */
const whole = { concludes: 'OK', retry: 'not-needed' } as const;

/** Its body is, so there must be one. */
const bodySpoilt = { ...spoilt, operations: bodyOperations, needs: 'body' } as const;

function fault(name: FaultName) {
  return { kind: 'fault', fault: name } as const;
}

/** Past the cap the connection is closed, for the sake of clients that were forgotten. */
const hang = {
  wire: 'Nothing until the client leaves',
  effect: fault('hang'),
  parameters: { cap: { default: '60s', type: 'ms', about: 'The longest a connection is held' } },
} as const;

function dribble(chunkBytes: number) {
  return {
    chunkBytes: { default: chunkBytes, type: 'bytes', about: 'How much is sent at a time' },
    gap: { default: '100ms', type: 'ms', about: 'Pause between two pieces' },
  } as const;
}

export const transport: readonly Row[] = [
  {
    ...unclear,
    id: 'connect-refused',
    tier: 1,
    operations: ['any'],
    triggers: byRule,
    phase: 'before-read',
    commit: 'never',
    wire: 'ECONNREFUSED: at a socket for every merchant, in process for its own; by rule only',
    effect: { kind: 'refuse-connections' },
    parameters: {
      lasts: {
        default: '2s',
        type: 'ms',
        most: '60s',
        about: 'How long no connection is taken, unless the merchant is begun anew before',
      },
    },
    concludes: 'FAIL',
    retry: 'after-wait',
    cause: 'The host is down or has moved.',
    correctClient: 'Tries again, ever later: nothing was sent.',
  },
  {
    ...beforeCommit,
    id: 'reset-before-commit',
    tier: 1,
    wire: 'RST instead of an answer',
    effect: fault('reset'),
    cause: 'A load balancer restarts.',
    correctClient: 'Repeats with the same request id.',
  },
  {
    ...afterCommit,
    id: 'reset-after-commit',
    tier: 1,
    wire: 'RST instead of an answer',
    effect: fault('reset'),
    cause: 'The answer is lost.',
    correctClient: 'Repeats with the same request id; without one it reads first.',
  },
  {
    ...afterCommit,
    id: 'close-after-commit',
    tier: 1,
    wire: 'FIN instead of an answer',
    effect: fault('close'),
    cause: 'The worker is killed.',
    correctClient: 'Repeats with the same request id; without one it reads first.',
  },
  {
    ...afterCommit,
    id: 'keepalive-race',
    tier: 1,
    triggers: byRule,
    commit: 'mixed',
    wire: 'RST on a connection that served a request before',
    effect: fault('reset-if-reused'),
    parameters: phase('after-commit'),
    cause: 'An idle connection is closed just as it is used again.',
    correctClient: 'Does not let its HTTP library repeat a POST in silence.',
  },
  {
    ...unclear,
    ...hang,
    id: 'hang-before-commit',
    tier: 1,
    operations: ['any'],
    phase: 'before-read',
    commit: 'never',
    cause: 'The request is swallowed on its way.',
    correctClient: 'Has a deadline for the whole call.',
  },
  {
    ...afterCommit,
    ...hang,
    id: 'hang-after-commit',
    tier: 1,
    cause: 'The answer is swallowed on its way.',
    correctClient: 'Has a deadline, then repeats with the same request id or reads.',
  },
  {
    ...spoilt,
    ...whole,
    id: 'slow-first-byte',
    tier: 1,
    wire: 'The full answer after a delay',
    effect: fault('slow-first-byte'),
    parameters: delay('1500ms'),
    cause: 'A slow issuer; 8 to 30 seconds happen.',
    correctClient: 'Waits longer than the provider may take, and is safe from double clicks.',
  },
  {
    ...bodySpoilt,
    ...whole,
    id: 'slow-dribble',
    tier: 1,
    wire: 'The full answer, a few bytes at a time',
    effect: fault('slow-dribble'),
    parameters: dribble(10),
    cause: 'A bad line, or a proxy that buffers.',
    correctClient: 'Has a deadline for the whole call, not only for idleness.',
  },
  {
    ...bodySpoilt,
    id: 'truncated-body',
    tier: 1,
    wire: 'Fewer bytes than Content-Length says, then the end',
    effect: fault('truncated-body'),
    parameters: {
      bytes: { default: 20, type: 'bytes', about: 'How much of the body is sent' },
    },
    cause: 'The connection breaks within the body.',
    correctClient: 'Takes it for a lost answer.',
  },
  {
    ...bodySpoilt,
    id: 'truncated-json',
    tier: 1,
    wire: 'A complete message whose JSON is cut off',
    effect: fault('truncated-json'),
    cause: 'A proxy with a wrong length.',
    correctClient: 'Takes a parse error for unknown, not for declined.',
  },
  {
    ...bodySpoilt,
    id: 'malformed-json',
    tier: 2,
    wire: 'A complete message whose JSON is wrong',
    effect: fault('malformed-json'),
    cause: 'A broken serialiser.',
    correctClient: 'Takes a parse error for unknown, not for declined.',
  },
  {
    ...bodySpoilt,
    id: 'malformed-chunk',
    tier: 2,
    wire: 'A chunk of impossible size, then the end',
    effect: fault('malformed-chunk'),
    cause: 'A bug of a proxy.',
    correctClient: 'Takes it for a lost answer.',
  },
  {
    ...spoilt,
    id: 'garbage-then-close',
    tier: 3,
    wire: 'Bytes that are no HTTP',
    effect: fault('garbage'),
    cause: 'A wrong port, or TLS where none is spoken.',
    correctClient: 'Takes it for a lost answer.',
  },
  {
    ...spoilt,
    id: 'html-instead-of-json-200',
    tier: 1,
    wire: '200 with a page',
    effect: fault('html-page'),
    cause: 'A login page, a captive portal or a firewall.',
    correctClient: 'Believes nothing without the right Content-Type and an id.',
  },
  {
    ...unclear,
    id: 'html-error-page',
    tier: 1,
    operations: ['any'],
    phase: 'after-commit',
    commit: 'mixed',
    wire: '502, 503 or 504 with a page',
    effect: { kind: 'page', status: 502, title: 'Bad gateway' },
    parameters: {
      status: { default: 502, type: 'count', oneOf: [502, 503, 504], about: 'Status of the page' },
      ...phase('after-commit'),
    },
    cause: 'A proxy at the edge.',
    correctClient: 'Does not fall over a page in its path for errors.',
  },
  {
    ...bodySpoilt,
    ...whole,
    id: 'json-wrong-content-type',
    tier: 2,
    wire: 'The right body under the wrong Content-Type',
    effect: fault('wrong-content-type'),
    cause: 'A gateway set up wrongly.',
    correctClient: 'Reads the body all the same, or takes it for unknown and reads the record.',
  },
  {
    ...bodySpoilt,
    id: 'empty-body-200',
    tier: 1,
    wire: '2xx with an empty body',
    effect: fault('empty-body'),
    cause: 'A proxy dropped the body.',
    correctClient: 'Does not take an answer without an id for success.',
  },
  {
    ...unclear,
    id: 'redirect-302',
    tier: 2,
    operations: ['any'],
    phase: 'before-read',
    commit: 'never',
    wire: '302 to a page',
    effect: fault('redirect'),
    parameters: {
      location: {
        default: 'https://portal.example.com/sign-in',
        type: 'text',
        about: 'What Location says',
      },
    },
    concludes: 'FAIL',
    retry: 'after-fix',
    cause: 'The environment has moved, or a captive portal.',
    correctClient: 'Does not follow with a POST and its token.',
  },
  {
    ...bodySpoilt,
    id: 'wrong-content-encoding',
    tier: 3,
    wire: 'Content-Encoding gzip over plain bytes',
    effect: fault('wrong-content-encoding'),
    cause: 'A bug of a content network.',
    correctClient: 'Takes what it cannot decode for unknown.',
  },
  {
    ...spoilt,
    ...whole,
    id: 'slow-close',
    tier: 3,
    wire: 'The full answer with Connection: close, and a connection that stays open',
    effect: fault('slow-close'),
    parameters: {
      linger: { default: '60s', type: 'ms', about: 'How long the connection stays open' },
    },
    cause: 'A proxy that is slow to close.',
    correctClient: 'Ends the answer by its length, and does not wait for the connection to end.',
  },
  {
    ...bodySpoilt,
    ...whole,
    id: 'bandwidth-limit',
    tier: 3,
    triggers: byRule,
    wire: 'The full answer at a few kilobytes a second',
    effect: fault('slow-dribble'),
    parameters: dribble(1024),
    cause: 'A mobile line or a VPN.',
    correctClient: 'Has a deadline for the whole call.',
  },
];
