/** A wait ends as soon as possible, or explains what arrived instead. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Journal } from '../../../src/journal/journal.ts';
import { StoredEntry } from '../../../src/journal/stored-entry.ts';
import { readMatch } from '../../../src/journal/query/read-query.ts';
import { WaitLimitError, WaitTimeoutError } from '../../../src/journal/errors.ts';
import { maxWaits, waitFor, type StartTimer } from '../../../src/journal/query/wait.ts';
import { answer, declined, delivered, journalOf, opening, write } from './write-entries.ts';

/** A timer that the test triggers. */
function handTimer() {
  const due: (() => void)[] = [];
  const startTimer: StartTimer = (action) => {
    due.push(action);
    return () => due.splice(due.indexOf(action), 1);
  };
  return { startTimer, due, ring: () => due.slice().forEach((action) => action()) };
}

const payment = readMatch({ operation: 'payment.create', status: 201 });
const seqs = (entries: readonly { readonly seq: number }[]) => entries.map(({ seq }) => seq);

describe('a wait', () => {
  it('ends at once if the journal already has the exchanges', async () => {
    const found = await waitFor(journalOf([{}, declined]), payment, { timeoutMs: 0 });
    expect(seqs(found)).toEqual([1]);
  });

  it('ends when the last needed exchange ends', async () => {
    const { startTimer, due } = handTimer();
    const journal = journalOf([{}]);
    let isOver = false;
    const wait = waitFor(journal, payment, { times: 2, timeoutMs: 9, startTimer });
    const noted = wait.then(() => (isOver = true));
    const entry = journal.open(opening);
    write(journal, declined);
    journal.answer(entry, answer);
    await Promise.resolve();
    expect(isOver).toBe(false);
    journal.close(entry, entry.atMs, delivered, 'json');
    await noted;
    expect(seqs(await wait)).toEqual([1, 2]);
    expect(due).toEqual([]);
  });

  it('can match an exchange that has only begun', async () => {
    const journal = new Journal();
    const begun = readMatch({ operation: 'payment.create', delivery: 'open' });
    const wait = waitFor(journal, begun, { timeoutMs: 1_000 });
    journal.open(opening);
    expect(await wait).toMatchObject([{ seq: 1, status: 0 }]);
  });

  it('shows the latest other exchanges, even dropped ones, and counts the rest', async () => {
    const { startTimer, ring } = handTimer();
    const journal = journalOf([{ operation: 'card.create' }], { maxEntries: 1 });
    const wait = waitFor(journal, payment, { timeoutMs: 250, startTimer });
    for (let at = 0; at < 100; at++) write(journal, declined);
    ring();
    await expect(wait).rejects.toThrow(
      [
        'Arrived instead:',
        '  ... 90 earlier exchanges, then',
        '        operation       answer                client knows  outcomes',
        ...Array.from(
          { length: 10 },
          (_, at) =>
            `  #${at + 92}`.padEnd(8) + 'payment.create  400 VALIDATION_ERROR  FAIL          -',
        ),
        'Nearest: #101, but status is 400 VALIDATION_ERROR, not 201.',
      ].join('\n'),
    );
  });

  it('says of the nearest exchange if it came before', async () => {
    const { startTimer, ring } = handTimer();
    const wait = waitFor(journalOf([declined]), payment, { timeoutMs: 250, startTimer });
    ring();
    await expect(wait).rejects.toThrow(
      'Arrived instead:\n  nothing\nNearest: #1 from before the wait, but status is 400 VALIDATION_ERROR, not 201.',
    );
  });

  it('reads only the bodies of matching exchanges', async () => {
    const { startTimer, ring } = handTimer();
    const journal = journalOf([declined]);
    const other = readMatch({ operation: 'card.create' });
    const read = vi.spyOn(StoredEntry.prototype, 'plain');
    onTestFinished(() => read.mockRestore());
    const wait = waitFor(journal, other, { times: 2, timeoutMs: 250, startTimer });
    write(journal, declined);
    write(journal, { operation: 'card.create' });
    ring();
    await expect(wait).rejects.toThrow('1 arrived');
    expect(read.mock.contexts).toMatchObject([{ seq: 3 }]);
  });

  it('shows other exchanges at the timeout', async () => {
    const { startTimer, ring } = handTimer();
    const journal = journalOf([{ operation: 'card.create' }]);
    const wait = waitFor(journal, payment, { timeoutMs: 250, startTimer });
    write(journal, declined);
    ring();
    await expect(wait).rejects.toThrow(WaitTimeoutError);
    await expect(wait).rejects.toThrow(
      [
        'Waited 250 ms for 1 exchange with operation payment.create, status 201; 0 arrived.',
        'Arrived instead:',
        '      operation       answer                client knows  outcomes',
        '  #2  payment.create  400 VALIDATION_ERROR  FAIL          -',
        'Nearest: #2, but status is 400 VALIDATION_ERROR, not 201.',
      ].join('\n'),
    );
  });

  it('says at the timeout that nothing arrived', async () => {
    const wait = waitFor(new Journal(), {}, { timeoutMs: 1 });
    await expect(wait).rejects.toThrow(
      'Waited 1 ms for 1 exchange of any kind; 0 arrived.\nArrived instead:\n  nothing',
    );
  });

  it('keeps the process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const before = timers();
    const journal = new Journal();
    const wait = waitFor(journal, payment, { timeoutMs: 60_000 });
    expect(timers()).toBe(before + 1);
    write(journal);
    await wait;
    expect(timers()).toBe(before);
  });

  it('can be aborted', async () => {
    const { startTimer, due } = handTimer();
    const journal = new Journal();
    const controller = new AbortController();
    const signals = [new AbortController().signal, controller.signal];
    const wait = waitFor(journal, payment, { timeoutMs: 9, startTimer, signals });
    controller.abort(new Error('reset'));
    await expect(wait).rejects.toThrow('reset');
    const late = waitFor(journal, payment, { timeoutMs: 9, startTimer, signals });
    await expect(late).rejects.toThrow('reset');
    expect(due).toEqual([]);
  });

  it('is refused at the limit of waits, unless it can end at once', async () => {
    const { startTimer } = handTimer();
    const journal = journalOf([{}]);
    const leaving = new AbortController();
    const one = { timeoutMs: 9, startTimer };
    const first = waitFor(journal, payment, { ...one, times: 2, signals: [leaving.signal] });
    const others = Array.from({ length: maxWaits - 1 }, () =>
      waitFor(journal, payment, { ...one, times: 2 }),
    );
    expect(journal.waiting).toBe(maxWaits);
    await expect(waitFor(journal, payment, { ...one, times: 2 })).rejects.toThrow(WaitLimitError);
    expect(seqs(await waitFor(journal, payment, one))).toEqual([1]);
    leaving.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    others.push(waitFor(journal, payment, { ...one, times: 2 }));
    write(journal);
    expect((await Promise.all(others)).map(seqs)).toEqual(others.map(() => [1, 2]));
    expect(journal.waiting).toBe(0);
  });

  it('is refused if the journal could never keep so many exchanges', async () => {
    const journal = new Journal({ maxEntries: 2 });
    await expect(waitFor(journal, payment, { times: 3, timeoutMs: 9 })).rejects.toThrow(
      "'times' must be at most 2, the number of exchanges that the journal keeps. Raise limits.maxJournalEntries (--max-journal-entries), or wait several times, each from a later time.",
    );
  });

  it('ignores exchanges of a cleared journal', async () => {
    const { startTimer, ring } = handTimer();
    const journal = new Journal();
    const entry = journal.open(opening);
    journal.clear();
    const wait = waitFor(journal, payment, { timeoutMs: 9, startTimer });
    journal.answer(entry, answer);
    journal.close(entry, entry.atMs, delivered, 'json');
    ring();
    await expect(wait).rejects.toThrow('0 arrived');
  });
});
