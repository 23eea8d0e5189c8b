/** An invalid export is refused with all of its mistakes and changes nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { testNow } from '../../support/transports.ts';
import { busyScenario } from './merchant-history.ts';
import { changeExport, mistakesOf, valueIn, exportMerchant } from './changed-export.ts';
import type { WorldDocument } from '../../../src/world/export/document.ts';

let text = '';

beforeAll(async () => {
  text = await exportMerchant();
});

const changed = (path: string, value: unknown) => changeExport(text, path, value);
const valueAt = (path: string) => valueIn(text, path);

it('the unchanged export is accepted', () => {
  const sandbox = createSandbox({
    seed: 'test',
    systemClock: { nowMs: () => Date.parse(testNow) },
  });
  sandbox.import(JSON.parse(text));
  expect(sandbox.export()).toEqual(JSON.parse(text));
});

describe('a document that is not an export', () => {
  it.each([
    [
      'a JSON text',
      () => text,
      'export: expected the document that export() returned, got a text. Parse a JSON text with JSON.parse first.',
    ],
    ['null', () => null, 'export: expected the document that export() returned, got null.'],
    [
      'undefined',
      () => undefined,
      'export: expected the document that export() returned, got a value of type undefined.',
    ],
    [
      'a list',
      () => [JSON.parse(text)],
      'export: expected the document that export() returned, got a list.',
    ],
    [
      'an empty object',
      () => ({}),
      'export format: must be "card-vault-sandbox/world". This is not an export: use one from export() or GET /_sandbox/world.',
    ],
    [
      'a scenario',
      () => ({ ...busyScenario, format: 'scenario' }),
      'export format: must be "card-vault-sandbox/world". This is another kind of document: use one',
    ],
    [
      'another version',
      () => ({ ...JSON.parse(text), version: 2, writtenBy: 'card-vault-sandbox 9.0.0' }),
      'export version: this package reads version 1. Import the document with the package that wrote it, card-vault-sandbox 9.0.0, or create a new export.',
    ],
    [
      'a version as text',
      () => changed('version', '1'),
      'export version: this package reads version 1. ',
    ],
  ])('is refused at once: %s', (_, document, words) => {
    const [first, ...more] = mistakesOf(document());
    expect(first).toContain(words);
    expect(more).toEqual([]);
  });
});

describe('a missing member', () => {
  it.each([
    'origin',
    'clock',
    'streams',
    'records',
    'transfers',
    'scheduledEvents',
    'timeline',
    'givenCards',
    'dealtCards',
    'ruleBook',
    'requestIds',
    'writtenBy',
  ])('is reported: %s', (key) => {
    expect(mistakesOf(changed(key, undefined))).toEqual([`export ${key}: this key is missing.`]);
  });

  it('is reported together with all others', () => {
    const document = changed('records.cards.rows.0.record.last4', undefined);
    Reflect.deleteProperty(Object(document), 'clock');
    expect(mistakesOf(document)).toEqual([
      'export clock: this key is missing.',
      'export records.cards.rows[0].record.last4: this key is missing.',
    ]);
  });
});

describe('an unknown or invalid value', () => {
  it.each([
    [
      'clok',
      {},
      /^export clok: this key is not known here\. Known: .*clock.*Did you mean "clock"\?$/,
    ],
    ['records.cards.rows.0.record.number', '4111111111111111', /record\.number: this key is not/],
    ['records.cards.rows.0.record.cvv2', '123', /record\.cvv2: this key is not known here/],
    ['records.cards.rows.0.record.last4', '4111111111111111', /last4: must be four digits/],
    ['records.cards.rows.0.record.brand', 'vsa', /must be one of visa, .* Did you mean "visa"\?$/],
    ['records.sales.0.settlement', 'refunded', /settlement: must be one of completed, pending/],
    ['records.sales.0.amount.minor', 1.5, /amount\.minor: must be a whole number/],
    ['records.sales.0.amount.currency', 'XXX', /currency: must be one of AUD, /],
    ['records.payments.rows.0.record.instrument.kind', 'cash', /instrument/],
    ['streams.card', [0, 0, 0, 0], /^export streams\.card: cannot be all zeros\.$/],
    ['streams.card', [1, 2, 3], /^export streams\.card/],
    ['streams.card.0', 2 ** 31, /^export streams\.card\[0\]: /],
    ['clock.atMs', 'now', /^export clock\.atMs: must be a number\.$/],
    ['clock.atMs', Date.parse('0000-01-01T00:00:00Z') - 1, /^export clock\.atMs: /],
    ['clock.frozen', 'yes', /^export clock/],
    [
      'ruleBook.rules.0.rule.steps.0.outcome',
      'sale-pending-then-complete',
      /Did you mean "sale-pending-then-completed"\?$/,
    ],
    ['ruleBook.rules.0.rule.operations.0', 'payment.creat', /Did you mean "payment.create"\?$/],
    [
      'ruleBook.rules.0.rule.match',
      { number: { matches: '(' } },
      /^export ruleBook\.rules\[0\]\.rule\.match\.number\.matches: this is not a valid regular expression\.$/,
    ],
    ['timeline.0', { atMs: 0 }, /^export timeline\[0\]/],
  ])('is reported with its place: %s as %j', (path, value, words) => {
    const mistakes = mistakesOf(changed(path, value));
    expect(mistakes.join('\n')).toMatch(words);
    expect(mistakes.join('\n')).not.toContain('4111111111111111');
    expect(mistakes).toHaveLength(1);
  });
});

describe('an export with broken references', () => {
  it.each([
    ['records.payments.rows.0.record.related.0.id', /related\[0\]\.id: this document has no sale/],
    [
      'records.sales.0.paymentId',
      /sales\[0\]\.paymentId: this document has no payment with the id/,
    ],
    ['records.captures.0.authorizationId', /this document has no authorization/],
    ['records.refunds.0.of.id', /refunds\[0\]\.of\.id: this document has no sale/],
    [
      'transfers.0.subject',
      /transfers\[0\]\.subject: this document has no sale or capture or refund/,
    ],
    ['transfers.0.payment', /transfers\[0\]\.payment: this document has no payment/],
    [
      'scheduledEvents.0.event.subject',
      /scheduledEvents\[0\]\.event\.subject: this document has no sale or refund/,
    ],
  ])('reports %s that names a missing record', (path, words) => {
    const mistakes = mistakesOf(changed(path, 'NOT-THERE'));
    expect(mistakes.join('\n')).toMatch(words);
    expect(mistakes.join('\n')).toContain('Was something removed from it?');
  });

  it.each(['sales', 'authorizations', 'captures', 'refunds'])('reports missing %s', (table) => {
    const mistakes = mistakesOf(changed(`records.${table}`, []));
    expect(mistakes.length).toBeGreaterThan(0);
    expect(mistakes.every((line) => line.endsWith('Was something removed from it?'))).toBe(true);
  });

  it('reports repeated ids and positions, and positions that were never assigned', () => {
    const row = Object(valueAt('records.cards.rows.0'));
    expect(mistakesOf(changed('records.cards.rows.1.createdSeq', row.createdSeq))).toEqual([
      'export records.cards.rows[1].createdSeq: another record has the same number.',
    ]);
    expect(mistakesOf(changed('records.cards.rows.1.updatedSeq', 9999))).toEqual([
      `export records.cards.rows[1].updatedSeq: must be at most ${String(valueAt('records.cards.lastSeq'))}, the value of lastSeq.`,
    ]);
    expect(mistakesOf(changed('records.cards.rows.1.record.id', row.record.id))).toEqual([
      `export records.cards.rows[1].record.id: another record has the same id "${row.record.id}".`,
    ]);
  });

  it('reports an invoice number that two payments share', () => {
    const document: WorldDocument = JSON.parse(text);
    for (const { record } of document.records.payments.rows) {
      if (record.transaction.invoiceNumber === 'INV-2') {
        Object.assign(record.transaction, { invoiceNumber: 'INV-1' });
      }
    }
    expect(mistakesOf(document)).toEqual([
      'export records.payments.rows[2].record.transaction.invoiceNumber: another payment has the same invoice number.',
    ]);
  });

  it('reports future events that are not in order of time', () => {
    const due = Object(valueAt('scheduledEvents.0'));
    expect(mistakesOf(changed('scheduledEvents.0.atMs', due.atMs + 1e12))).toEqual([
      'export scheduledEvents[1].atMs: the previous entry is later. Entries must be in order of time.',
    ]);
  });
});

describe('an export over the limits of the sandbox', () => {
  it('is refused with the limit to raise', () => {
    const document: WorldDocument = JSON.parse(text);
    Object.assign(document.requestIds, {
      settled: ['one', 'two'].map((key) => ({ key, untilMs: 0, subject: 'CARD-1' })),
    });
    expect(mistakesOf(document, { maxRecords: 5, maxRequestIds: 1 })).toEqual([
      expect.stringMatching(
        /^export records: \d+ records exceed this sandbox's limit of 5 for a merchant\. Raise limits\.maxRecords \(--max-records\)\.$/,
      ),
      "export requestIds: 2 request ids exceed this sandbox's limit of 1 for a merchant. Raise limits.maxRequestIds (--max-request-ids).",
    ]);
  });
});

it('an import shows only the first of very many mistakes', () => {
  const document: WorldDocument = JSON.parse(text);
  const [row] = document.records.cards.rows;
  Object.assign(document.records.cards, { rows: Array.from({ length: 5000 }, () => row) });
  const mistakes = mistakesOf(document);
  expect(mistakes).toHaveLength(100);
});
