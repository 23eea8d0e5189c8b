/** A bug of the sandbox answers a control call with 500 and reaches the listener. */
import { beforeEach, expect, it } from 'vitest';
import { prettyLines } from '../../../src/cli/output/pretty.ts';
import type { ControlFailure } from '../../../src/index.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { call } from './call.ts';

/** While `isFailing` is set, the system clock throws: an internal error that any call can meet. */
const clock = { isFailing: false };
const failures: ControlFailure[] = [];
const realNowMs = () => {
  if (clock.isFailing) throw new RangeError('out of time');
  return Date.UTC(2026, 4, 1);
};

beforeEach(() => {
  failures.length = 0;
});

onEveryTransport(
  'an exception during a control call',
  (transport) => {
    it('answers 500 and calls the listener with the request', async () => {
      await call(transport, 'POST /_sandbox/reset');
      clock.isFailing = true;
      const failed = await call(transport, 'GET /_sandbox/clock').finally(() => {
        clock.isFailing = false;
      });
      expect(failed.status).toBe(500);
      expect(failed.body).toEqual({
        error: 'internal-error',
        message: 'Internal error in the sandbox: out of time',
      });
      expect(failures).toEqual([
        { method: 'GET', path: '/_sandbox/clock', failure: new RangeError('out of time') },
      ]);
    });

    it('is not reported for invalid calls', async () => {
      expect((await call(transport, 'GET /_sandbox/nowhere')).status).toBe(404);
      expect((await call(transport, 'POST /_sandbox/clock', '{')).status).toBeGreaterThan(399);
      expect(failures).toEqual([]);
    });
  },
  {
    systemClock: { nowMs: realNowMs },
    listeners: { onControlFailure: (fault) => failures.push(fault) },
  },
);

it('an exception appears in the readable log with its stack', () => {
  const line = {
    level: 'error',
    time: '2026-05-01T00:00:00.000Z',
    method: 'GET',
    path: '/_sandbox/clock',
    status: 500,
    err: {
      type: 'RangeError',
      message: 'out of time',
      stack: 'RangeError: out of time\n  at here',
    },
    msg: 'control call',
  };
  expect(prettyLines(false)(JSON.stringify(line))).toMatch(
    /500 GET \/_sandbox\/clock internal error in the sandbox\n {4}RangeError: out of time\n {6}at here\n$/,
  );
});
