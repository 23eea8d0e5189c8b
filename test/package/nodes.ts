/** The Nodes that the package is tried on: this one, and those that `.ci/package.mjs` has fetched. */
import { z } from 'zod';

const TriedNodes = z.array(z.object({ version: z.string(), path: z.string() }));

export type TriedNode = z.infer<typeof TriedNodes>[number];

export function nodesToTry(): readonly TriedNode[] {
  const here = { version: `${process.versions.node}, which runs this`, path: process.execPath };
  return [here, ...TriedNodes.parse(JSON.parse(process.env['TEST_NODES'] ?? '[]'))];
}
