/** Each finding rule is needed: a client exists whose verdict says less without it. */
import { expect, it } from 'vitest';
import { findingRules } from '../../../src/verdict/findings/finding-rules.ts';
import { badClients } from '../model-clients/bad-clients/bad-clients.ts';
import { wrongClients } from '../model-clients/zoo/wrong/wrong-clients.ts';

/** They need a certain machine, connection or number of clients, so tests of their own cover them. */
const testedElsewhere: readonly string[] = [
  'hidden-transport-retry',
  'retry-no-jitter',
  'connection-per-request',
  'idle-timer-only',
  'live-looking-credential',
  'real-looking-card',
];

it('has a bad or wrong client for each finding rule', () => {
  const found = new Set<string>([
    ...Object.values(badClients).flatMap(({ rule, also = [] }) => [rule, ...also]),
    ...Object.values(wrongClients).flatMap((clients) =>
      Object.values(clients).map((client) => client.found),
    ),
  ]);
  const missing = findingRules.map(({ id }) => id).filter((id) => !found.has(id));
  expect(missing).toEqual(testedElsewhere);
});
