/** What falls due comes in the order of time, and in the order it was noted where times are the same. */
import { expect, it } from 'vitest';
import { Agenda } from '../../../src/world/time/scheduler.ts';

const dueAt = (atMs: number, subject: string) => ({
  atMs,
  event: { kind: 'sale-completes', subject } as const,
});

it('is the same list however noting and taking take turns', () => {
  const agenda = new Agenda([]);
  let expected: ReturnType<typeof dueAt>[] = [];
  for (let at = 0; at < 3000; at++) {
    const due = dueAt((at * 7919) % 1000, `sale-${at}`);
    agenda.note(due);
    expected = [...expected, due].toSorted((one, other) => one.atMs - other.atMs);
    if (at % 5 > 1) expect(agenda.take(1000)).toEqual(expected.shift());
    expect([agenda.size, agenda.nextMs]).toEqual([expected.length, expected[0]?.atMs]);
  }
  expect(agenda.state).toEqual(expected);
  expect(new Agenda(agenda.state).take(1000)).toEqual(expected[0]);
});

it('keeps what is still to come', () => {
  const agenda = new Agenda([dueAt(10, 'a'), dueAt(20, 'b')]);
  expect(agenda.take(9)).toBe(undefined);
  expect(agenda.take(10)).toEqual(dueAt(10, 'a'));
  expect(agenda.take(10)).toBe(undefined);
  expect(agenda.state).toEqual([dueAt(20, 'b')]);
});
