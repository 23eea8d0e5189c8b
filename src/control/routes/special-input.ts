/** Verbs whose input needs more than a query or a JSON body, and the errors of verbs that find nothing. */
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Target, VerbName } from '../../contract/control/verbs.ts';
import { readExpectation, readWait } from '../../journal/query/read-query.ts';
import { readAdhocRule } from '../../scenarios/rules/adhoc-rule.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { transportOf, type TransportEnv } from '../../transport-port/transport-env.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import type { ControlVerbs } from '../verbs.ts';
import { readScenario } from './read-scenario.ts';

type InputReader = (c: Context<TransportEnv>, body: unknown, sandbox: ControlVerbs) => unknown;

/** Input readers of verbs that the general reader cannot serve. */
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
  force: (c, body) => {
    const prefix = c.req.query('prefix');
    return prefix === undefined ? body : { ...Object(body), merchants: { prefix } };
  },
  playScenario: (c, body, sandbox) => readScenario(c.req, body, sandbox.scenarios()),
  waitFor: (c, body) => {
    const { match, times, timeoutMs } = readWait(body);
    return { match, options: { times, timeoutMs, signal: transportOf(c).signal } };
  },
  waitForHeld: (c, body) => ({ ...Object(body), signal: c.req.raw.signal }),
  verdictPage: (c) => {
    // A browser accepts text/html explicitly and shows the page while the sandbox runs. A program saves the page.
    const supports = ['text/html'];
    const isShown = accepts(c, { header: 'Accept', supports, default: '' }) !== '';
    return { prefix: c.req.query('prefix'), linkTo: isShown ? explanationLink : undefined };
  },
};

/** Verbs with readers that explain problems of a body better than its schema does. The readers throw. */
export const bodyReaders: Readonly<Partial<Record<VerbName, (body: unknown) => unknown>>> = {
  force: (body) => readAdhocRule(body, 'rule-1'),
  verdict: async (body) => {
    const { readVerdictOptions } = await import('../../verdict/options.ts');
    return readVerdictOptions(body, []);
  },
  verify: readExpectation,
  waitFor: readWait,
};

/** The error for each code in the column `absent` of the verb table. */
export const absentAnswers: Readonly<
  Record<string, (target: Target | undefined, input: unknown) => ControlRequestError>
> = {
  'unknown-request': (merchant, input) => {
    const debugId = String(memberOf(input, 'debugId')).slice(0, 64);
    return new ControlRequestError(
      'unknown-request',
      `The journal of merchant ${String(merchant)} has no exchange with the debug id "${debugId}". The exchange may belong to another merchant (?merchant=<id>), or a reset or newer exchanges may have removed it. GET /_sandbox/journal lists the journal.`,
      { place: 'path.debugId' },
    );
  },
};

/** The address of the call that explains a request, on the server that the page came from. */
function explanationLink(merchant: string, debugId: string): string {
  return `/_sandbox/journal/${encodeURIComponent(debugId)}?merchant=${encodeURIComponent(merchant)}`;
}
