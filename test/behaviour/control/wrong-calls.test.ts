/** The answer to a wrong control call names the place, the allowed values and the nearest match. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { call } from './call.ts';

const clockKeys = ['freeze', 'resume', 'set', 'advance'];

/** On no list of test numbers. */
const pan = '4929851042331971';
const spaced = pan.replaceAll(/(....)/g, '$1 ').trim();

onEveryTransport('a control call without a body', (transport) => {
  it('is answered as with {}, whatever type it declares', async () => {
    const { id } = transport.shop().merchant;
    const path = `POST /_sandbox/verdict?merchant=${id}`;
    expect(await call(transport, path, '')).toMatchObject({ status: 200, body: { merchant: id } });
  });
});

onEveryTransport('an invalid control call', (transport) => {
  it.each<[string, number, object, unknown?]>([
    [
      'POST /_sandbox/reset?merchnt=a',
      400,
      {
        error: 'unknown-parameter',
        message:
          "Unknown query parameter 'merchnt'. Did you mean 'merchant'? Known here: merchant, all.",
        place: 'query.merchnt',
        allowed: ['merchant', 'all'],
        nearest: 'merchant',
      },
    ],
    [
      'GET /_sandbox/health?x=1',
      400,
      { error: 'unknown-parameter', place: 'query.x', allowed: [] },
    ],
    [
      'POST /_sandbox/reset?all=ture',
      400,
      {
        error: 'invalid-parameter',
        place: 'query.all',
        allowed: ['true', 'false'],
        nearest: 'true',
      },
    ],
    ['POST /_sandbox/reset?all=true&merchant=a', 400, { error: 'invalid-parameter' }],
    ['POST /_sandbox/reset?merchant=', 400, { place: 'query.merchant' }],
    ['POST /_sandbox/reset?merchant=a&merchant=b', 400, { place: 'query.merchant' }],
    ['GET /_sandbox/ledger?merchant=a%20b', 400, { place: 'query.merchant' }],
    ['POST /_sandbox/reset', 400, { error: 'invalid-body', place: 'body' }, { all: true }],
    ['POST /_sandbox/clock', 400, { error: 'malformed-json', place: 'body' }, '{'],
    ['POST /_sandbox/clock', 400, { error: 'invalid-body', allowed: clockKeys }, ''],
    ['POST /_sandbox/clock', 400, { error: 'invalid-body', place: 'body' }, []],
    ['POST /_sandbox/clock', 400, { error: 'invalid-body', allowed: clockKeys }, {}],
    [
      'POST /_sandbox/clock',
      400,
      { error: 'invalid-body', allowed: clockKeys },
      { freeze: true, resume: true },
    ],
    [
      'POST /_sandbox/clock',
      400,
      { error: 'unknown-key', place: 'body.frezee', allowed: clockKeys, nearest: 'freeze' },
      { frezee: true },
    ],
    ['POST /_sandbox/clock', 400, { place: 'body.freeze', allowed: ['true'] }, { freeze: false }],
    ['POST /_sandbox/clock', 400, { place: 'body.set' }, { set: 'tomorrow' }],
    ['POST /_sandbox/clock', 400, { place: 'body.advance' }, { advance: 'P1X' }],
    ['POST /_sandbox/clock', 400, { place: 'body.advance' }, { advance: 1.5 }],
    ['POST /_sandbox/clock', 409, { error: 'clock-refused' }, { set: '2020-01-01T00:00:00Z' }],
    ['POST /_sandbox/clock', 409, { error: 'clock-refused' }, { advance: -1 }],
    ['POST /_sandbox/clock', 409, { error: 'clock-refused' }, { advance: '-P1D' }],
    ['POST /_sandbox/clock', 409, { error: 'clock-refused' }, { advance: 9e15 }],
    ['POST /_sandbox/clock', 409, { error: 'clock-refused' }, { set: '9999-12-31T23:59:59-12:00' }],
    ['POST /_sandbox/clock', 413, { error: 'body-too-large' }, `"${'x'.repeat(70_000)}"`],
    ['POST /_sandbox/reset', 413, { error: 'body-too-large' }, `"${'x'.repeat(5_000_000)}"`],
    [
      'POST /_sandbox/rest',
      404,
      {
        error: 'unknown-path',
        message:
          'Nothing is served at /_sandbox/rest. The nearest path is POST /_sandbox/reset. All paths are listed at /docs/control.',
        place: 'path',
        nearest: '/_sandbox/reset',
      },
    ],
    [
      'GET /_sandbox/what-happened-to-all-of-my-money',
      404,
      {
        message:
          'Nothing is served at /_sandbox/what-happened-to-all-of-my-money. All paths are listed at /docs/control.',
      },
    ],
    [
      'GET /_sandbox/info',
      404,
      { message: 'Nothing is served at /_sandbox/info. All paths are listed at /docs/control.' },
    ],
    [
      'POST /_sandbox/rules',
      400,
      {
        error: 'invalid-rule',
        message:
          "force: must say what happens, such as outcome: 'decline-generic'. sequence, then and always say it too.",
        place: 'body',
      },
      { op: 'payment.create' },
    ],
    ['GET /docs/contrl', 404, { error: 'unknown-path', nearest: '/docs/control' }],
    ['GET /_sandbox/gates', 404, { error: 'unknown-path', nearest: '/_sandbox/hold' }],
    ['GET /_sandbox/requests', 404, { error: 'unknown-path', nearest: '/_sandbox/journal' }],
    ['GET /_sandbox/reset', 405, { error: 'method-not-allowed', allowed: ['POST'] }],
    ['PUT /_sandbox/clock', 405, { allowed: ['GET', 'HEAD', 'POST'] }],
    ['OPTIONS /_sandbox/merchants/a', 405, { allowed: ['DELETE'] }],
    ['POST /docs', 405, { allowed: ['GET', 'HEAD'] }],
  ])('%s gets %i', async (line, status, answer, body) => {
    const refused = await call(transport, line, body);
    expect(refused).toMatchObject({ status, body: answer });
  });

  it('405 names the methods in Allow', async () => {
    const { headers } = await call(transport, 'PUT /_sandbox/clock');
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded'])('415 refuses %s', async (type) => {
    const headers = { 'Content-Type': type };
    const { status, body } = await call(
      transport,
      'POST /_sandbox/clock',
      { freeze: true },
      headers,
    );
    expect(status).toBe(415);
    expect(body).toMatchObject({ place: 'header Content-Type', allowed: ['application/json'] });
  });

  it('413 refuses a large body without a Content-Length', async () => {
    const body = new Blob(['x'.repeat(500_000)]).stream();
    const init = { method: 'POST', body, duplex: 'half' };
    const response = await transport.fetch(`${transport.base}/_sandbox/clock`, init);
    expect(response.status).toBe(413);
  });

  it.each<readonly [string, unknown]>([
    [`GET /_sandbox/${pan}`, undefined],
    [`GET /_sandbox/rules?${pan}=1`, undefined],
    [`GET /_sandbox/outcomes/${pan}`, undefined],
    ['POST /_sandbox/clock', { [pan]: 1 }],
    ['POST /_sandbox/rules', { op: 'card.create', outcome: spaced }],
    ['POST /_sandbox/rules', { op: 'card.create', outcome: 'ok', match: { [pan]: 1 } }],
    ['POST /_sandbox/journal/verify', { [pan]: 1 }],
    [`POST /_sandbox/snapshots/${pan}/restore`, undefined],
    [`DELETE /_sandbox/merchants/${pan}`, undefined],
    ['POST /_sandbox/scenario', { scenario: pan }],
  ])('gets an error without its card number: %s %j', async (line, sent) => {
    const { status, body } = await call(transport, line, sent);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body).replaceAll(/\D/g, '')).not.toContain(pan.slice(0, 12));
  });

  it('404 suggests the nearest merchant', async () => {
    await call(transport, 'POST /_sandbox/clock?merchant=worker-1', { freeze: true });
    const { status, body } = await call(transport, 'DELETE /_sandbox/merchants/wroker-1');
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: 'unknown-merchant', nearest: 'worker-1' });
  });
});

onEveryTransport(
  'a sandbox with the maximum number of merchants',
  (transport) => {
    it('403 refuses another merchant', async () => {
      const frozen = { freeze: true };
      await call(transport, 'POST /_sandbox/clock?merchant=first', frozen);
      const { status, body } = await call(
        transport,
        'POST /_sandbox/clock?merchant=second',
        frozen,
      );
      expect(status).toBe(403);
      expect(body).toMatchObject({ error: 'merchants-full' });
    });
  },
  { limits: { maxMerchants: 1 } },
);
