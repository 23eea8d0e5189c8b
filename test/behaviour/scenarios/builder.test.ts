import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createSandbox } from '../../../src/index.ts';
import { packageRoot } from '../../../src/shared/package-root.ts';
import { scenario } from '../../../src/scenarios/builder.ts';
import { loadScenario, shippedScenarioNames } from '../../../src/scenarios/load.ts';
import { ScenarioError } from '../../../src/scenarios/scenario-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

function yamlOf(name: string): unknown {
  return parse(readFileSync(join(packageRoot(), 'scenarios', `${name}.yaml`), 'utf8'));
}

describe('a scenario built in code', () => {
  it('equals the file with the same content', () => {
    const built = scenario('lost-answer')
      .about('The payment succeeds, and its first response is lost.')
      .op('payment.create')
      .named('lose the first answer of every purchase')
      .per('intent')
      .nth(1)
      .then('reset-after-commit')
      .expect({ sales: { perIntent: 1 }, orphans: 0 })
      .build();
    expect(built).toEqual(yamlOf('lost-answer'));
  });

  it('supports states, a timeline, probability and steps', () => {
    const built = scenario('black-friday')
      .about('Slow with some failures, then closed for payments, then healthy again.')
      .seed(20261127)
      .states('healthy', 'brownout', 'outage', 'recovered')
      .goto('+5s', 'brownout')
      .goto('+20s', 'outage')
      .goto('+50s', 'recovered')
      .op('payment.create')
      .named('some payments fail')
      .while('brownout')
      .probability(0.3)
      .optional()
      .then({
        oneOf: [
          'error-500-before-commit',
          'error-500-after-commit',
          'reset-after-commit',
          { outcome: 'slow-dribble', with: { chunkBytes: 20 } },
        ],
      })
      .op('any')
      .named('everything is slow')
      .while('brownout')
      .optional()
      .then({ outcome: 'latency-degraded', with: { p50: '100ms', p99: '2s' } })
      .op('payment.create')
      .named('payments are closed')
      .while('outage')
      .optional()
      .then({ outcome: 'maintenance-window', with: { retryAfter: 30, body: 'html' } })
      .expect({
        sales: { perIntent: '<=1' },
        findings: { none: ['retry-storm', 'ignores-retry-after', 'double-charge'] },
      })
      .build();
    expect(built).toEqual(yamlOf('black-friday'));
  });

  it('supports every other key of a file', () => {
    const card = {
      ref: 'soft',
      number: '4111111111111111',
      type: 'visa',
      expire: '2031-05',
    } as const;
    const built = scenario('mine')
      .fixtures('empty')
      .clock({ mode: 'virtual' })
      .card(card)
      .card({ ...card, ref: 'hard' })
      .event('+P1D', 'sale-reversed-later', { card: 'soft' })
      .op('card.get', 'card.list')
      .always('unknown-field-added')
      .op('payment.create')
      .match({ $card: 'soft' })
      .after('+1s')
      .before('+2s')
      .times(2)
      .ttlMs(60_000)
      .params({ delay: 10 })
      .then('slow-first-byte', 'ok')
      .build();
    expect(built).toEqual({
      scenario: 'mine',
      version: 1,
      fixtures: 'empty',
      clock: { mode: 'virtual' },
      given: { cards: [card, { ...card, ref: 'hard' }] },
      timeline: [{ at: '+P1D', event: 'sale-reversed-later', card: 'soft' }],
      rules: [
        { op: ['card.get', 'card.list'], always: ['unknown-field-added'] },
        {
          op: 'payment.create',
          match: { $card: 'soft' },
          after: '+1s',
          before: '+2s',
          times: 2,
          ttlMs: 60_000,
          params: { delay: 10 },
          then: ['slow-first-byte', 'ok'],
        },
      ],
    });
  });

  it('can share its first part with other scenarios', () => {
    const begun = scenario('mine').op('card.get').then('ok');
    begun.op('card.list').then('ok');
    expect(begun.build().rules).toHaveLength(1);
  });

  it('is refused with a hint if build() was not called', () => {
    const begun = scenario('mine').op('card.get').then('ok');
    const sandbox = createSandbox({ fixtures: 'empty' });
    // @ts-expect-error: a program without types passes anything.
    expect(() => sandbox.playScenario(begun)).toThrow(
      new ScenarioError(['scenario: is an unfinished builder. Call build() to get the document.']),
    );
  });

  it('is checked by build()', () => {
    // @ts-expect-error: a program without types passes anything.
    const wrong = scenario('mine').op('payment.create').then('reset-after-comit');
    expect(() => wrong.build()).toThrow(ScenarioError);
    expect(() => wrong.build()).toThrow('Did you mean "reset-after-commit"?');
  });
});

describe.each(shippedScenarioNames())('%s', (name) => {
  it('is read the same from JSON and YAML', () => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(yamlOf(name)));
    expect(loadScenario(file).document).toEqual(loadScenario(name).document);
  });
});
