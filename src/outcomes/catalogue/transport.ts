/** Faults of the transport, in a request or its response. */
import type { FaultName } from '../outcome.ts';
import { bodyOperations, byRule, delay, phase, type Row } from './row.ts';

const unknownOutcome = {
  triggers: byRule,
  concludes: 'UNKNOWN',
  retry: 'same-key',
  provenance: 'transport',
} as const;

const beforeCommit = {
  ...unknownOutcome,
  operations: ['any-write'],
  phase: 'before-commit',
  commit: 'never',
} as const;

const afterCommit = {
  ...unknownOutcome,
  operations: ['any-write'],
  phase: 'after-commit',
  commit: 'committed',
} as const;

/** The response is correct until the transport damages it. */
const damaged = {
  ...unknownOutcome,
  operations: ['any'],
  phase: 'answer',
  commit: 'as-normal',
} as const;

/** The response arrives whole, only slowly or in an unusual way. */
const whole = { concludes: 'OK', retry: 'not-needed' } as const;

/** The body is damaged, so the response needs one. */
const damagedBody = { ...damaged, operations: bodyOperations, needs: 'body' } as const;

function fault(name: FaultName) {
  return { kind: 'fault', fault: name } as const;
}

/** The connection is closed after the cap, so that clients that never leave do not hold it. */
const hang = {
  response: 'Nothing until the client leaves',
  effect: fault('hang'),
  parameters: {
    cap: { default: '60s', type: 'ms', about: 'Longest time that the connection is held' },
  },
} as const;

function dribble(chunkBytes: number) {
  return {
    chunkBytes: {
      default: chunkBytes,
      type: 'bytes',
      about: 'Number of bytes that are sent at a time',
    },
    gap: { default: '100ms', type: 'ms', about: 'Pause between two chunks' },
  } as const;
}

export const transport: readonly Row[] = [
  {
    ...unknownOutcome,
    id: 'connect-refused',
    tier: 1,
    operations: ['any'],
    triggers: byRule,
    phase: 'before-read',
    commit: 'never',
    response:
      'ECONNREFUSED: over a socket for every merchant, in process for this merchant; by rule only',
    effect: { kind: 'refuse-connections' },
    parameters: {
      lasts: {
        default: '2s',
        type: 'ms',
        most: '60s',
        about: 'How long connections are refused, unless the merchant is reset before',
      },
    },
    concludes: 'FAIL',
    retry: 'after-wait',
    cause: 'The host is down or has moved.',
    correctClient: 'Retries with backoff, because nothing was sent.',
  },
  {
    ...beforeCommit,
    id: 'reset-before-commit',
    tier: 1,
    response: 'RST instead of a response',
    effect: fault('reset'),
    cause: 'A load balancer restarts.',
    correctClient: 'Retries with the same request id.',
  },
  {
    ...afterCommit,
    id: 'reset-after-commit',
    tier: 1,
    response: 'RST instead of a response',
    effect: fault('reset'),
    cause: 'The response is lost.',
    correctClient: 'Retries with the same request id. Without one, it reads first.',
  },
  {
    ...afterCommit,
    id: 'close-after-commit',
    tier: 1,
    response: 'FIN instead of a response',
    effect: fault('close'),
    cause: 'The server process is killed.',
    correctClient: 'Retries with the same request id. Without one, it reads first.',
  },
  {
    ...afterCommit,
    id: 'keepalive-race',
    tier: 1,
    triggers: byRule,
    commit: 'mixed',
    response: 'RST on a connection that served a request before',
    effect: fault('reset-if-reused'),
    parameters: phase('after-commit'),
    cause: 'The server closes an idle connection while the client uses it again.',
    correctClient: 'Does not let its HTTP library silently repeat a POST.',
  },
  {
    ...unknownOutcome,
    ...hang,
    id: 'hang-before-commit',
    tier: 1,
    operations: ['any'],
    phase: 'before-read',
    commit: 'never',
    cause: 'The request is lost on its way.',
    correctClient: 'Has a deadline for the whole call.',
  },
  {
    ...afterCommit,
    ...hang,
    id: 'hang-after-commit',
    tier: 1,
    cause: 'The response is lost on its way.',
    correctClient: 'Has a deadline, then retries with the same request id or reads.',
  },
  {
    ...damaged,
    ...whole,
    id: 'slow-first-byte',
    tier: 1,
    response: 'The full response after a delay',
    effect: fault('slow-first-byte'),
    parameters: delay('1500ms'),
    cause: 'The issuer is slow. It may take 8 to 30 seconds.',
    correctClient: 'Waits longer than the provider may take and prevents double clicks.',
  },
  {
    ...unknownOutcome,
    ...whole,
    id: 'slow-before-commit',
    tier: 2,
    operations: ['any-write'],
    phase: 'answer',
    commit: 'as-normal',
    response:
      'The usual response after a delay. Meanwhile nothing is written, and a request with the same request id gets 409',
    effect: { kind: 'wait-before-commit' },
    parameters: {
      delay: { default: '1500ms', type: 'ms', about: 'Wait before the request is executed' },
    },
    cause: 'The provider is busy before it begins to work on the request.',
    correctClient: 'Waits, and after a 409 repeats with the same request id a moment later.',
  },
  {
    ...damagedBody,
    ...whole,
    id: 'slow-dribble',
    tier: 1,
    response: 'The full response, a few bytes at a time',
    effect: fault('slow-dribble'),
    parameters: dribble(10),
    cause: 'A bad connection, or a proxy that buffers.',
    correctClient: 'Has a deadline for the whole call, not only an idle timeout.',
  },
  {
    ...damagedBody,
    id: 'truncated-body',
    tier: 1,
    response: 'Fewer bytes than Content-Length promises, then the end',
    effect: fault('truncated-body'),
    parameters: {
      bytes: { default: 20, type: 'bytes', about: 'Number of bytes of the body that are sent' },
    },
    cause: 'The connection breaks in the middle of the body.',
    correctClient: 'Treats it as a lost response.',
  },
  {
    ...damagedBody,
    id: 'truncated-json',
    tier: 1,
    response: 'A complete message with truncated JSON',
    effect: fault('truncated-json'),
    cause: 'A proxy computes a wrong length.',
    correctClient: 'Treats a parse error as an unknown outcome, not as a decline.',
  },
  {
    ...damagedBody,
    id: 'malformed-json',
    tier: 2,
    response: 'A complete message with invalid JSON',
    effect: fault('malformed-json'),
    cause: 'A faulty serialiser.',
    correctClient: 'Treats a parse error as an unknown outcome, not as a decline.',
  },
  {
    ...damagedBody,
    id: 'malformed-chunk',
    tier: 2,
    response: 'A chunk with an invalid size, then the end',
    effect: fault('malformed-chunk'),
    cause: 'A bug in a proxy.',
    correctClient: 'Treats it as a lost response.',
  },
  {
    ...damaged,
    id: 'garbage-then-close',
    tier: 3,
    response: 'Bytes that are not HTTP',
    effect: fault('garbage'),
    cause: 'A wrong port, or TLS on a port without TLS.',
    correctClient: 'Treats it as a lost response.',
  },
  {
    ...damaged,
    id: 'html-instead-of-json-200',
    tier: 1,
    response: '200 with an HTML page',
    effect: fault('html-page'),
    cause: 'A login page, a captive portal or a firewall.',
    correctClient: 'Accepts only a response with the correct Content-Type and an id.',
  },
  {
    ...unknownOutcome,
    id: 'html-error-page',
    tier: 1,
    operations: ['any'],
    phase: 'after-commit',
    commit: 'mixed',
    response: '502, 503 or 504 with an HTML page',
    effect: { kind: 'page', status: 502, title: 'Bad gateway' },
    parameters: {
      status: { default: 502, type: 'count', oneOf: [502, 503, 504], about: 'Status of the page' },
      ...phase('after-commit'),
    },
    cause: 'A proxy in front of the service fails.',
    correctClient: 'Handles an HTML page in its error handling.',
  },
  {
    ...damagedBody,
    ...whole,
    id: 'json-wrong-content-type',
    tier: 2,
    response: 'The correct body with a wrong Content-Type',
    effect: fault('wrong-content-type'),
    cause: 'A misconfigured gateway.',
    correctClient: 'Reads the body anyway, or treats the outcome as unknown and reads the record.',
  },
  {
    ...damagedBody,
    id: 'empty-body-200',
    tier: 1,
    response: '2xx with an empty body',
    effect: fault('empty-body'),
    cause: 'A proxy dropped the body.',
    correctClient: 'Does not treat a response without an id as success.',
  },
  {
    ...unknownOutcome,
    id: 'redirect-302',
    tier: 2,
    operations: ['any'],
    phase: 'before-read',
    commit: 'never',
    response: '302 to an HTML page',
    effect: fault('redirect'),
    parameters: {
      location: {
        default: 'https://portal.example.com/sign-in',
        type: 'text',
        about: 'Value of the Location header',
      },
    },
    concludes: 'FAIL',
    retry: 'after-fix',
    cause: 'The environment has moved, or a captive portal answers.',
    correctClient: 'Does not follow the redirect with a POST and its token.',
  },
  {
    ...damagedBody,
    id: 'wrong-content-encoding',
    tier: 3,
    response: 'Content-Encoding gzip with plain bytes',
    effect: fault('wrong-content-encoding'),
    cause: 'A bug in a content delivery network.',
    correctClient: 'Treats a response that it cannot decode as an unknown outcome.',
  },
  {
    ...damaged,
    ...whole,
    id: 'slow-close',
    tier: 3,
    response: 'The full response with Connection: close, and a connection that stays open',
    effect: fault('slow-close'),
    parameters: {
      linger: { default: '60s', type: 'ms', about: 'How long the connection stays open' },
    },
    cause: 'A proxy closes connections slowly.',
    correctClient: 'Reads the body by its length and does not wait for the connection to close.',
  },
  {
    ...damagedBody,
    ...whole,
    id: 'bandwidth-limit',
    tier: 3,
    triggers: byRule,
    response: 'The full response at a few kilobytes per second',
    effect: fault('slow-dribble'),
    parameters: dribble(1024),
    cause: 'A mobile connection or a VPN.',
    correctClient: 'Has a deadline for the whole call.',
  },
];
