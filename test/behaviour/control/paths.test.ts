/** The control API stays small enough to remember. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { controlRoutes } from '../../../src/contract/control/routes.ts';
import { createSandbox } from '../../../src/index.ts';

it('the control API has fewer than 30 paths, besides its document', async () => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const answer = await sandbox.request('/_sandbox/no-such-path');
  // A wrong path is answered with every right one, as the app itself knows them.
  const { allowed } = z.object({ allowed: z.array(z.string()) }).parse(await answer.json());
  const served = new Set(allowed.filter((path) => path.startsWith('/_sandbox/')));
  served.delete('/_sandbox/openapi.json');
  expect([...served].toSorted()).toEqual(
    [...new Set(controlRoutes.map(({ path }) => path))].toSorted(),
  );
  expect(served.size).toBeLessThan(30);
});
