/** Which known word a message suggests for an unknown one. A wrong suggestion is worse than none. */
import { describe, expect, it } from 'vitest';
import {
  didYouMean,
  nearest,
  nearestKey,
  nearestPath,
  unknownKey,
} from '../../../src/shared/did-you-mean.ts';
import { operationWords } from '../../../src/scenarios/rules/operation-words.ts';

const gateKeys = ['op', 'match', 'count', 'at', 'timeoutMs', 'release', 'optional', 'name'];
const options = [
  '--all',
  '--port',
  '--seed',
  '--tls',
  '--suppress',
  '--fail-on',
  '--max-merchants',
];
const commands = ['serve', 'run', 'verdict', 'check', 'outcomes', 'init', 'play'];

describe('the suggestion for a short word', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['nth', gateKeys, undefined],
    ['id', gateKeys, undefined],
    ['amount', gateKeys, undefined],
    ['--url', options, undefined],
    ['--out', options, undefined],
    ['--ssl', options, undefined],
    ['up', commands, undefined],
    ['wait', commands, undefined],
    ['all', operationWords, undefined],
    ['unpaid', ['paid', 'not-paid'], undefined],
    ['x', ['m1', 'm2'], undefined],
    ['', gateKeys, undefined],
    ['pay', ['any'], undefined],
  ])('%s is none among %j if it only shares some letters: %s', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });

  it.each<[string, readonly string[], string]>([
    ['oop', gateKeys, 'op'],
    ['cnt', gateKeys, 'count'],
    ['nam', gateKeys, 'name'],
    ['OP', gateKeys, 'op'],
    ['--al', options, '--all'],
    ['payed', ['paid', 'not-paid'], 'paid'],
    ['USA', ['EUR', 'USD'], 'USD'],
    ['relaese', gateKeys, 'release'],
    ['verdct', commands, 'verdict'],
  ])('%s is close to one of %j: %s', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });

  it.each<[string, readonly string[], string]>([
    ['po', gateKeys, 'op'],
    ['ta', gateKeys, 'at'],
    ['nmae', gateKeys, 'name'],
    ['--tsl', options, '--tls'],
    ['rnu', commands, 'run'],
    ['cehck', commands, 'check'],
  ])('%s is the one of %j with two letters swapped: %s', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });
});

describe('the suggestion for a part of a word', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['pay', operationWords, 'payment.create'],
    ['payment', operationWords, 'payment.*'],
    ['refund', operationWords, 'sale.refund'],
    ['create', operationWords, 'payment.create'],
    ['capture', operationWords, 'auth.capture'],
    ['void', operationWords, 'auth.void'],
    ['timeout', gateKeys, 'timeoutMs'],
    ['opti', gateKeys, 'optional'],
    ['--fail', options, '--fail-on'],
    ['--max', options, '--max-merchants'],
    ['do-not-honor', ['decline-generic', 'decline-do-not-honor'], 'decline-do-not-honor'],
    ['insufficient', ['a-long-insufficient-one', 'an-insufficient'], 'an-insufficient'],
    ['generic', ['decline-generic', 'generic-decline'], 'generic-decline'],
    ['ma', options, undefined],
    ['ort', options, '--port'],
    ['eed', ['needed', 'a-feed'], undefined],
    [
      'insuficient-funds',
      ['decline-generic', 'decline-insufficient-funds'],
      'decline-insufficient-funds',
    ],
    ['declned', ['sale-held', 'declined-inside-201'], 'declined-inside-201'],
    ['slowly', ['a-lonely'], undefined],
  ])('%s, among %j, is %s', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });
});

it('a suggestion keeps the spelling of the known word', () => {
  expect(didYouMean('TIMEOUTMS', gateKeys)).toBe(' Did you mean "timeoutMs"?');
  expect(didYouMean('nth', gateKeys)).toBe('');
});

it('a very long word and very long known words have no suggestion', () => {
  expect(nearest('a'.repeat(257), ['a'])).toBeUndefined();
  expect(nearest('count', ['c'.repeat(257), 'count'])).toBe('count');
  expect(nearest('c'.repeat(200), ['c'.repeat(257)])).toBeUndefined();
});

describe('the suggestion for a key', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['op', ['operation', 'status'], 'operation'],
    ['count', ['times', 'timeoutMs'], 'times'],
    ['gates', ['states', 'hold'], 'hold'],
    ['gates', ['states'], 'states'],
  ])('%s, among %j, is the name that it has there: %s', (key, known, expected) => {
    expect(nearestKey(key, known)).toBe(expected);
  });
});

it('an area without a path in it has no nearest path', () => {
  const served = [{ path: '/_sandbox/hold' }];
  expect(nearestPath('/_sandbox', served)).toBeUndefined();
  expect(nearestPath('/_sandbox/', served)).toBeUndefined();
  expect(nearestPath('/_sandbox/hld', served)).toBe(served[0]);
});

it.each([
  ['/_sandbox/clock/advance', '/_sandbox/clock'],
  ['/_sandbox/rule/r1', '/_sandbox/rules/{id}'],
  ['/_sandbox/clok', '/_sandbox/clock'],
])('the path nearest to %s is %s', (asked, near) => {
  const served = ['/_sandbox/rules/{id}', '/_sandbox/clock', '/_sandbox/journal/{debugId}'];
  expect(
    nearestPath(
      asked,
      served.map((path) => ({ path })),
    )?.path,
  ).toBe(near);
});

it('says where the merchant of a rule is named', () => {
  expect(unknownKey('merchant', ['op', 'match'])).toContain('as in ?merchant=my-shop');
});
