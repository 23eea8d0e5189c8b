/** Runs common HTTP clients against faults over real sockets. docs/reference/http-clients.md shows the results. */
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { findOutcome } from '../../../src/outcomes/catalogue.ts';
import { expectPart } from '../../support/repository/documentation.ts';
import { root } from '../../support/repository/source-files.ts';
import { faults } from './matrix/faults.ts';
import { trialOf, matrixTable, runMatrix, verdictTable, type MatrixRow } from './matrix/matrix.ts';
import { setUps } from './setups/all.ts';

const page = join(root, 'docs', 'reference', 'http-clients.md');

let met: readonly MatrixRow[] = [];

beforeAll(async () => {
  // The SDK logs errors to the terminal, some of them after its connection closed.
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  met = await runMatrix();
});

function cell(outcome: string, client: string, note?: string) {
  const fault = faults.find((one) => one.outcome === outcome && one.note === note);
  const setUp = setUps.find(({ name }) => name === client);
  if (fault === undefined || setUp === undefined) throw new Error(`No ${client} met ${outcome}.`);
  return trialOf(met, fault, setUp);
}

it('matches the table of results in the documentation (UPDATE_DOCS=1 rewrites it)', () => {
  expectPart(page, 'clients', matrixTable(met));
});

it('matches the table of verdicts in the documentation', () => {
  expectPart(page, 'client-verdicts', verdictTable(met));
});

it('fails every verdict with wrong money or a wrong belief, and no verdict of the reference client', () => {
  for (const { setUp, fault, trial: seen } of met) {
    const { result, charges, verdict, hasMetFault: isMet } = seen;
    if (!isMet) continue;
    const isTrue = result.word === 'paid' ? charges === 1 : charges === 0;
    const isKnown = result.word !== 'paid' || result.paymentId !== undefined;
    const place = `${fault.outcome}: ${setUp.name}`;
    if (!isTrue || !isKnown) expect([place, verdict.passed]).toEqual([place, false]);
    if (setUp.name === 'reference client') expect([place, verdict.findings]).toEqual([place, []]);
  }
});

it('uses faults of the catalogue, and each client meets all that its connections allow', () => {
  expect(faults.filter(({ outcome }) => findOutcome(outcome) === undefined)).toEqual([]);
  const unmet = met.filter((one) => !one.trial.hasMetFault);
  // It opens a connection for each call, so no idle connection can close.
  expect(unmet.map(({ fault, setUp }) => `${fault.outcome}: ${setUp.name}`)).toEqual([
    'keepalive-race: superagent, `retry(2)`',
    'keepalive-race: superagent, `retry(2)`, `timeout`',
  ]);
});

it('confirms the known results', () => {
  // Charged twice, although the merchant's own test would pass.
  expect(cell('keepalive-race', 'axios-retry')).toMatchObject({
    result: { word: 'paid' },
    charges: 2,
  });
  // Charged, and the client does not know it.
  expect(cell('reset-after-commit', 'fetch', 'every time')).toMatchObject({
    result: { word: 'error' },
    charges: 1,
  });
  // The same retries, made harmless by a request id.
  expect(cell('keepalive-race', 'axios-retry, request id')).toMatchObject({
    result: { word: 'paid' },
    charges: 1,
    tries: 2,
  });
  // The reference client is right each time, or knows that it cannot know.
  const right = met.filter(({ setUp }) => setUp.name === 'reference client');
  expect(right).toHaveLength(faults.length);
  for (const { fault, trial: seen } of right) {
    expect([fault.outcome, seen.charges]).toEqual([
      fault.outcome,
      seen.result.word === 'paid' ? 1 : 0,
    ]);
  }
});
