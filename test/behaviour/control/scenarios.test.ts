/** Playing scenarios over HTTP. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/shared/package-root.ts';
import { shippedScenarioNames } from '../../../src/scenarios/load.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { call } from './call.ts';

const document = {
  scenario: 'mine',
  version: 1,
  about: 'One decline.',
  rules: [{ op: 'payment.create', nth: 1, then: 'decline-generic' }],
};
const yaml = `scenario: mine
version: 1
about: One decline.
rules:
  - op: payment.create
    then: decline-generic
`;

onEveryTransport('scenarios over HTTP', (transport) => {
  it('400 explains how to play a scenario if the body is a copied answer', async () => {
    const sent = { scenario: 'lost-answer' };
    const { status, body } = await call(transport, 'POST /_sandbox/scenario', sent);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'invalid-scenario',
      place: 'body.scenario',
      nearest: 'name',
    });
  });

  it('400 says what to send if the body is empty', async () => {
    expect(await call(transport, 'POST /_sandbox/scenario')).toMatchObject({
      status: 400,
      body: {
        error: 'invalid-scenario',
        place: 'body',
        message: expect.stringContaining('Send {"name": "lost-answer"}'),
      },
    });
  });

  it('200 lists the shipped scenarios and their purposes', async () => {
    const { body } = await call(transport, 'GET /_sandbox/scenarios');
    expect(body).toEqual(transport.sandbox.scenarios());
    expect(transport.sandbox.scenarios().map(({ name }) => name)).toEqual(shippedScenarioNames());
  });

  it.each(shippedScenarioNames())('200 plays %s by name', async (name) => {
    const { merchant } = transport.shop();
    const played = await call(transport, `POST /_sandbox/scenario?merchant=${merchant.id}`, {
      name,
    });
    expect(played).toMatchObject({ status: 200, body: { scenario: name } });
    expect(merchant.rules().every(({ source }) => source === 'scenario')).toBe(true);
    const text = readFileSync(join(packageRoot(), 'scenarios', `${name}.yaml`), 'utf8');
    const sent = await call(transport, `POST /_sandbox/scenario?merchant=${merchant.id}`, text, {
      'Content-Type': 'text/yaml',
    });
    expect(sent).toMatchObject({ status: 200, body: { scenario: name } });
  });

  it('200 plays a document', async () => {
    const { merchant } = transport.shop();
    const played = await call(
      transport,
      `POST /_sandbox/scenario?merchant=${merchant.id}`,
      document,
    );
    expect(played.body).toEqual({ merchant: expect.any(String), scenario: 'mine' });
    expect(merchant.rules()).toMatchObject([{ nth: 1, steps: [{ outcome: 'decline-generic' }] }]);
  });

  it.each(['text/yaml', 'application/yaml', 'text/yaml; charset=utf-8'])(
    '200 plays the text of a file sent as %s',
    async (type) => {
      const { merchant } = transport.shop();
      const path = `POST /_sandbox/scenario?merchant=${merchant.id}`;
      const played = await call(transport, path, yaml, { 'Content-Type': type });
      expect(played).toMatchObject({ status: 200, body: { scenario: 'mine' } });
      expect(merchant.rules()).toHaveLength(1);
    },
  );

  it.each<[string, unknown, object]>([
    [
      'an unknown name',
      { name: 'lost-answr' },
      { error: 'invalid-scenario', place: 'body.name', nearest: 'lost-answer' },
    ],
    [
      'a path, whether or not there is such a file',
      { name: './package.json' },
      { error: 'invalid-scenario', place: 'body.name' },
    ],
    ['a name and more', { name: 'hang', seed: 1 }, { error: 'unknown-key', place: 'body.seed' }],
    [
      'a document with an unknown outcome',
      { ...document, rules: [{ op: 'payment.create', then: 'decline-genric' }] },
      { error: 'invalid-scenario', place: 'body.rules[0].then', nearest: 'decline-generic' },
    ],
    [
      'a document that lacks what it must have',
      { scenario: 'mine' },
      { error: 'invalid-scenario', issues: [{ place: 'body.version' }] },
    ],
    [
      'fixtures of this machine',
      { ...document, fixtures: './package.json' },
      {
        error: 'invalid-scenario',
        place: 'body.fixtures',
        allowed: expect.arrayContaining(['shop']),
      },
    ],
    ['a list', [], { error: 'invalid-body', place: 'body' }],
  ])('400 refuses %s, and changes nothing', async (_what, body, refusal) => {
    const { merchant } = transport.shop();
    merchant.playScenario('lost-answer');
    const before = merchant.rules();
    const refused = await call(transport, `POST /_sandbox/scenario?merchant=${merchant.id}`, body);
    expect(refused).toMatchObject({ status: 400, body: refusal });
    expect(merchant.rules()).toEqual(before);
  });

  it('400 names the line and column of a mistake in a text', async () => {
    const text = yaml.replace('decline-generic', 'decline-genric');
    const { status, body } = await call(transport, 'POST /_sandbox/scenario', text, {
      'Content-Type': 'text/yaml',
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      place: 'body:6:5 rules[0].then',
      nearest: 'decline-generic',
      message: expect.stringContaining('body:6:5 rules[0].then: Unknown outcome'),
    });
  });

  it('400 refuses text that is not YAML', async () => {
    const refused = await call(transport, 'POST /_sandbox/scenario', 'a: [', {
      'Content-Type': 'text/yaml',
    });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid-scenario' } });
  });

  it('415 refuses another content type and names the allowed ones', async () => {
    const refused = await call(transport, 'POST /_sandbox/scenario', yaml, {
      'Content-Type': 'text/plain',
    });
    expect(refused).toMatchObject({
      status: 415,
      body: { allowed: ['application/json', 'text/yaml', 'application/yaml'] },
    });
  });
});
