/** Scheduled events run in order of time; events of the same time in the order they were added. */
import { expect, it } from 'vitest';
import { Scheduler } from '../../../src/world/time/scheduler.ts';

const dueAt = (atMs: number, subject: string) => ({
  atMs,
  event: { kind: 'sale-completes', subject } as const,
});

it('keeps the order, however adding and taking alternate', () => {
  const scheduler = new Scheduler([]);
  let expected: ReturnType<typeof dueAt>[] = [];
  for (let at = 0; at < 3000; at++) {
    const due = dueAt((at * 7919) % 1000, `sale-${at}`);
    scheduler.add(due);
    expected = [...expected, due].toSorted((one, other) => one.atMs - other.atMs);
    if (at % 5 > 1) expect(scheduler.takeDue(1000)).toEqual(expected.shift());
    expect([scheduler.size, scheduler.nextMs]).toEqual([expected.length, expected[0]?.atMs]);
  }
  expect(scheduler.state).toEqual(expected);
  expect(new Scheduler(scheduler.state).takeDue(1000)).toEqual(expected[0]);
});

it('keeps future events', () => {
  const scheduler = new Scheduler([dueAt(10, 'a'), dueAt(20, 'b')]);
  expect(scheduler.takeDue(9)).toBe(undefined);
  expect(scheduler.takeDue(10)).toEqual(dueAt(10, 'a'));
  expect(scheduler.takeDue(10)).toBe(undefined);
  expect(scheduler.state).toEqual([dueAt(20, 'b')]);
});
