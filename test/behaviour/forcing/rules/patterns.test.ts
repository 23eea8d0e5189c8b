/** Regular expressions of rules: linear, limited, and only compared with the requests that they are about. */
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../src/outcomes/rules/facts.ts';
import { checkedCatalogue } from '../../../../src/outcomes/catalogue.ts';
import { maxOperationSteps } from '../../../../src/outcomes/rules/pattern.ts';
import { RuleBook } from '../../../../src/outcomes/rules/rule-book.ts';
import { buildRules } from '../../../../src/scenarios/rules/rules.ts';
import { loadScenario } from '../../../../src/scenarios/load.ts';
import type { RuleDocument } from '../../../../src/scenarios/document.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport } from '../../../support/transports.ts';
import { call as control } from '../../control/call.ts';
import { see } from '../tolerant-client.ts';

const place = 'transactions[0].custom';

/** Sizes are counted, so these are the same on every machine. */
const large = '(?:.{1,90}){1,5}x';

onEveryTransport('a rule with a regular expression', (transport) => {
  it.each(['(a+)+$', `${'a?'.repeat(200)}${'a'.repeat(200)}$`, '(a|a)*b', '(.*a){12}$'])(
    'answers at once, also where backtracking would never end: %s',
    async (matches) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({
        op: 'payment.create',
        match: { [place]: { matches } },
        outcome: 'decline-generic',
      });
      const body = paymentBody({ cardId, transaction: { custom: `${'a'.repeat(120)}!` } });
      expect((await see(shop, 'payment.create', { body })).status).toBe(201);
    },
  );

  it.each([
    ['(?=a)b', 'a lookahead, a lookbehind, a backreference or more than 1000 repetitions'],
    ['(a)\\1', 'a lookahead, a lookbehind, a backreference or more than 1000 repetitions'],
    ['a{1,65535}', 'a lookahead, a lookbehind, a backreference or more than 1000 repetitions'],
    ['(', 'this is not a valid regular expression'],
    ['(?:.{0,60}){0,16}', 'is too large'],
    ['a'.repeat(2_000), 'At most 1000 are allowed'],
  ])(
    'is refused when it is armed, in code, over HTTP and in a scenario: %s',
    async (matches, words) => {
      const { merchant } = transport.shop();
      const rule = {
        op: 'payment.create',
        match: { [place]: { matches } },
        outcome: 'decline-generic',
      } as const;
      expect(() => merchant.force(rule)).toThrow(words);
      const { body } = await control(
        transport,
        `POST /_sandbox/rules?merchant=${merchant.id}`,
        rule,
      );
      expect(body).toMatchObject({
        error: 'invalid-rule',
        message: expect.stringContaining(words),
      });
      const { outcome: then, ...rest } = rule;
      const scenario = {
        scenario: 'slow',
        version: 1,
        about: 'Slow.',
        rules: [{ ...rest, then }],
      } as const;
      expect(() => merchant.playScenario(scenario)).toThrow(words);
    },
  );

  it('is refused if an operation would be compared with too many of them', async () => {
    const { merchant } = transport.shop();
    const rule = {
      op: 'payment.create',
      match: { [place]: { matches: large } },
      outcome: 'decline-generic',
    } as const;
    const arm = () => {
      for (let armed = 0; armed <= maxOperationSteps; armed++) merchant.force(rule);
    };
    expect(arm).toThrow(
      /^force match: the regular expressions of all rules for payment\.create would have \d+ steps, and at most 20000 are allowed/,
    );
    const many = merchant.rules().length;
    expect(many).toBeGreaterThan(10);
    const { body } = await control(transport, `POST /_sandbox/rules?merchant=${merchant.id}`, rule);
    expect(body).toMatchObject({ error: 'invalid-rule' });
    merchant.force({
      ...rule,
      op: 'sale.refund',
      match: { 'header:x': { matches: large } },
      outcome: 'refund-already-done',
    });
    merchant.force({ ...rule, match: { [place]: 'exact' } });
    merchant.clearRules('rule-1');
    expect(merchant.force(rule)).toHaveLength(1);
    const { outcome: then, ...rest } = rule;
    const rules = Array.from({ length: many + 1 }, (_, at) => ({ ...rest, name: `r${at}`, then }));
    expect(() =>
      merchant.playScenario({ scenario: 'many', version: 1, about: 'Many.', rules }),
    ).toThrow('scenario rules: the regular expressions of all rules for payment.create');
  });
});

describe('a rule book with two thousand rules that have regular expressions', () => {
  /** Counts how often a rule reads the request. */
  function countReads(operation: 'card.create' | 'payment.create', rules: readonly RuleDocument[]) {
    let reads = 0;
    const loaded = loadScenario({ scenario: 'many', version: 1, about: 'Many.', rules });
    const stage = { startMs: 0, realStartMs: 0, cardIdOf: (id: string) => id };
    const clocks = { realNowMs: () => 0, nowMs: () => 0 };
    const none = { rules: [], named: 0, scenarioState: undefined };
    const book = new RuleBook(checkedCatalogue, 'seed', clocks, none);
    book.arm(buildRules(loaded, stage));
    const facts: Partial<Facts> = {
      operation,
      writes: true,
      nowMs: 0,
      header: () => {
        reads++;
        return undefined;
      },
    };
    // A condition on a header reads nothing else.
    book.decide(facts as Facts, 'before-read', {});
    return reads;
  }

  const then: OutcomeId = 'error-forever';
  const others = [
    'card.get',
    'card.list',
    'payment.list',
    'payment.get',
    'sale.get',
    'refund.get',
    'auth.get',
    'capture.get',
    'sale.refunds',
  ] as const;

  const rules = Array.from({ length: 2_000 }, (_, at): RuleDocument => ({
    name: `rule ${at}`,
    op: at < 200 ? 'card.create' : (others[at % others.length] ?? 'card.get'),
    match: { 'header:x-order': { matches: `^${at}$` } },
    then,
  }));

  it('asks only those that name the operation', () => {
    expect(countReads('payment.create', rules)).toBe(0);
    expect(countReads('card.create', rules)).toBe(200);
  });
});

onEveryTransport('a rule with very many or very long unknown names', (transport) => {
  it('is refused with a message of bounded length', async () => {
    const { merchant } = transport.shop();
    const long = 'decline-generi'.repeat(4_000);
    const lengthOf = (rule: object) => {
      try {
        // A program without types passes anything.
        merchant.force(rule as Parameters<typeof merchant.force>[0]);
      } catch (error) {
        return String(error).length;
      }
      throw new Error('The rule was accepted.');
    };
    const names = Array.from({ length: 3_000 }, (_, at) => `decline-generi${at}`);
    expect(lengthOf({ op: 'payment.create', sequence: names })).toBeLessThan(60_000);
    expect(lengthOf({ op: 'payment.create', outcome: long })).toBeLessThan(1_000);
    const { status, body } = await control(
      transport,
      `POST /_sandbox/rules?merchant=${merchant.id}`,
      { op: 'payment.create', sequence: names },
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: expect.stringContaining('... and 2900 more') });
  });
});
