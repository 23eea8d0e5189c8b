import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { testNow } from '../../support/transports.ts';
import { checkFiles, loadScenario, loadScenarios } from '../../../src/scenarios/load.ts';
import { ScenarioError } from '../../../src/scenarios/scenario-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

function whatIsThrown(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
  return '';
}

/** What is said about a file, with the folder of these tests taken out. */
function saidOf(text: string, name = 'mine.yaml'): string {
  writeFileSync(join(folder, name), text);
  return whatIsThrown(() => loadScenario(join(folder, name)));
}

const head = 'scenario: mine\nversion: 1\nabout: A test.\n';

/** What is said about a scenario with this one rule, which begins in column 5 of line 5. */
function saidOfRule(rule: string): string {
  return saidOf(`${head}rules:\n  - ${rule}\n`);
}

describe('a mistake in the form', () => {
  it.each([
    ['is of another version', 'version: 2', 'version: must be 1.'],
    ['says its version as a text', "version: '1'", 'version: must be 1, without quotes.'],
    ['says no version', '', 'version: this key is missing. It must be 1.'],
  ])('names a scenario that %s', (_what, version, said) => {
    expect(saidOf(`scenario: mine\nabout: A test.\n${version}\n`)).toContain(said);
  });

  it('names file, line, column and path, what is known, and the nearest key', () => {
    expect(saidOf(`${head}rulles: []\n`)).toBe(
      'mine.yaml:4:1 rulles: this key is not known here. Known: $schema, scenario, version, about, seed, clock, fixtures, given, states, timeline, rules, events, expect. Did you mean "rules"?',
    );
  });

  it('is named with all others of the file', () => {
    const text = `
scenario: My Shop
version: 2
clock: { mode: vitrual, start: yesterday }
given:
  cards:
    - { ref: soft, number: 4111111111111111, type: vsa, expire: 2031-13 }
timeline:
  - { at: -5s, goto: Down }
  - { at: soon, evnt: x }
rules:
  - { op: payment.crate, then: ok, per: everyone, nth: 0, probability: 30 }
  - { op: [card.get, card.gett], then: { outcom: ok } }
  - { op: payment.create }
  - { op: payment.create, then: { oneOf: [ok] }, ttl: soon }
  - { op: payment.create, then: [], match: { $attempt: { gtt: 1 } } }
  - { op: payment.create, then: { outcome: ok, and: [ok] }, params: { x: [] } }
expect:
  sales: { perIntnt: 1, total: many }
  ledger: blanced
`;
    expect(saidOf(text).split('\n')).toMatchInlineSnapshot(`
      [
        "mine.yaml:2:1 scenario: A name is written in lower-case letters, digits and dashes. The name of this scenario.",
        "mine.yaml:3:1 version: must be 1.",
        "mine.yaml:2:1 about: this key is missing. What it is for, in a sentence.",
        "mine.yaml:4:10 clock.mode: must be one of real, virtual. Did you mean "virtual"?",
        "mine.yaml:4:25 clock.start: This is no time that can be read here. When the scenario begins. An RFC 3339 time in quotes, like 2026-05-06T07:08:09Z.",
        "mine.yaml:7:20 given.cards[0].number: must be text in quotes. The full number, 12 to 19 digits in quotes. Published test numbers only.",
        "mine.yaml:7:46 given.cards[0].type: must be one of visa, mastercard, amex, discover, maestro. Did you mean "visa"?",
        "mine.yaml:7:57 given.cards[0].expire: This is no month. The month of expiry in quotes, like 2031-05.",
        "mine.yaml:9:7 timeline[0].at: This is no time that can be read here. When. A span from the scenario's start, like +5s or +P20D, or an RFC 3339 time, like 2026-05-06T07:08:09Z.",
        "mine.yaml:9:16 timeline[0].goto: A state is written in lower-case letters and dashes. The state that the scenario goes to.",
        "mine.yaml:10:7 timeline[1].at: This is no time that can be read here. When. A span from the scenario's start, like +5s or +P20D, or an RFC 3339 time, like 2026-05-06T07:08:09Z.",
        "mine.yaml:10:5 timeline[1].event: this key is missing. What befalls a sale or a card then: an outcome that comes later.",
        "mine.yaml:10:17 timeline[1].evnt: this key is not known here. Known: at, event, sale, card, with, optional. Did you mean "event"?",
        "mine.yaml:12:7 rules[0].op: must be one of token.create, card.create, card.list, card.get, card.update, card.delete, payment.create, payment.list, payment.get, payment.update, sale.get, sale.refund, sale.refunds, refund.get, auth.get, auth.capture, auth.void, auth.reauthorize, capture.get, capture.refund, token.*, card.*, payment.*, sale.*, refund.*, auth.*, capture.*, any-write, any, *. Did you mean "payment.create"?",
        "mine.yaml:12:36 rules[0].per: must be one of intent, card, sale, merchant.",
        "mine.yaml:12:51 rules[0].nth: Must be 1 or more. Only this attempt, counted from 1.",
        "mine.yaml:12:59 rules[0].probability: Must lie between 0 and 1. How likely it fires, from 0 to 1. Drawn from the seed.",
        "mine.yaml:13:22 rules[1].op[1]: must be one of token.create, card.create, card.list, card.get, card.update, card.delete, payment.create, payment.list, payment.get, payment.update, sale.get, sale.refund, sale.refunds, refund.get, auth.get, auth.capture, auth.void, auth.reauthorize, capture.get, capture.refund, token.*, card.*, payment.*, sale.*, refund.*, auth.*, capture.*, any-write, any, *. Did you mean "card.get"?",
        "mine.yaml:13:34 rules[1].then.outcome: this key is missing. An outcome of the catalogue, or ok for natural behaviour.",
        "mine.yaml:13:42 rules[1].then.outcom: this key is not known here. Known: outcome, with, and. Did you mean "outcome"?",
        "mine.yaml:14:5 rules[2]: Say what happens: then, always, or both.",
        "mine.yaml:15:35 rules[3].then.oneOf: Two outcomes at least, to draw from. One of these is drawn each time.",
        "mine.yaml:15:50 rules[3].ttl: This is no span of time. Machine time after which the rule is gone. Like 800ms, 30s, 5m or PT1H; a number is milliseconds.",
        "mine.yaml:16:58 rules[4].match.$attempt.gtt: this key is not known here. Known: eq, ne, gt, gte, lt, lte, in, matches, exists. Did you mean "gt"?",
        "mine.yaml:16:27 rules[4].then: One step at least. What happens: one step, or a list with one step an attempt; the last repeats.",
        "mine.yaml:17:48 rules[5].then.and: this value matches none of the allowed forms. An outcome, or { outcome, with }.",
        "mine.yaml:17:71 rules[5].params.x: this value matches none of the allowed forms. A text or a number.",
        "mine.yaml:19:25 expect.sales.total: must be a number, or a bound like "<=2". How many: a number, or a bound in quotes like "<=2".",
        "mine.yaml:19:12 expect.sales.perIntnt: this key is not known here. Known: total, perIntent, byCard, states, onCard, onDeletedCard. Did you mean "perIntent"?",
        "mine.yaml:20:3 expect.ledger: must be "balanced". Did you mean "balanced"?",
        "mine.yaml:9:16 timeline[0].goto: no state is called "Down". This scenario has no states; list them under states, the first one first.",
      ]
    `);
  });

  it('is named with those of sense', () => {
    expect(
      saidOf('scenario: mine\nrules: [{ op: card.get, then: nothing-there }]').split('\n'),
    ).toHaveLength(3);
  });

  it('never repeats a card number, wherever it was put', () => {
    const said = saidOfRule("{ op: payment.create, then: '4111111111111111' }");
    expect(said).toContain('[redacted]');
    expect(said).not.toContain('4111');
  });

  it('in JSON has its place too', () => {
    expect(
      saidOf('{\n\t"scenario": "mine",\n\t"version": 1,\n\t"about": 1\n}\n', 'mine.json'),
    ).toBe('mine.json:4:2 about: must be text in quotes. What it is for, in a sentence.');
  });

  it('in a document in code is named by its path', () => {
    expect(
      whatIsThrown(() =>
        loadScenario({
          scenario: 'mine',
          version: 1,
          about: 'A test.',
          rules: [{ op: 'payment.create', then: 'reset-after-comit' }],
        }),
      ),
    ).toContain(
      'scenario rules[0].then: no outcome is called "reset-after-comit". Did you mean "reset-after-commit"?',
    );
  });
});

describe('an outcome', () => {
  it('that is not there is named with the nearest, and with those of the operation', () => {
    expect(saidOfRule('{ op: sale.refund, then: [ok, { outcome: refund-faild-later }] }')).toMatch(
      /^mine\.yaml:5:37 rules\[0\]\.then\[1\]\.outcome: no outcome is called "refund-faild-later"\. Did you mean "refund-failed-later"\? On sale\.refund there can be: refund-failed-later, (?:[a-z0-9-]+, ){6}[a-z0-9-]+ and \d+ more, which scenarios\/schema\.json lists\.$/,
    );
  });

  it.each([
    '{ oneOf: [ok, nothing-there] }',
    '{ outcome: ok, and: nothing-there }',
    '[nothing-there]',
  ])('that is not there is found within %s', (then) => {
    expect(saidOfRule(`{ op: payment.create, then: ${then} }`)).toContain(
      'no outcome is called "nothing-there".',
    );
  });

  it('in capitals is told how it is written', () => {
    expect(saidOfRule('{ op: payment.create, then: DECLINE-GENERIC }')).toContain(
      'no outcome is called "DECLINE-GENERIC". Did you mean "decline-generic"?',
    );
  });

  it('that cannot happen on the operation says where it can', () => {
    expect(saidOfRule('{ op: card.get, then: decline-generic }')).toMatch(
      /^mine\.yaml:5:21 rules\[0\]\.then: "decline-generic" cannot happen on card\.get\. It can on: payment\.create\. On card\.get there can be: /,
    );
    expect(saidOfRule('{ op: [payment.create, card.get], then: decline-generic }')).toContain(
      'cannot happen on card.get',
    );
    expect(saidOfRule('{ op: card.*, always: [decline-generic] }')).toContain(
      'rules[0].always[0]: "decline-generic" cannot happen on card.*.',
    );
  });

  it('that cannot happen together with the others of its rule needs a rule of its own', () => {
    expect(saidOfRule('{ op: any, then: [token-short-lived, decline-generic] }')).toBe(
      'mine.yaml:5:7 rules[0].op: no operation of any can have all outcomes of this rule. Write a rule for each.',
    );
  });

  it.each(['&s { outcome: reset-after-commit, and: *s }', '&s { oneOf: [*s] }'])(
    'that stands within itself has no end: %s',
    (then) => {
      expect(saidOfRule(`{ op: payment.create, then: ${then} }`)).toMatch(
        /^mine\.yaml:5:\d+ rules\[0\]\.then\.(and|oneOf\[0\]): this stands within itself, so it has no end\./,
      );
    },
  );

  it('that comes by itself cannot be asked for', () => {
    expect(saidOfRule('{ op: card.delete, then: card-delete-twice }')).toBe(
      'mine.yaml:5:24 rules[0].then: "card-delete-twice" comes by itself when the state is so, and cannot be asked for. Send the request that leads to it.',
    );
  });

  it('stands beside one of the other kind only', () => {
    expect(
      saidOfRule(
        '{ op: payment.create, then: { outcome: reset-after-commit, and: hang-after-commit } }',
      ),
    ).toContain(
      '5:64 rules[0].then.and: "hang-after-commit" and "reset-after-commit" cannot both happen to one request',
    );
  });

  it('that is natural behaviour is added to nothing and takes nothing', () => {
    expect(saidOfRule('{ op: any, always: [ok] }')).toContain('cannot be added to anything');
    expect(saidOfRule('{ op: any, then: { outcome: ok, with: { delay: 1s } } }')).toContain(
      'rules[0].then.with: "ok" is natural behaviour and takes no parameters.',
    );
  });
});

describe('a parameter', () => {
  it.each([
    [
      'slow-first-byte',
      'dely: 1s',
      'with.dely: "slow-first-byte" has no parameter "dely". It takes: delay. Did you mean "delay"?',
    ],
    [
      'reset-after-commit',
      'x: 1',
      'with.x: "reset-after-commit" has no parameter "x". It takes none.',
    ],
    [
      'slow-first-byte',
      'delay: fast',
      'with.delay: must be a span of time of 24 days at most, like 800ms, 3s or PT1H, or a number of milliseconds. Wait before the first byte; 1500ms unless told.',
    ],
    ['slow-dribble', 'chunkBytes: 1.5', 'with.chunkBytes: must be a whole number, 0 or more. '],
    [
      'rate-limited-seconds',
      'retryAfter: 2s',
      'with.retryAfter: must be a whole number, 0 or more. ',
    ],
    ['new-error-name', 'name: 7', 'with.name: must be text in quotes. '],
    [
      'error-500-after-commit',
      'body: htm',
      'with.body: must be one of error, html. Did you mean "html"?',
    ],
  ])('of %s that reads %s is explained', (outcome, written, words) => {
    const said = saidOfRule(
      `{ op: payment.create, then: { outcome: ${outcome}, with: { ${written} } } }`,
    );
    expect(said).toMatch(/^mine\.yaml:5:\d+ rules\[0\]\.then\./);
    expect(said).toContain(words);
  });

  it('of the whole rule must belong to one of its outcomes', () => {
    expect(
      saidOfRule('{ op: payment.create, params: { delai: 1s }, then: [slow-first-byte, ok] }'),
    ).toBe(
      'mine.yaml:5:37 rules[0].params.delai: no outcome of this rule has a parameter "delai". They take: delay. Did you mean "delay"?',
    );
    expect(
      saidOfRule('{ op: payment.create, params: { delay: x }, then: [slow-first-byte, ok] }'),
    ).toContain('rules[0].params.delay: must be a span of time');
  });
});

describe('a condition', () => {
  it.each([
    [
      'payment.create',
      '$crad: x',
      'no value is called "$crad". Known: $card, $intent, $cardAge, $deletedAge, $transaction, $saleDisputed, $attempt. Did you mean "$card"?',
    ],
    [
      'payment.create',
      "'transactions[0].amount.totl': '1.00'",
      'rules[0].match.transactions[0].amount.totl: the body of payment.create has no "totl" there; it has: total, currency, details. Did you mean "total"?',
    ],
    ['card.create', "billing_address.citi: 'X'", 'has no "citi" there'],
    [
      'card.get',
      'number: 1',
      'card.get has no body. Match by header:<name>, path:<name>, or $card',
    ],
    [
      'card.get',
      "'path:cart_id': CARD-1",
      'the path of card.get holds no "cart_id"; it has: card_id. Did you mean "card_id"?',
    ],
    ...['constructor', '__proto__'].map((key): [string, string, string] => [
      'payment.create',
      `${key}: x`,
      `the body of payment.create has no "${key}" there; it has: `,
    ]),
    ['payment.create', "'path:id': x", 'it has none.'],
    ['payment.create', "'header:': x", 'names no header.'],
    ['payment.create', "intent: { matches: '(' }", 'match.intent.matches: this is no regular'],
    ...['^(a+)+$', '(a|a)*$', '(.*)*x', '(?:a?){20}b', '(?:(a|b)?c)+', '(?<n>a{1,9}){9}'].map(
      (pattern): [string, string, string] => [
        'payment.create',
        `intent: { matches: '${pattern}' }`,
        'match.intent.matches: a group that is repeated holds a repetition or an alternative',
      ],
    ),
    ['payment.create', '$cardAge: { lt: soon }', 'match.$cardAge.lt: must be a span of time'],
    ['payment.create', 'intent: { gt: many }', 'match.intent.gt: must be a number, or a span'],
  ])('on %s that reads %s is explained', (op, match, words) => {
    const said = saidOfRule(`{ op: ${op}, match: { ${match} }, then: ok }`);
    expect(said).toMatch(/^mine\.yaml:5:\d+ rules\[0\]\.match\./);
    expect(said).toContain(words);
  });

  it.each([
    ['payment.create', "'transactions[0].item_list.items[2].name': x"],
    ['payment.create', "'header:PayPal-Request-Id': { exists: true }"],
    ['any-write', "'transactions[0].amount.total': { gte: '5.00' }"],
    ['card.get', "'path:card_id': CARD-ABCDEFGHIJKLMNOPQRSTUVWX"],
    ['token.create', 'grant_type: client_credentials'],
    ['sale.refund', '$saleDisputed: true, $transaction: { exists: true }'],
  ])('on %s that reads %s is right', (op, match) => {
    expect(saidOfRule(`{ op: ${op}, match: { ${match} }, then: ok }`)).toBe('');
  });

  it('on the body cannot choose what happens before the body is read', () => {
    expect(saidOfRule('{ op: payment.create, match: { intent: sale }, then: token-expired }')).toBe(
      'mine.yaml:5:36 rules[0].match.intent: "token-expired" happens before the body is read, so the body cannot choose it. Match by a header, or leave it out.',
    );
  });
});

describe('a name', () => {
  const card = '{ ref: soft, number: "4111111111111111", type: visa, expire: "2031-05" }';

  it('of a card must be given', () => {
    const rules = `rules:
  - { op: payment.create, match: { $card: sotf }, then: ok }
  - { op: payment.create, match: { $card: { in: [soft, hard] } }, then: ok }
expect: { sales: { byCard: { sfot: 1 } } }
`;
    expect(saidOf(`${head}given: { cards: [${card}] }\n${rules}`).split('\n')).toEqual([
      'mine.yaml:6:36 rules[0].match.$card: no given card has the ref "sotf". Given: soft. Did you mean "soft"?',
      'mine.yaml:7:56 rules[1].match.$card.in[1]: no given card has the ref "hard". Given: soft.',
      'mine.yaml:8:30 expect.sales.byCard.sfot: no given card has the ref "sfot". Given: soft. Did you mean "soft"?',
    ]);
    expect(saidOfRule('{ op: payment.create, match: { $card: soft }, then: ok }')).toContain(
      'Give the card under given.cards, or write the id of a card in the fixtures.',
    );
  });

  it('of a state must be listed', () => {
    const text = `${head}states: [up, down, up]
timeline: [{ at: +5s, goto: donw }]
rules: [{ op: any, while: upp, then: ok }]
`;
    expect(saidOf(text).split('\n')).toEqual([
      'mine.yaml:4:20 states[2]: the state "up" is there already.',
      'mine.yaml:6:20 rules[0].while: no state is called "upp". States: up, down, up. Did you mean "up"?',
      'mine.yaml:5:23 timeline[0].goto: no state is called "donw". States: up, down, up. Did you mean "down"?',
    ]);
    expect(saidOfRule('{ op: any, while: up, then: ok }')).toContain(
      'This scenario has no states; list them under states, the first one first.',
    );
  });

  it.each(['one\\ntwo', '\\e[31mred', 'rung\\a', 'one\\u2028two'])(
    'of a rule is one line that can be printed: %s',
    (name) => {
      expect(saidOfRule(`{ name: "${name}", op: any, then: ok }`)).toMatch(
        /^mine\.yaml:5:7 rules\[0\]\.name: A name is one line, without control characters\. /,
      );
    },
  );

  it('belongs to one card and one rule', () => {
    const text = `${head}given: { cards: [${card}, ${card}] }
rules:
  - { name: a, op: any, then: ok }
  - { name: a, op: any, then: ok }
`;
    expect(saidOf(text).split('\n')).toEqual([
      'mine.yaml:4:94 given.cards[1].ref: "soft" is taken already. Each needs its own.',
      'mine.yaml:7:7 rules[1].name: "a" is taken already. Each needs its own.',
    ]);
  });

  it('of an event must be of something that comes later', () => {
    const text = `${head}timeline:
  - { at: +P1D, event: sale-revrsed-later }
  - { at: +P1D, event: sale-reversed-later, card: soft, with: { afer: P1D } }
`;
    expect(saidOf(text).split('\n')).toEqual([
      'mine.yaml:5:17 timeline[0].event: nothing that comes later is called "sale-revrsed-later". Known: card-auto-updated, card-auto-replaced, card-closed-by-issuer, sale-reversed-later, chargeback-opened-won-lost. Did you mean "sale-reversed-later"?',
      'mine.yaml:6:45 timeline[1].card: no given card has the ref "soft". Give the card under given.cards, or write the id of a card in the fixtures.',
      'mine.yaml:6:65 timeline[1].with.afer: "sale-reversed-later" has no parameter "afer". It takes: after. Did you mean "after"?',
    ]);
  });

  it('of fixtures or of an operation must be known', () => {
    expect(saidOf(`${head}fixtures: shp\n`)).toBe(
      'mine.yaml:4:1 fixtures: no set of fixtures that ships is called "shp". Known: default, empty, shop. Did you mean "shop"? Write ./shp for a file or folder.',
    );
    expect(saidOf(`${head}fixtures: ./shp\n`)).toBe('');
    expect(
      saidOf(`${head}expect: { requests: { token.crate: 1 }, sameRequestId: [pay] }\n`),
    ).toMatch(
      /^mine\.yaml:4:23 expect\.requests\.token\.crate: no operation is called "token\.crate"\. Known: token\.create, .* Did you mean "token\.create"\?\nmine\.yaml:4:57 expect\.sameRequestId\[0\]: no operation/,
    );
  });
});

it('one attempt is picked, or attempts are counted off, not both', () => {
  expect(saidOfRule('{ op: any, nth: 2, then: [ok, slow-first-byte] }')).toBe(
    'mine.yaml:5:16 rules[0].nth: picks one attempt, while then lists a step for each. Leave nth out and write ok for the attempts that go well, or write one step.',
  );
});

describe('a scenario', () => {
  it('must be there, or be one that ships', () => {
    expect(whatIsThrown(() => loadScenario('lost-crad'))).toMatch(
      /^No scenario "lost-crad": neither one that ships \(black-friday, .*\) nor a file\. A path is taken from the folder the sandbox is started in\.$/,
    );
    expect(whatIsThrown(() => loadScenario('lost-anwser'))).toContain(
      'Did you mean "lost-answer"?',
    );
  });

  it('is one file', () => {
    expect(whatIsThrown(() => loadScenario(folder))).toContain('this is a folder. Name one of');
    expect(saidOf('', 'mine.txt')).toBe(
      'mine.txt: a scenario file must end in .json, .yaml, .yml.',
    );
  });

  it('that is no YAML is named with line and column', () => {
    expect(saidOf(`${head}rules:\n  - op: any\n   then: ok\n`)).toMatch(/^mine\.yaml:6:\d+: .+/);
  });
});

describe('several files', () => {
  const shop = join(folder, 'shop');
  mkdirSync(shop);
  writeFileSync(join(shop, 'a.yaml'), head);
  writeFileSync(join(shop, 'b.json'), '{ "scenario": "other", "version": 1, "about": "x" }');
  writeFileSync(join(shop, 'schema.json'), '{}');

  it('are checked one by one', () => {
    const broken = join(folder, 'broken.yaml');
    const gone = join(folder, 'gone.yaml');
    writeFileSync(broken, `${head}rulles: []\n`);
    expect(checkFiles([shop, broken, gone])).toEqual([
      { file: join(shop, 'a.yaml'), mistakes: [] },
      { file: join(shop, 'b.json'), mistakes: [] },
      { file: broken, mistakes: [expect.stringContaining('broken.yaml:4:1 rulles: this key')] },
      { file: gone, mistakes: [`${gone}: there is no such file or folder.`] },
    ]);
  });

  it('that are none are a mistake of their folder', () => {
    const none = join(folder, 'none');
    mkdirSync(none);
    expect(checkFiles([none])).toEqual([
      { file: none, mistakes: [expect.stringContaining('holds no scenario file')] },
    ]);
  });

  it('of a folder are those that were meant to be seen, however their names end', () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed);
    writeFileSync(join(mixed, 'LOUD.YML'), head);
    writeFileSync(join(mixed, '._LOUD.YML'), 'no scenario');
    symlinkSync('someone@host.1', join(mixed, '.#LOUD.YML'));
    expect(checkFiles([mixed])).toEqual([{ file: join(mixed, 'LOUD.YML'), mistakes: [] }]);
  });

  it('of a folder each have a name of their own', () => {
    expect(loadScenarios(shop).map(({ name }) => name)).toEqual(['mine', 'other']);
    const twice = join(folder, 'twice');
    mkdirSync(twice);
    for (const file of ['a.yaml', 'b.yaml']) writeFileSync(join(twice, file), head);
    expect(whatIsThrown(() => loadScenarios(twice))).toBe(
      'twice/b.yaml:1:1 scenario: "mine" is taken already, at twice/a.yaml:1:1 scenario. Each needs its own.',
    );
  });
});

describe('a condition on a body', () => {
  it('is told of the fields of every operation that the rule is about', () => {
    const said = saidOfRule('{ op: any-write, match: { intnet: sale }, then: slow-dribble }');
    expect(said).toContain('it has: number, ');
    expect(said).toMatch(/ and \d+ more\. Did you mean "intent"\?/);
  });

  it('is told to name one of a list by its place', () => {
    const match = "{ 'transactions[*].amount.total': '5.00' }";
    expect(saidOfRule(`{ op: payment.create, match: ${match}, then: ok }`)).toContain(
      'the body of payment.create has no "*" there; it has a list: write which of it, counted from 0,',
    );
  });
});

describe('a key that is right elsewhere', () => {
  it.each([
    ['{ op: any, then: slow-first-byte, with: { delay: 20ms } }', 'with', 'params'],
    ['{ op: any, outcome: slow-first-byte }', 'outcome', 'then'],
    ['{ op: any, sequence: [ok, slow-first-byte] }', 'sequence', 'then'],
    ['{ operation: any, then: ok }', 'operation', 'op'],
    ['{ op: any, then: { outcome: slow-first-byte, params: { delay: 20ms } } }', 'params', 'with'],
  ])('is named by what it is called here: %s', (rule, key, word) => {
    const line = saidOfRule(rule)
      .split('\n')
      .find((one) => one.includes(`${key}: this key is not known here.`));
    expect(line).toContain(`Here it is called "${word}".`);
  });

  it('is named to whoever arms a rule too', () => {
    const { force } = createSandbox({ fixtures: 'empty' });
    const rule = { op: 'any', outcome: 'slow-first-byte', with: { delay: '20ms' } } as const;
    expect(() => force(rule)).toThrow('Here it is called "params".');
  });
});

describe('a card that is given', () => {
  const given = (...cards: readonly string[]) =>
    `${head}rules: []\ngiven:\n  cards:\n${cards.map((card) => `    - { ${card} }\n`).join('')}`;
  const card = (number: string, type: string) =>
    given(`ref: a, number: '${number}', type: ${type}, expire: '2031-05'`);

  it.each([
    [card('4111111111111112', 'visa'), 'mine.yaml:7:17 given.cards[0].number: this is no card'],
    [card('9111111111111111', 'visa'), 'last digit is not the one that the others ask for (Luhn)'],
    [card('9000000000000001', 'visa'), 'no brand issues numbers like this one'],
    [
      card('4111111111111111', 'amex'),
      'mine.yaml:7:45 given.cards[0].type: the number is not one of amex but of visa.',
    ],
  ])('is named where no card can be so: %#', (text, said) => {
    const all = saidOf(text);
    expect(all).toContain(said);
    expect(all).not.toMatch(/\d{12}/);
  });

  it('is named at its place where the vault refuses it at the start', () => {
    const past = "number: '4111111111111111', type: visa, expire: '2026-04'";
    const path = join(folder, 'past.yaml');
    writeFileSync(path, given(`ref: a, ${past}`, `ref: b, ${past}`));
    const clock = { start: testNow, frozen: true };
    expect(whatIsThrown(() => createSandbox({ scenario: path, clock }))).toBe(
      [
        `past.yaml:7:7 given.cards[0]: the given card "a" is refused at ${testNow}. expire: Invalid expiration (cannot be in the past)`,
        `past.yaml:8:7 given.cards[1]: the given card "b" is refused at ${testNow}. expire: Invalid expiration (cannot be in the past)`,
      ].join('\n'),
    );
  });
});
