/** Keys in the wrong place: rules use `op` and `params`, steps use `with`, journal queries use `operation`. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

const params = { delay: '20ms' };

/** Passes anything, like a program without types. */
function saidOf(rule: object): string {
  try {
    createSandbox().force(JSON.parse(JSON.stringify(rule)));
  } catch (error) {
    return String(error);
  }
  return 'nothing';
}

it.each([
  [{ op: 'payment.create', outcome: 'slow-first-byte', with: params }, 'force with', 'params'],
  [{ operation: 'payment.create', outcome: 'slow-first-byte' }, 'force operation', 'op'],
  [
    { op: 'payment.create', outcome: { outcome: 'slow-first-byte', params } },
    'force outcome.params',
    'with',
  ],
  [
    { op: 'payment.create', sequence: [{ outcome: 'slow-first-byte', params }] },
    'force sequence[0].params',
    'with',
  ],
])('suggests the right key for %j', (rule, place, meant) => {
  const said = saidOf(rule);
  expect(said).toContain(`${place}: this key is not known here. Known: `);
  expect(said).toMatch(new RegExp(`Known: .*\\b${meant}\\b.*\\. Here it is called "${meant}"\\.$`));
});
