/** The wait of an answer for other workers of a client. */
import { expect, it } from 'vitest';
import { gatherMs, gatherMsAt } from '../../../src/transports/gathering.ts';

it.each([
  ['is calm', 0.3, 2, 20],
  ['has as much work as cores', 4, 4, 20],
  ['has three times as much work as cores', 6, 2, 100],
  ['has far more work than cores', 40, 2, 250],
  ['does not count its work', 0, 8, 20],
])(
  'waits for the workers of a client as long as they need on a machine that %s',
  (_, tasks, cores, ms) => {
    expect(gatherMsAt(tasks, cores)).toBe(ms);
  },
);

it('waits between 20 and 250 ms on this machine', () => {
  expect(gatherMs()).toBeGreaterThanOrEqual(20);
  expect(gatherMs()).toBeLessThanOrEqual(250);
});
