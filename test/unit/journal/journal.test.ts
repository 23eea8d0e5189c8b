/** The journal keeps the latest exchanges, counts dropped ones, and contains no card data. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Journal } from '../../../src/journal/journal.ts';
import { readQuery } from '../../../src/journal/query/read-query.ts';
import { pan, appearsIn } from '../../properties/support/card-numbers.ts';
import { cardBody, pans } from '../../support/samples.ts';
import { answer, declined, delivered, journalOf, nowMs, opening, write } from './write-entries.ts';

const seqs = (entries: readonly { readonly seq: number }[]) => entries.map(({ seq }) => seq);

describe('a journal entry', () => {
  it('exists from the start of its exchange and is complete at its end', () => {
    const times = [1_000, 1_250];
    const journal = new Journal({}, () => times.shift() ?? 0);
    const entry = journal.open({ ...opening, requestId: 'order-1' });
    expect(journal.get('d0')).toMatchObject({
      seq: 1,
      status: 0,
      concludes: 'UNKNOWN',
      delivery: { state: 'open' },
    });
    journal.answer(entry, answer);
    expect(journal.get('d0')).toMatchObject({ status: 201, delivery: { state: 'open' } });
    journal.close(entry, entry.atMs, delivered, 'json');
    expect(journal.get('d0')).toEqual({
      ...opening,
      ...answer,
      seq: 1,
      requestId: 'order-1',
      overAtSeq: 2,
      overAtMs: entry.atMs,
      real: { openedMs: 1_000, closedMs: 1_250 },
      delivery: delivered,
      nearMissesLeftOut: 0,
      concludes: 'OK',
    });
  });

  it('keeps its request when it gets a second response', () => {
    const journal = new Journal();
    const entry = journal.open(opening);
    journal.answer(entry, { ...answer, request: '{"asked":1}', response: '{"first":1}' });
    const failed = { ...answer, status: 500, request: undefined, response: '{"second":1}' };
    journal.answer(entry, failed);
    expect(journal.get('d0')).toMatchObject({
      status: 500,
      request: '{"asked":1}',
      response: '{"second":1}',
    });
  });

  it('is returned as a copy if its exchange is open', () => {
    const journal = new Journal();
    const entry = journal.open(opening);
    const [before] = journal.find();
    journal.answer(entry, answer);
    journal.close(entry, entry.atMs, delivered, 'json');
    expect(before).toMatchObject({ status: 0, delivery: { state: 'open' } });
  });

  it('is found by its debug id', () => {
    const journal = journalOf([{ debugId: 'a' }, { debugId: 'b' }]);
    expect(journal.get('b')?.seq).toBe(2);
    expect(journal.get('c')).toBeUndefined();
  });
});

describe('a journal query', () => {
  const journal = journalOf([
    { operation: 'card.create', cardId: undefined, subject: 'CARD-1', debugId: 'a', status: 201 },
    { requestId: 'order-1', intent: 'order-1', atMs: nowMs + 1_500 },
    { requestId: 'order-1', replayed: true, committed: false, atMs: nowMs + 2_000 },
    { ...declined, outcomes: [{ id: 'card-declined', by: 'armed', rule: 'rule-1' }] },
    { status: 503, delivery: { ...delivered, state: 'lost' }, atMs: nowMs + 3_000 },
    { operation: 'sale.refund', cardId: 'CARD-2', atMs: nowMs + 4_000 },
  ]);

  it.each([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ operation: 'card.create' }, [1]],
    [{ operation: 'payment.*' }, [2, 3, 4, 5]],
    [{ status: 201 }, [1, 2, 3, 6]],
    [{ status: '201' }, [1, 2, 3, 6]],
    [{ status: '4xx' }, [4]],
    [{ status: '5xx', delivery: 'lost' }, [5]],
    [{ problem: 'VALIDATION_ERROR' }, [4]],
    [{ outcome: 'card-declined' }, [4]],
    [{ card: 'CARD-2' }, [6]],
    [{ subject: 'CARD-1' }, [1]],
    [{ intent: 'order-1' }, [2]],
    [{ requestId: 'order-1' }, [2, 3]],
    [{ debugId: 'a' }, [1]],
    [{ replayed: true }, [3]],
    [{ replayed: 'false', committed: 'true', card: 'CARD-1' }, [2, 5]],
    [{ concludes: 'UNKNOWN' }, [5]],
    [{ concludes: 'FAIL' }, [4]],
    [{ from: '2026-05-06T07:08:11Z', until: '2026-05-06T09:08:12+02:00' }, [3, 5]],
    [{ until: nowMs + 1_500 }, [1, 2, 4]],
    [{ until: '2026-05-06T07:08:10Z' }, [1, 2, 4]],
    [{ from: String(nowMs + 3_000) }, [5, 6]],
    [{ operation: 'payment.*', limit: 2 }, [4, 5]],
    [{ limit: '1' }, [6]],
    [{ limit: 0 }, []],
  ])('%j finds %j', (query, found) => {
    expect(seqs(journal.find(readQuery(query)))).toEqual(found);
  });

  it('matches requests without an operation by status, not by name', () => {
    const strays = journalOf([{ operation: undefined, status: 404 }]);
    expect(strays.find(readQuery({ operation: 'card.*' }))).toEqual([]);
    expect(strays.find(readQuery({ status: 404 }))).toHaveLength(1);
  });
});

describe('a full journal', () => {
  it('drops and counts the oldest entries', () => {
    const journal = journalOf(
      Array.from({ length: 7 }, () => ({})),
      { maxEntries: 3 },
    );
    expect(seqs(journal.find())).toEqual([5, 6, 7]);
    expect(journal).toMatchObject({ size: 3, dropped: 4 });
  });

  it('drops entries over the size limit, but never the latest', () => {
    const response = 'x'.repeat(2_000);
    const journal = journalOf(
      Array.from({ length: 5 }, () => ({ response })),
      { maxBytes: 6_000 },
    );
    expect(seqs(journal.find())).toEqual([4, 5]);
    expect(journal.bytes).toBeLessThanOrEqual(6_000);
    expect(journalOf([{}, { response }], { maxBytes: 10 }).find()).toHaveLength(1);
  });

  it('counts near misses that repeat only once', () => {
    const say = (why: string) => [{ rule: 'rule-1', why: why.repeat(1_000) }];
    const bytesOf = (...whys: readonly string[]) =>
      journalOf(whys.map((why) => ({ nearMisses: why === '' ? [] : say(why) }))).bytes;
    const one = bytesOf('a') - bytesOf('');
    expect(one).toBeGreaterThan(1_000);
    expect(bytesOf('a', 'a', 'a') - bytesOf('', '', '')).toBe(one);
    expect(bytesOf('a', 'b', 'a') - bytesOf('', '', '')).toBe(3 * one);
    const journal = journalOf([{ nearMisses: say('a') }], { maxEntries: 1 });
    write(journal, { nearMisses: say('a') });
    expect(journal.bytes).toBe(bytesOf(''));
    expect(journal.find()).toMatchObject([{ nearMisses: say('a') }]);
    write(journal, { nearMisses: [] });
    expect(journal.bytes).toBe(bytesOf(''));
  });

  it('does not count an exchange again that was dropped while open', () => {
    const journal = new Journal({ maxEntries: 1 });
    const early = journal.open(opening);
    write(journal);
    const { bytes } = journal;
    journal.answer(early, answer);
    journal.close(early, early.atMs, delivered, 'json');
    expect(journal.bytes).toBe(bytes);
    expect(seqs(journal.find())).toEqual([2]);
  });

  it('knows the number of open exchanges, whatever was dropped or cleared', () => {
    const step = fc.constantFrom('open', 'open', 'close', 'answer', 'clear');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(step, fc.nat()), { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        (steps, max) => {
          const journal = new Journal({ maxEntries: max });
          const open = [journal.open(opening)];
          for (const [one, which] of steps) {
            const at = which % Math.max(1, open.length);
            if (one === 'open') open.push(journal.open(opening));
            else if (one === 'clear') journal.clear();
            else if (one === 'answer') open.slice(at, at + 1).map((e) => journal.answer(e, answer));
            else open.splice(at, 1).map((e) => journal.close(e, 0, delivered, 'json'));
            expect(journal.openCount).toBe(journal.find({ delivery: 'open' }).length);
          }
        },
      ),
    );
  });

  it('contains what a plain list would contain', () => {
    const step = fc.constantFrom('write', 'write', 'write', 'clear');
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (steps, max) => {
          const journal = new Journal({ maxEntries: max });
          let list: number[] = [];
          for (const one of steps) {
            if (one === 'write') list.push(write(journal).seq);
            else {
              journal.clear();
              list = [];
            }
            expect(seqs(journal.find())).toEqual(list.slice(-max));
            expect(journal.dropped).toBe(Math.max(0, list.length - max));
          }
        },
      ),
    );
  });
});

describe('a cleared journal', () => {
  it('is empty and ignores exchanges that were open before', () => {
    const journal = journalOf([{}, {}], { maxEntries: 2 });
    const early = journal.open(opening);
    journal.clear();
    journal.answer(early, answer);
    journal.close(early, early.atMs, delivered, 'json');
    expect(journal).toMatchObject({ size: 0, bytes: 0, dropped: 0 });
    expect(seqs([write(journal), ...journal.find()])).toEqual([4, 4]);
  });
});

describe('card data', () => {
  it('is in no text of an entry, in whatever place the client put it', () => {
    fc.assert(
      fc.property(pan, ({ number }) => {
        const journal = journalOf([
          {
            path: `/v1/payments/payment?start_id=${number}`,
            requestId: `order-${number}`,
            intent: number,
            cardId: number,
            subject: number,
            reason: `no card ${number}`,
            nearMisses: [{ rule: 'rule-1', why: `$card is not "${number}"` }],
            request: JSON.stringify(cardBody({ number, cvv2: '874' })),
            response: `<p>${number}</p>`,
          },
        ]);
        const left = JSON.stringify(journal.find());
        expect(appearsIn(left, number)).toBe(false);
        // The last four digits, which are kept, may contain the same three.
        expect(left).not.toMatch(/(?<!\d)874(?!\d)/);
      }),
    );
  });

  it('still finds its exchange', () => {
    const journal = journalOf([{ requestId: pans.visa }, { requestId: pans.amex }]);
    expect(seqs(journal.find(readQuery({ requestId: pans.visa })))).toEqual([1]);
  });

  it('is removed from the end of a text that masks make shorter', () => {
    const number = '4929851042331971';
    const token = `{"access_token":"${'a'.repeat(700)}","x":"`;
    for (let digits = 1; digits < number.length; digits++) {
      const filler = 'b'.repeat(16_384 + 512 - digits - token.length);
      const request = `${token}${filler}${number} and more"}`;
      const [entry] = journalOf([{ request }]).find();
      expect(entry?.request).not.toContain('492');
      expect(entry?.request).toMatch(/… \(cut: \d+ characters more\)$/);
    }
  });

  it('is removed from a body that is truncated in the middle of it', () => {
    for (let maxTextLength = 4; maxTextLength < 40; maxTextLength++) {
      const request = `{"a":"${pans.visa}"}${' '.repeat(60)}`;
      const [entry] = journalOf([{ request }], { maxTextLength }).find();
      expect(entry?.request).not.toMatch(/4417/);
      expect(entry?.request).toMatch(/… \(cut: \d+ characters more\)$/);
    }
  });
});
