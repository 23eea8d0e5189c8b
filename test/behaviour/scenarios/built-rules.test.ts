import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/outcomes/rules/rule.ts';
import { readGivenCards } from '../../../src/scenarios/given-cards.ts';
import { loadScenario } from '../../../src/scenarios/load.ts';
import { buildRules } from '../../../src/scenarios/rules/rules.ts';
import type { RuleDocument, ScenarioDocument } from '../../../src/scenarios/document.ts';
import { buildTimeline } from '../../../src/scenarios/timeline.ts';
import { stage, startMs, vaultId } from './rule-context.ts';

function load(part: Partial<ScenarioDocument>) {
  return loadScenario({ scenario: 'mine', version: 1, about: 'A test.', ...part });
}

function rulesOf(rule: RuleDocument, part: Partial<ScenarioDocument> = {}): Rule[] {
  return buildRules(load({ rules: [rule], ...part }), stage);
}

function ruleOf(rule: RuleDocument, part: Partial<ScenarioDocument> = {}): Rule | undefined {
  return rulesOf(rule, part)[0];
}

const soft = { ref: 'soft', number: '4111111111111111', type: 'visa', expire: '2031-05' } as const;

describe('a rule', () => {
  it('gets default values', () => {
    expect(rulesOf({ op: 'payment.create', then: 'reset-after-commit' })).toEqual([
      {
        id: 'rule 1',
        source: 'scenario',
        operations: ['payment.create'],
        match: undefined,
        per: 'merchant',
        steps: [{ outcome: 'reset-after-commit', params: {}, and: undefined }],
        decorates: false,
        nth: undefined,
        times: undefined,
        probability: undefined,
        expiresAtRealMs: undefined,
        fromMs: undefined,
        untilMs: undefined,
        during: undefined,
        optional: false,
      },
    ]);
  });

  it('keeps every given value', () => {
    const rule = ruleOf(
      {
        name: 'all of it',
        op: ['sale.refund', 'capture.refund'],
        match: { 'amount.total': { gte: '10.00' } },
        per: 'sale',
        times: 2,
        probability: 0.5,
        after: '+PT1H',
        before: '2026-06-01T00:00:00Z',
        while: 'outage',
        then: 'request-in-progress',
        ttlMs: 30_000,
        optional: true,
      },
      { states: ['outage'] },
    );
    expect(rule).toMatchObject({
      id: 'all of it',
      operations: ['sale.refund', 'capture.refund'],
      match: { 'amount.total': { gte: '10.00' } },
      per: 'transaction',
      times: 2,
      probability: 0.5,
      fromMs: startMs + 3_600_000,
      untilMs: Date.UTC(2026, 5, 1),
      during: 'outage',
      expiresAtRealMs: 31_000,
      optional: true,
    });
  });

  it('has one step for each attempt if then is a list', () => {
    const rule = ruleOf({
      op: 'payment.create',
      then: ['error-500-after-commit', { outcome: 'slow-first-byte', with: { delay: '2s' } }, 'ok'],
    });
    expect(rule?.steps).toEqual([
      { outcome: 'error-500-after-commit', params: {}, and: undefined },
      { outcome: 'slow-first-byte', params: { delay: '2s' }, and: undefined },
      { outcome: 'ok', params: {}, and: undefined },
    ]);
  });

  it('can have two outcomes for one attempt', () => {
    const rule = ruleOf({
      op: 'sale.refund',
      then: {
        outcome: 'reset-after-commit',
        and: { outcome: 'refund-failed-later', with: { after: 'P3D' } },
      },
    });
    expect(rule?.steps).toEqual([
      {
        outcome: 'reset-after-commit',
        params: {},
        and: { outcome: 'refund-failed-later', params: { after: 'P3D' } },
      },
    ]);
  });

  it('keeps the outcomes of oneOf', () => {
    const rule = ruleOf({
      op: 'payment.create',
      then: { oneOf: ['hang-after-commit', { outcome: 'slow-dribble', with: { gap: '1s' } }] },
    });
    expect(rule?.steps).toEqual([
      {
        outcome: 'hang-after-commit',
        params: {},
        oneOf: [
          { outcome: 'hang-after-commit', params: {} },
          { outcome: 'slow-dribble', params: { gap: '1s' } },
        ],
      },
    ]);
  });

  it('applies its parameters to outcomes that have them, and those of a step first', () => {
    const rule = ruleOf({
      op: 'payment.create',
      params: { retryAfter: 9 },
      then: [
        'rate-limited-seconds',
        { outcome: 'error-503-before-commit', with: { retryAfter: 1 } },
        'reset-after-commit',
      ],
    });
    expect(rule?.steps.map(({ params }) => params)).toEqual([
      { retryAfter: 9 },
      { retryAfter: 1 },
      {},
    ]);
  });

  it('replaces refs of given cards by ids', () => {
    const given = { cards: [soft, { ...soft, ref: 'hard' }] };
    const matches = [{ $card: 'soft' }, { $card: { in: ['hard', vaultId('other')] } }].map(
      (match) => ruleOf({ op: 'payment.create', match, then: 'decline-generic' }, { given })?.match,
    );
    expect(matches).toEqual([
      { $card: vaultId('soft') },
      { $card: { in: [vaultId('hard'), vaultId('other')] } },
    ]);
  });

  it('becomes separate rules for then and always', () => {
    const rules = rulesOf({
      name: 'new',
      op: 'payment.create',
      then: 'slow-first-byte',
      always: ['unknown-field-added', 'field-order-shuffled'],
    });
    expect(rules.map(({ id, decorates, steps }) => [id, decorates, steps[0]?.outcome])).toEqual([
      ['new', false, 'slow-first-byte'],
      ['new, always 1', true, 'unknown-field-added'],
      ['new, always 2', true, 'field-order-shuffled'],
    ]);
  });
});

describe('a pattern', () => {
  it.each([
    ['any', 'slow-first-byte', ['any']],
    ['*', 'deprecation-headers', ['any']],
    ['*', 'number-as-string', 'card.create card.list card.get card.update'.split(' ')],
    [
      'payment.*',
      'error-500-after-commit',
      ['payment.create', 'payment.update', 'payment.execute'],
    ],
    ['card.*', 'created-not-visible-yet', ['card.get']],
  ] as const)('%s with %s takes in the operations it can happen on', (op, then, operations) => {
    expect(ruleOf({ op, then })?.operations).toEqual(operations);
  });

  it('any-write excludes reads and tokens', () => {
    const operations = ruleOf({ op: 'any-write', then: 'reset-after-commit' })?.operations;
    expect(operations).toEqual(expect.arrayContaining(['card.create', 'sale.refund', 'auth.void']));
    expect(operations).not.toContain('token.create');
    expect(operations).not.toContain('card.get');
  });

  it('includes only operations that can have all outcomes', () => {
    expect(
      ruleOf({ op: 'any', then: ['created-not-visible-yet', 'decline-generic'] })?.operations,
    ).toEqual(['payment.create']);
  });
});

describe('the timeline', () => {
  it('is sorted by time from the start', () => {
    const scenario = load({
      states: ['up', 'down'],
      given: { cards: [soft] },
      timeline: [
        { at: '+P1M', event: 'sale-reversed-later', sale: 'every', card: 'soft' },
        { at: '+20s', goto: 'up' },
        { at: '2026-05-06T07:08:10Z', goto: 'down' },
        {
          at: 'P2D',
          event: 'chargeback-opened-won-lost',
          with: { outcome: 'won' },
          optional: true,
        },
      ],
    });
    const chargeback = { event: 'chargeback-opened-won-lost', sale: 'last', card: undefined };
    expect(buildTimeline(scenario, startMs)).toEqual([
      { atMs: startMs + 1_000, goto: 'down' },
      { atMs: startMs + 20_000, goto: 'up' },
      {
        atMs: startMs + 2 * 86_400_000,
        ...chargeback,
        params: { outcome: 'won' },
        place: 'timeline[3]',
        optional: true,
      },
      {
        atMs: Date.UTC(2026, 5, 6, 7, 8, 9),
        event: 'sale-reversed-later',
        sale: 'every',
        card: 'soft',
        params: {},
        place: 'timeline[0]',
        optional: false,
      },
    ]);
  });
});

describe('given cards', () => {
  it('have the form of fixture cards', () => {
    const cards = [
      { ...soft, first_name: 'Ada', external_customer_id: 'ada', validUntil: '+P1D' },
      { ...soft, ref: 'other' },
    ];
    expect(readGivenCards(load({ given: { cards } }), startMs)).toEqual([
      {
        ref: 'soft',
        card: {
          number: '4111111111111111',
          type: 'visa',
          expire_month: 5,
          expire_year: 2031,
          first_name: 'Ada',
          external_customer_id: 'ada',
        },
        validUntilMs: startMs + 86_400_000,
      },
      {
        ref: 'other',
        card: { number: '4111111111111111', type: 'visa', expire_month: 5, expire_year: 2031 },
        validUntilMs: undefined,
      },
    ]);
  });
});
