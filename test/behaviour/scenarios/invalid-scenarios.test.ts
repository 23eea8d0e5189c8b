import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { testNow } from '../../support/transports.ts';
import { checkFiles, loadScenario, loadScenarios } from '../../../src/scenarios/load.ts';
import { ScenarioError } from '../../../src/scenarios/scenario-error.ts';
import { asScenario } from '../../support/requests/unchecked-input.ts';

const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
  return '';
}

/** Returns the message about a file, without the folder of these tests. */
function messageFor(text: string, name = 'mine.yaml'): string {
  writeFileSync(join(folder, name), text);
  return messageOf(() => loadScenario(join(folder, name)));
}

const head = 'scenario: mine\nversion: 1\nabout: A test.\n';

/** Returns the message about a scenario with this one rule, which starts in column 5 of line 5. */
function messageForRule(rule: string): string {
  return messageFor(`${head}rules:\n  - ${rule}\n`);
}

describe('a scenario of the wrong form', () => {
  it('needs no sentence about its purpose', () => {
    expect(messageFor('scenario: mine\nversion: 1\n')).toBe('');
  });

  it.each([
    ['has another version', 'version: 2', 'version: must be 1.'],
    ['has its version as text', "version: '1'", 'version: must be 1, without quotes.'],
    ['has no version', '', 'version: this key is missing. It must be 1.'],
  ])('is reported if it %s', (_what, version, said) => {
    expect(messageFor(`scenario: mine\nabout: A test.\n${version}\n`)).toContain(said);
  });

  it('is reported with file, line, column, path, known keys and the nearest key', () => {
    expect(messageFor(`${head}rulles: []\n`)).toBe(
      'mine.yaml:4:1 rulles: this key is not known here. Known: $schema, scenario, version, about, seed, clock, fixtures, given, states, timeline, rules, hold, expect. Did you mean "rules"?',
    );
  });

  it('is reported with all other problems of the file', () => {
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
  - { op: payment.create, then: { oneOf: [ok] }, ttlMs: soon }
  - { op: payment.create, then: [], match: { $attempt: { gtt: 1 } } }
  - { op: payment.create, then: { outcome: ok, and: [ok] }, params: { x: [] } }
expect:
  sales: { perIntnt: 1, total: many }
  ledger: blanced
`;
    expect(messageFor(text).split('\n')).toMatchInlineSnapshot(`
      [
        "mine.yaml:2:1 scenario: A name must consist of lower-case letters, digits and dashes. Name of this scenario.",
        "mine.yaml:3:1 version: must be 1.",
        "mine.yaml:4:10 clock.mode: must be one of real, virtual. Did you mean "virtual"?",
        "mine.yaml:4:25 clock.start: Must be a valid time. When the scenario starts. RFC 3339 time in quotes, such as 2026-05-06T07:08:09Z.",
        "mine.yaml:7:20 given.cards[0].number: must be text in quotes. Full card number, 12 to 19 digits in quotes. Only published test numbers.",
        "mine.yaml:7:46 given.cards[0].type: must be one of visa, mastercard, amex, discover, maestro. Did you mean "visa"?",
        "mine.yaml:7:57 given.cards[0].expire: Must be a month. Month of expiry in quotes, such as 2031-05.",
        "mine.yaml:9:7 timeline[0].at: Must be a valid time. When the state changes. Duration from the scenario's start, such as +5s or +P20D, or RFC 3339 time, such as 2026-05-06T07:08:09Z.",
        "mine.yaml:9:16 timeline[0].goto: A state must consist of lower-case letters, digits and dashes. State that the scenario changes to.",
        "mine.yaml:9:16 timeline[0].goto: unknown state "Down". This scenario has no states. List them under states, the initial one first.",
        "mine.yaml:10:5 timeline[1].event: this key is missing. Event of a sale or a card, such as sale-reversed-later.",
        "mine.yaml:10:7 timeline[1].at: Must be a valid time. When the event happens. Duration from the scenario's start, such as +5s or +P20D, or RFC 3339 time, such as 2026-05-06T07:08:09Z.",
        "mine.yaml:10:17 timeline[1].evnt: this key is not known here. Known: at, event, sale, card, with, optional. Did you mean "event"?",
        "mine.yaml:12:7 rules[0].op: must be one of token.create, card.create, card.list, card.get, card.update, card.delete, payment.create, payment.list, payment.get, payment.update, payment.execute, sale.get, sale.refund, sale.refunds, refund.get, auth.get, auth.capture, auth.void, auth.reauthorize, capture.get, capture.refund, token.*, card.*, payment.*, sale.*, refund.*, auth.*, capture.*, any-write, any, *. Did you mean "payment.create"?",
        "mine.yaml:12:36 rules[0].per: must be one of intent, card, sale, merchant.",
        "mine.yaml:12:51 rules[0].nth: Must be 1 or more. Only this request fires the rule: 2 is the second request of the operation that fits match.",
        "mine.yaml:12:59 rules[0].probability: Must be between 0 and 1. Probability that the rule fires, from 0 to 1. The seed, the purchase and its attempt decide each draw.",
        "mine.yaml:13:22 rules[1].op[1]: must be one of token.create, card.create, card.list, card.get, card.update, card.delete, payment.create, payment.list, payment.get, payment.update, payment.execute, sale.get, sale.refund, sale.refunds, refund.get, auth.get, auth.capture, auth.void, auth.reauthorize, capture.get, capture.refund, token.*, card.*, payment.*, sale.*, refund.*, auth.*, capture.*, any-write, any, *. Did you mean "card.get"?",
        "mine.yaml:13:34 rules[1].then.outcome: this key is missing. Outcome of the catalogue, or ok for natural behaviour.",
        "mine.yaml:13:42 rules[1].then.outcom: this key is not known here. Known: outcome, with, and. Did you mean "outcome"?",
        "mine.yaml:14:5 rules[2]: Must say what happens, with then, always or both.",
        "mine.yaml:15:35 rules[3].then.oneOf: Must list at least two outcomes. Outcomes of which one is drawn for each request.",
        "mine.yaml:15:50 rules[3].ttlMs: must be a number. Milliseconds of real time after which the rule expires. Default: never.",
        "mine.yaml:16:27 rules[4].then: Must list at least one step. What happens: one step, or a list with one step for each request. The last step repeats.",
        "mine.yaml:16:58 rules[4].match.$attempt.gtt: this key is not known here. Known: eq, ne, gt, gte, lt, lte, in, matches, exists. Did you mean "gt"?",
        "mine.yaml:17:48 rules[5].then.and: this value matches none of the allowed forms. Outcome, or { outcome, with }.",
        "mine.yaml:17:71 rules[5].params.x: this value matches none of the allowed forms. Text or a number.",
        "mine.yaml:19:12 expect.sales.perIntnt: this key is not known here. Known: total, perIntent, byCard, states, onCard, onDeletedCard. Did you mean "perIntent"?",
        "mine.yaml:19:25 expect.sales.total: must be a number, or a bound such as "<=2". Number, or a bound in quotes such as "<=2".",
        "mine.yaml:20:3 expect.ledger: must be "balanced". Did you mean "balanced"?",
      ]
    `);
  });

  it('is reported together with problems of its content', () => {
    expect(
      messageFor('scenario: mine\nrules: [{ op: card.get, then: nothing-there }]').split('\n'),
    ).toHaveLength(2);
  });

  it('is reported without card numbers', () => {
    const message = messageForRule("{ op: payment.create, then: '4111111111111111' }");
    expect(message).toContain('[redacted]');
    expect(message).not.toContain('4111');
  });

  it('is reported with its place in JSON', () => {
    expect(
      messageFor('{\n\t"scenario": "mine",\n\t"version": 1,\n\t"about": 1\n}\n', 'mine.json'),
    ).toBe(
      'mine.json:4:2 about: must be text in quotes. What the scenario is for, in one sentence.',
    );
  });

  it('is reported by path for a document in code', () => {
    expect(
      messageOf(() =>
        loadScenario(
          asScenario({
            scenario: 'mine',
            version: 1,
            about: 'A test.',
            rules: [{ op: 'payment.create', then: 'reset-after-comit' }],
          }),
        ),
      ),
    ).toContain(
      'scenario rules[0].then: Unknown outcome "reset-after-comit". Did you mean "reset-after-commit"?',
    );
  });
});

describe('an outcome of a rule', () => {
  it('is reported with the nearest id and the outcomes of the operation if it is unknown', () => {
    expect(
      messageForRule('{ op: sale.refund, then: [ok, { outcome: refund-faild-later }] }'),
    ).toMatch(
      /^mine\.yaml:5:37 rules\[0\]\.then\[1\]\.outcome: Unknown outcome "refund-faild-later"\. Did you mean "refund-failed-later"\? Possible on sale\.refund: refund-failed-later, (?:[a-z0-9-]+, ){6}[a-z0-9-]+ and \d+ more\. Run "card-vault-sandbox outcomes" for the list\.$/,
    );
  });

  it.each([
    '{ oneOf: [ok, nothing-there] }',
    '{ outcome: ok, and: nothing-there }',
    '[nothing-there]',
  ])('is reported if it is unknown inside %s', (then) => {
    expect(messageForRule(`{ op: payment.create, then: ${then} }`)).toContain(
      'Unknown outcome "nothing-there".',
    );
  });

  it('is reported with the lower-case id if it is in capitals', () => {
    expect(messageForRule('{ op: payment.create, then: DECLINE-GENERIC }')).toContain(
      'Unknown outcome "DECLINE-GENERIC". Did you mean "decline-generic"?',
    );
  });

  it('is reported with its operations if it cannot happen on the operation', () => {
    expect(messageForRule('{ op: card.get, then: decline-generic }')).toMatch(
      /^mine\.yaml:5:21 rules\[0\]\.then: "decline-generic" cannot happen on card\.get, only on: payment\.create\. Possible on card\.get: /,
    );
    expect(messageForRule('{ op: [payment.create, card.get], then: decline-generic }')).toContain(
      'cannot happen on card.get',
    );
    expect(messageForRule('{ op: card.*, always: [decline-generic] }')).toContain(
      'rules[0].always[0]: "decline-generic" cannot happen on card.*, only on: payment.create.',
    );
  });

  it('needs a rule of its own if no operation can have all outcomes', () => {
    expect(messageForRule('{ op: any, then: [token-short-lived, decline-generic] }')).toBe(
      'mine.yaml:5:7 rules[0].op: no operation of any can have all outcomes of this rule. Write one rule for each outcome.',
    );
  });

  it.each(['&s { outcome: reset-after-commit, and: *s }', '&s { oneOf: [*s] }'])(
    'must not contain itself: %s',
    (then) => {
      expect(messageForRule(`{ op: payment.create, then: ${then} }`)).toMatch(
        /^mine\.yaml:5:\d+ rules\[0\]\.then\.(and|oneOf\[0\]): this value contains itself\./,
      );
    },
  );

  it('cannot be forced if it results from real state', () => {
    expect(messageForRule('{ op: card.delete, then: card-delete-twice }')).toBe(
      'mine.yaml:5:24 rules[0].then: "card-delete-twice" results from real state and cannot be forced. Send a request that causes it.',
    );
  });

  it('can be combined only with one of the other kind', () => {
    expect(
      messageForRule(
        '{ op: payment.create, then: { outcome: reset-after-commit, and: hang-after-commit } }',
      ),
    ).toContain(
      '5:64 rules[0].then.and: "hang-after-commit" and "reset-after-commit" cannot both happen to one request',
    );
  });

  it('cannot be combined and has no parameters if it is natural behaviour', () => {
    expect(messageForRule('{ op: any, always: [ok] }')).toContain(
      'cannot be combined with an outcome',
    );
    expect(messageForRule('{ op: any, then: { outcome: ok, with: { delay: 1s } } }')).toContain(
      'rules[0].then.with: "ok" is natural behaviour and has no parameters.',
    );
  });
});

describe('a parameter', () => {
  it.each([
    [
      'slow-first-byte',
      'dely: 1s',
      'with.dely: "slow-first-byte" has no parameter "dely". Did you mean "delay"? Known: delay.',
    ],
    [
      'reset-after-commit',
      'x: 1',
      'with.x: "reset-after-commit" has no parameter "x". It has no parameters.',
    ],
    [
      'slow-first-byte',
      'delay: fast',
      'with.delay: must be a duration of at most 24 days, such as 800ms, 3s or PT1H, or a number of milliseconds. Wait before the first byte. Default: 1500ms.',
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
  ])('is reported for %s with the value %s', (outcome, written, words) => {
    const message = messageForRule(
      `{ op: payment.create, then: { outcome: ${outcome}, with: { ${written} } } }`,
    );
    expect(message).toMatch(/^mine\.yaml:5:\d+ rules\[0\]\.then\./);
    expect(message).toContain(words);
  });

  it('must belong to one of the outcomes of its rule', () => {
    expect(
      messageForRule('{ op: payment.create, params: { delai: 1s }, then: [slow-first-byte, ok] }'),
    ).toBe(
      'mine.yaml:5:37 rules[0].params.delai: no outcome of this rule has a parameter "delai". Did you mean "delay"? Known: delay.',
    );
    expect(
      messageForRule('{ op: payment.create, params: { delay: x }, then: [slow-first-byte, ok] }'),
    ).toContain('rules[0].params.delay: must be a duration');
  });
});

describe('a condition', () => {
  it.each([
    [
      'payment.create',
      '$crad: x',
      'unknown value "$crad". Did you mean "$card"? Known: $card, $intent, $cardAge, $deletedAge, $transaction, $saleDisputed, $attempt.',
    ],
    [
      'payment.create',
      "'transactions[0].amount.totl': '1.00'",
      'rules[0].match.transactions[0].amount.totl: the body of payment.create has no field "totl" there. Did you mean "total"? Known: total, currency, details.',
    ],
    ['card.create', "billing_address.citi: 'X'", 'has no field "citi" there'],
    ['card.get', 'number: 1', 'card.get has no body. Match by header:<name>, path:<name> or $card'],
    [
      'card.get',
      "'path:cart_id': CARD-1",
      'the path of card.get has no parameter "cart_id". Did you mean "card_id"? Known: card_id.',
    ],
    ...['constructor', '__proto__'].map((key): [string, string, string] => [
      'payment.create',
      `${key}: x`,
      `the body of payment.create has no field "${key}" there. Known: `,
    ]),
    ['payment.create', "'path:id': x", 'It has no parameters.'],
    ['payment.create', "'header:': x", 'must name a header'],
    [
      'payment.create',
      "intent: { matches: '(' }",
      'match.intent.matches: this is not a valid regular',
    ],
    ...['^(?=a)b', '(?<!a)b', '(a)\\1', 'a{1,65535}'].map((pattern): [string, string, string] => [
      'payment.create',
      `intent: { matches: '${pattern}' }`,
      'match.intent.matches: the regular expression uses a lookahead, a lookbehind, a backreference',
    ]),
    ['payment.create', '$cardAge: { lt: soon }', 'match.$cardAge.lt: must be a duration'],
    ['payment.create', 'intent: { gt: many }', 'match.intent.gt: must be a number or a duration'],
  ])('is reported on %s with the value %s', (op, match, words) => {
    const message = messageForRule(`{ op: ${op}, match: { ${match} }, then: ok }`);
    expect(message).toMatch(/^mine\.yaml:5:\d+ rules\[0\]\.match\./);
    expect(message).toContain(words);
  });

  it.each([
    ['payment.create', "'transactions[0].item_list.items[2].name': x"],
    ['payment.create', "'header:PayPal-Request-Id': { exists: true }"],
    ['any-write', "'transactions[0].amount.total': { gte: '5.00' }"],
    ['card.get', "'path:card_id': CARD-ABCDEFGHIJKLMNOPQRSTUVWX"],
    ['token.create', 'grant_type: client_credentials'],
    ['sale.refund', '$saleDisputed: true, $transaction: { exists: true }'],
  ])('is accepted on %s with the value %s', (op, match) => {
    expect(messageForRule(`{ op: ${op}, match: { ${match} }, then: ok }`)).toBe('');
  });

  it('is refused on the body for an outcome that applies before the body is read', () => {
    expect(
      messageForRule('{ op: payment.create, match: { intent: sale }, then: token-expired }'),
    ).toBe(
      'mine.yaml:5:36 rules[0].match.intent: "token-expired" applies before the body is read, so it cannot depend on the body. Match by a header, or remove this condition.',
    );
  });
});

describe('a name', () => {
  const card = '{ ref: soft, number: "4111111111111111", type: visa, expire: "2031-05" }';

  it('must belong to a given card where it names a card', () => {
    const rules = `rules:
  - { op: payment.create, match: { $card: sotf }, then: ok }
  - { op: payment.create, match: { $card: { in: [soft, hard] } }, then: ok }
expect: { sales: { byCard: { sfot: 1 } } }
`;
    expect(messageFor(`${head}given: { cards: [${card}] }\n${rules}`).split('\n')).toEqual([
      'mine.yaml:6:36 rules[0].match.$card: no given card has the ref "sotf". Did you mean "soft"? Known: soft.',
      'mine.yaml:7:56 rules[1].match.$card.in[1]: no given card has the ref "hard". Known: soft.',
      'mine.yaml:8:30 expect.sales.byCard.sfot: no given card has the ref "sfot". Did you mean "soft"? Known: soft.',
    ]);
    expect(messageForRule('{ op: payment.create, match: { $card: soft }, then: ok }')).toContain(
      'Add the card to given.cards, or use the id of a card in the fixtures.',
    );
  });

  it('must be listed where it names a state', () => {
    const text = `${head}states: [up, down, up]
timeline: [{ at: +5s, goto: donw }]
rules: [{ op: any, while: upp, then: ok }]
`;
    expect(messageFor(text).split('\n')).toEqual([
      'mine.yaml:4:20 states[2]: the state "up" is already listed.',
      'mine.yaml:5:23 timeline[0].goto: unknown state "donw". Did you mean "down"? Known: up, down.',
      'mine.yaml:6:20 rules[0].while: unknown state "upp". Did you mean "up"? Known: up, down.',
    ]);
    expect(messageForRule('{ op: any, while: up, then: ok }')).toContain(
      'This scenario has no states. List them under states, the initial one first.',
    );
  });

  it.each(['one\\ntwo', '\\e[31mred', 'rung\\a', 'one\\u2028two'])(
    'must be one printable line where it names a rule: %s',
    (name) => {
      expect(messageForRule(`{ name: "${name}", op: any, then: ok }`)).toMatch(
        /^mine\.yaml:5:7 rules\[0\]\.name: A name must be one line without control characters\. /,
      );
    },
  );

  it.each([
    ['rule', `rules:\n  - { name: ${'n'.repeat(129)}, op: any, then: ok }`, 'rules[0].name'],
    ['gate', `hold: { name: ${'n'.repeat(129)}, op: any, count: 1 }`, 'hold.name'],
    ['state', `states: [up, ${'n'.repeat(129)}]`, 'states[1]'],
  ])('must have 128 characters at most where it names a %s', (_, text, place) => {
    expect(messageFor(`${head}${text}\n`)).toContain(
      `${place}: A name must have 128 characters at most.`,
    );
    const shorter = text.replace('nn', 'n');
    expect(messageFor(`${head}${shorter}\n`)).toBe('');
  });

  it('must have 128 characters at most where it names the scenario', () => {
    const text = head.replace(/(?<=scenario: ).*/, 'n'.repeat(129));
    expect(messageFor(text)).toContain('scenario: A name must have 128 characters at most.');
  });

  it('must be unique for cards and rules', () => {
    const text = `${head}given: { cards: [${card}, ${card}] }
rules:
  - { name: a, op: any, then: ok }
  - { name: a, op: any, then: ok }
`;
    expect(messageFor(text).split('\n')).toEqual([
      'mine.yaml:4:94 given.cards[1].ref: "soft" is already used. Each ref must be unique.',
      'mine.yaml:7:7 rules[1].name: "a" is already used. Each name must be unique.',
    ]);
  });

  it('must be a later outcome where it names an event', () => {
    const text = `${head}timeline:
  - { at: +P1D, event: sale-revrsed-later }
  - { at: +P1D, event: sale-reversed-later, card: soft, with: { afer: P1D } }
`;
    expect(messageFor(text).split('\n')).toEqual([
      'mine.yaml:5:17 timeline[0].event: unknown event "sale-revrsed-later". Did you mean "sale-reversed-later"? Known: card-auto-updated, card-auto-replaced, card-closed-by-issuer, sale-reversed-later, chargeback-opened-won-lost.',
      'mine.yaml:6:45 timeline[1].card: no given card has the ref "soft". Add the card to given.cards, or use the id of a card in the fixtures.',
      'mine.yaml:6:65 timeline[1].with.afer: "sale-reversed-later" has no parameter "afer". Did you mean "after"? Known: after.',
    ]);
  });

  it('must be known where it names fixtures or an operation', () => {
    expect(messageFor(`${head}fixtures: shp\n`)).toBe(
      'mine.yaml:4:1 fixtures: unknown fixtures "shp". Did you mean "shop"? Known: default, empty, shop. Write ./shp for a file or folder.',
    );
    expect(messageFor(`${head}fixtures: ./shp\n`)).toBe('');
    expect(
      messageFor(`${head}expect: { requests: { token.crate: 1 }, sameRequestId: [pay] }\n`),
    ).toMatch(
      /^mine\.yaml:4:23 expect\.requests\.token\.crate: unknown operation "token\.crate"\. Did you mean "token\.create"\? Known: token\.create, .*\nmine\.yaml:4:57 expect\.sameRequestId\[0\]: unknown operation/,
    );
  });
});

it('refuses a rule with both nth and a list of steps', () => {
  expect(messageForRule('{ op: any, nth: 2, then: [ok, slow-first-byte] }')).toBe(
    'mine.yaml:5:16 rules[0].nth: picks one request, but then lists a step for each request. Remove nth and use ok for requests that succeed, or write a single step.',
  );
});

describe('the name of a scenario', () => {
  it('must be a file or a built-in scenario', () => {
    expect(messageOf(() => loadScenario('lost-crad'))).toMatch(
      /^Unknown scenario "lost-crad"\. Built-in scenarios: black-friday, .*\. A path must be relative to the folder in which the sandbox was started\.$/,
    );
    expect(messageOf(() => loadScenario('lost-anwser'))).toContain('Did you mean "lost-answer"?');
    expect(messageOf(() => loadScenario('./lost.yaml'))).toBe(
      './lost.yaml: no such file. A path must be relative to the folder in which the sandbox was started.',
    );
  });

  it('must be one file', () => {
    expect(messageOf(() => loadScenario(folder))).toContain('is a folder. Name one of');
    expect(messageFor('', 'mine.txt')).toBe(
      'mine.txt: a scenario file must end in .json, .yaml, .yml.',
    );
  });

  it('is reported with line and column if the file is not YAML', () => {
    expect(messageFor(`${head}rules:\n  - op: any\n   then: ok\n`)).toMatch(
      /^mine\.yaml:6:\d+: .+/,
    );
  });
});

describe('several files', () => {
  const shop = join(folder, 'shop');
  mkdirSync(shop);
  writeFileSync(join(shop, 'a.yaml'), head);
  writeFileSync(join(shop, 'b.json'), '{ "scenario": "other", "version": 1, "about": "x" }');
  writeFileSync(join(shop, 'schema.json'), '{}');

  it('are checked separately', () => {
    const broken = join(folder, 'broken.yaml');
    const gone = join(folder, 'gone.yaml');
    writeFileSync(broken, `${head}rulles: []\n`);
    expect(checkFiles([shop, broken, gone])).toEqual([
      { file: join(shop, 'a.yaml'), mistakes: [] },
      { file: join(shop, 'b.json'), mistakes: [] },
      { file: broken, mistakes: [expect.stringContaining('broken.yaml:4:1 rulles: this key')] },
      { file: gone, mistakes: [`${gone}: no such file or folder.`] },
    ]);
  });

  it('are reported as missing for an empty folder', () => {
    const none = join(folder, 'none');
    mkdirSync(none);
    expect(checkFiles([none])).toEqual([
      { file: none, mistakes: [expect.stringContaining('contains no scenario file')] },
    ]);
  });

  it('include files with endings in capitals and exclude hidden files of a folder', () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed);
    writeFileSync(join(mixed, 'LOUD.YML'), head);
    writeFileSync(join(mixed, '._LOUD.YML'), 'no scenario');
    symlinkSync('someone@host.1', join(mixed, '.#LOUD.YML'));
    expect(checkFiles([mixed])).toEqual([{ file: join(mixed, 'LOUD.YML'), mistakes: [] }]);
  });

  it('must have unique names in a folder', () => {
    expect(loadScenarios(shop).map(({ name }) => name)).toEqual(['mine', 'other']);
    const twice = join(folder, 'twice');
    mkdirSync(twice);
    for (const file of ['a.yaml', 'b.yaml']) writeFileSync(join(twice, file), head);
    expect(messageOf(() => loadScenarios(twice))).toBe(
      'twice/b.yaml:1:1 scenario: the name "mine" is already used at twice/a.yaml:1:1 scenario. Each scenario needs its own name.',
    );
  });
});

describe('a condition on a body', () => {
  it('is reported with the fields of every operation of the rule', () => {
    const message = messageForRule(
      '{ op: any-write, match: { intnet: sale }, then: slow-dribble }',
    );
    expect(message).toContain('Known: number, ');
    expect(message).toMatch(/ Did you mean "intent"\? .* and \d+ more\./);
  });

  it('must name an item of a list by its index', () => {
    const match = "{ 'transactions[*].amount.total': '5.00' }";
    expect(messageForRule(`{ op: payment.create, match: ${match}, then: ok }`)).toContain(
      'the body of payment.create has no field "*" there. It is a list: write an index from 0,',
    );
  });
});

describe('a key in the wrong place', () => {
  it.each([
    ['{ op: any, then: slow-first-byte, with: { delay: 20ms } }', 'with', 'params'],
    ['{ op: any, outcome: slow-first-byte }', 'outcome', 'then'],
    ['{ op: any, sequence: [ok, slow-first-byte] }', 'sequence', 'then'],
    ['{ operation: any, then: ok }', 'operation', 'op'],
    ['{ op: any, then: { outcome: slow-first-byte, params: { delay: 20ms } } }', 'params', 'with'],
  ])('is reported with the right key: %s', (rule, key, word) => {
    const line = messageForRule(rule)
      .split('\n')
      .find((one) => one.includes(`${key}: this key is not known here.`));
    expect(line).toContain(`Here it is called "${word}".`);
  });

  it('is reported for an armed rule, too', () => {
    const { force } = createSandbox({ fixtures: 'empty' });
    const rule = { op: 'any', outcome: 'slow-first-byte', with: { delay: '20ms' } } as const;
    expect(() => force(rule)).toThrow('Here it is called "params".');
  });
});

describe('a given card', () => {
  const given = (...cards: readonly string[]) =>
    `${head}rules: []\ngiven:\n  cards:\n${cards.map((card) => `    - { ${card} }\n`).join('')}`;
  const card = (number: string, type: string) =>
    given(`ref: a, number: '${number}', type: ${type}, expire: '2031-05'`);

  it.each([
    [
      card('4111111111111112', 'visa'),
      'mine.yaml:7:17 given.cards[0].number: this is not a valid card',
    ],
    [card('9111111111111111', 'visa'), 'its check digit is wrong (Luhn)'],
    [card('9000000000000001', 'visa'), 'no supported brand has such a number'],
    [
      card('4111111111111111', 'amex'),
      'mine.yaml:7:45 given.cards[0].type: must be visa, which is the brand of this number, not amex.',
    ],
  ])('is reported if its number is invalid: %#', (text, said) => {
    const all = messageFor(text);
    expect(all).toContain(said);
    expect(all).not.toMatch(/\d{12}/);
  });

  it('is reported with its place if the vault refuses it at the start', () => {
    const past = "number: '4111111111111111', type: visa, expire: '2026-04'";
    const path = join(folder, 'past.yaml');
    writeFileSync(path, given(`ref: a, ${past}`, `ref: b, ${past}`));
    const clock = { start: testNow, frozen: true };
    expect(messageOf(() => createSandbox({ scenario: path, clock }))).toBe(
      [
        `past.yaml:7:7 given.cards[0]: the given card "a" is refused at ${testNow}. expire: Invalid expiration (cannot be in the past)`,
        `past.yaml:8:7 given.cards[1]: the given card "b" is refused at ${testNow}. expire: Invalid expiration (cannot be in the past)`,
      ].join('\n'),
    );
  });
});
