/** What the HTTP clients of merchants make of faults, over real sockets. README.md beside this shows it as a table. */
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { findOutcome } from '../../../src/outcomes/catalogue.ts';
import { expectPart } from '../../support/documentation.ts';
import { root } from '../../support/source-files.ts';
import { faults } from './matrix/faults.ts';
import { cellOf, matrixTable, runMatrix, verdictTable, type Met } from './matrix/matrix.ts';
import { setUps } from './setups/all.ts';

const page = join(root, 'test', 'behaviour', 'model-clients', 'README.md');

let met: readonly Met[] = [];

beforeAll(async () => {
  // The SDK writes its troubles to the terminal, some of them once its connection was closed.
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  met = await runMatrix();
});

function cell(outcome: string, client: string, note?: string) {
  const fault = faults.find((one) => one.outcome === outcome && one.note === note);
  const setUp = setUps.find(({ name }) => name === client);
  if (fault === undefined || setUp === undefined) throw new Error(`No ${client} met ${outcome}.`);
  return cellOf(met, fault, setUp);
}

it('is what the README says (UPDATE_DOCS=1 makes it anew)', () => {
  expectPart(page, 'clients', matrixTable(met));
});

it('is judged as the README says', () => {
  expectPart(page, 'client-verdicts', verdictTable(met));
});

it('is judged to fail wherever money or a belief is wrong, and never where a client does it right', () => {
  for (const { setUp, fault, cell: seen } of met) {
    const { told, charges, verdict, met: isMet } = seen;
    if (!isMet) continue;
    const isTrue = told.word === 'paid' ? charges === 1 : charges === 0;
    const isKnown = told.word !== 'paid' || told.paymentId !== undefined;
    const place = `${fault.outcome}: ${setUp.name}`;
    if (!isTrue || !isKnown) expect([place, verdict.passed]).toEqual([place, false]);
    if (setUp.name === 'reference client') expect([place, verdict.findings]).toEqual([place, []]);
  }
});

it('meets faults of the catalogue, and every client meets every one that its connections allow', () => {
  expect(faults.filter(({ outcome }) => findOutcome(outcome) === undefined)).toEqual([]);
  const unmet = met.filter((one) => !one.cell.met);
  // It opens a connection for each call, so there is none to race on.
  expect(unmet.map(({ fault, setUp }) => `${fault.outcome}: ${setUp.name}`)).toEqual([
    'keepalive-race: superagent, `retry(2)`',
    'keepalive-race: superagent, `retry(2)`, `timeout`',
  ]);
});

it('ends as was known before it was run', () => {
  // Charged twice, and the merchant's own test would be green.
  expect(cell('keepalive-race', 'axios-retry')).toMatchObject({
    told: { word: 'paid' },
    charges: 2,
  });
  // Charged, and nobody knows.
  expect(cell('reset-after-commit', 'fetch', 'every time')).toMatchObject({
    told: { word: 'error' },
    charges: 1,
  });
  // The same retries, made harmless by a request id.
  expect(cell('keepalive-race', 'axios-retry, request id')).toMatchObject({
    told: { word: 'paid' },
    charges: 1,
    tries: 2,
  });
  // And a client that is right each time, be it that it cannot know.
  const right = met.filter(({ setUp }) => setUp.name === 'reference client');
  expect(right).toHaveLength(faults.length);
  for (const { fault, cell: seen } of right) {
    expect([fault.outcome, seen.charges]).toEqual([
      fault.outcome,
      seen.told.word === 'paid' ? 1 : 0,
    ]);
  }
});
