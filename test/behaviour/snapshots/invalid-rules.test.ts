/** Rules in an export that cannot be executed are refused like those of a scenario. */
import { beforeAll, describe, expect, it } from 'vitest';
import { mistakesAfterChanges, valueIn, exportMerchant } from './changed-export.ts';

let text = '';

beforeAll(async () => {
  text = await exportMerchant();
});

const mistakesWith = (changes: Readonly<Record<string, unknown>>) =>
  mistakesAfterChanges(text, changes);

describe('an import reports', () => {
  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    [
      'a parameter that the outcome lacks',
      { 'ruleBook.rules.0.rule.steps.0.params': { settelAfter: 'P3D' } },
      /^export ruleBook\.rules\[0\]\.rule\.steps\[0\]\.params\.settelAfter: "sale-pending-then-completed" has no parameter "settelAfter"\. Did you mean "settleAfter"\? Known: settleAfter, .*\.$/,
    ],
    [
      'an invalid parameter',
      { 'ruleBook.rules.0.rule.steps.0.params': { settleAfter: 'soon' } },
      /^export ruleBook\.rules\[0\]\.rule\.steps\[0\]\.params\.settleAfter: must be a duration/,
    ],
    [
      'an invalid parameter of an additional outcome',
      {
        'ruleBook.rules.0.rule.steps.0.and': {
          outcome: 'hang-after-commit',
          params: { For: 'ever' },
        },
      },
      /^export ruleBook\.rules\[0\]\.rule\.steps\[0\]\.and\.params\.For: "hang-after-commit" has no parameter/,
    ],
    [
      'an invalid parameter of a random outcome',
      {
        'ruleBook.rules.0.rule.steps.0.oneOf': [
          { outcome: 'ok', params: {} },
          { outcome: 'decline-generic', params: { after: 'P1D' } },
        ],
      },
      /^export ruleBook\.rules\[0\]\.rule\.steps\[0\]\.oneOf\[1\]\.params\.after: "decline-generic" has no/,
    ],
    [
      'an invalid bound',
      { 'ruleBook.rules.0.rule.match': { $cardAge: { lt: 'young' } } },
      /^export ruleBook\.rules\[0\]\.rule\.match\.\$cardAge\.lt: must be a duration/,
    ],
    [
      'a rule name with two lines',
      { 'ruleBook.rules.0.rule.id': 'one\ntwo' },
      /^export ruleBook\.rules\[0\]\.rule\.id: A name must be one line without control characters\.$/,
    ],
    [
      'a rule without a step',
      { 'ruleBook.rules.0.rule.steps': [] },
      /^export ruleBook\.rules\[0\]\.rule\.steps: /,
    ],
    [
      'an invalid parameter of a future event',
      { 'timeline.0.params': { after: 'soon' } },
      /^export timeline\[0\]\.params\.after: must be a duration/,
    ],
  ])('%s', (_, changes, words) => {
    expect(mistakesWith(changes).join('\n')).toMatch(words);
  });

  it('two armed rules with one name, but not a scenario rule with the name of an armed one', () => {
    const rule = Object(valueIn(text, 'ruleBook.rules.0'));
    const scenarios = { ...rule, rule: { ...rule.rule, source: 'scenario' } };
    expect(mistakesWith({ 'ruleBook.rules': [rule, scenarios, rule] })).toEqual([
      'export ruleBook.rules[2].rule.id: another armed rule has the same name.',
    ]);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'request ids',
      {
        'requestIds.settled': ['once', 'once'].map((key) => ({ key, untilMs: 0, subject: 'C' })),
      },
      'requestIds.settled[1].key',
    ],
    [
      'given cards',
      {
        givenCards: [
          ['gold', 'C'],
          ['gold', 'D'],
        ],
      },
      'givenCards[1]',
    ],
    [
      'decks',
      {
        dealtCards: [
          ['visa', 1],
          ['visa', 2],
        ],
      },
      'dealtCards[1]',
    ],
    [
      'attempts',
      {
        'ruleBook.rules.0.attempts': [
          ['', 1],
          ['', 2],
        ],
      },
      'ruleBook.rules[0].attempts[1]',
    ],
  ])('a repeated key of two %s', (_, changes, place) => {
    expect(mistakesWith(changes)).toEqual([`export ${place}: another entry has the same key.`]);
  });

  it.each(['records.cards.lastSeq', 'records.payments.lastSeq', 'ruleBook.named'])(
    '%s at the end of the safe integers',
    (path) => {
      const mistakes = mistakesWith({ [path]: Number.MAX_SAFE_INTEGER });
      expect(mistakes).toHaveLength(1);
      expect(mistakes[0]).toBe(
        `export ${path}: must be at most 4503599627370496, so that counting can continue.`,
      );
    },
  );
});
