/** The few verbs whose input is more than a query or a JSON body, and the errors of those that find nothing. */
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Target, VerbName } from '../../contract/control/verbs.ts';
import { readExpectation, readWait } from '../../journal/query/read-query.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import type { ControlVerbs } from '../verbs.ts';
import { readScenario } from './read-scenario.ts';

type InputReader = (c: Context, body: unknown, sandbox: ControlVerbs) => unknown;

/** Reads the input of a verb where the general way does not do. */
export const inputReaders: Readonly<Partial<Record<VerbName, InputReader>>> = {
  changeClock: (_c, body) => {
    const keys = Object.keys(Object(body));
    if (keys.length === 1) return body;
    const allowed = ['freeze', 'resume', 'set', 'advance'];
    throw new ControlRequestError(
      'invalid-body',
      `Send exactly one of ${allowed.join(', ')}, such as {"advance": "P1D"}. This body has ${keys.join(' and ') || 'none'}.`,
      { place: 'body', allowed },
    );
  },
  playScenario: (c, body, sandbox) => readScenario(c.req, body, sandbox.scenarios()),
  waitFor: (c, body) => {
    const { match, times, timeoutMs } = readWait(body);
    return { match, options: { times, timeoutMs, signal: c.req.raw.signal } };
  },
  verdictPage: (c) => {
    // Browsers accept text/html by name and show the page while the sandbox runs; programs keep it.
    const supports = ['text/html'];
    const isShown = accepts(c, { header: 'Accept', supports, default: '' }) !== '';
    return isShown ? { linkTo: explanationLink } : {};
  },
};

/** Readers that explain what is wrong with a body better than its schema does. They throw. */
export const bodyReaders: Readonly<Partial<Record<VerbName, (body: unknown) => unknown>>> = {
  verify: readExpectation,
  waitFor: readWait,
};

/** The error for each code that a row names as `absent`. */
export const absentAnswers: Readonly<
  Record<string, (target: Target | undefined, input: unknown) => ControlRequestError>
> = {
  'unknown-request': (merchant, input) => {
    const debugId = String(memberOf(input, 'debugId')).slice(0, 64);
    return new ControlRequestError(
      'unknown-request',
      `The journal of the merchant ${String(merchant)} holds no exchange with the debug id "${debugId}". It may belong to another merchant (?merchant=<id>), be older than a reset, or have made room for newer ones. GET /_sandbox/journal lists what the journal holds.`,
      { place: 'path.debugId' },
    );
  },
};

/** The address of the call that explains a request, on the server that the page came from. */
function explanationLink(merchant: string, debugId: string): string {
  return `/_sandbox/journal/${encodeURIComponent(debugId)}?merchant=${encodeURIComponent(merchant)}`;
}
