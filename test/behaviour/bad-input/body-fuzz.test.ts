import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { fuzzBodies } from './body-fuzz.ts';

const isLong = process.env['FUZZ_BODIES'] !== undefined;
const bodies = Number(process.env['FUZZ_BODIES'] ?? 300);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

onEveryTransport('a mutated body', (transport) => {
  it('is answered as the contract says, does nothing by halves, and leaves no secret', async () => {
    const figures = await fuzzBodies(transport, bodies, seed);
    expect(figures.bodies).toBe(bodies);
    expect(figures.statuses.size).toBeGreaterThan(1);
    if (isLong) process.stdout.write(`${transport.name}: ${inspect(figures)}\n`);
  }, 3_600_000);
});
