/** Starts separate transports for a test, and writes responses byte for byte. */
import type { SandboxOptions } from '../../../src/index.ts';
import { Door, type DoorName, type Reply } from '../../support/transports.ts';
import { runs } from '../../support/runs.ts';

/** Headers that only the connection adds. */
export const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

/** A response byte for byte, without what the connection adds. */
export function writeResponse({ status, headers, text }: Reply<unknown>): string {
  const lines = [...headers].filter(([name]) => !hopByHop.has(name)).map((pair) => pair.join(': '));
  return [status, ...lines, '', text].join('\n');
}

/** Opens a separate transport for one use. */
export async function withTransport<T>(
  name: DoorName,
  options: SandboxOptions,
  use: (door: Door) => Promise<T>,
): Promise<T> {
  const door = new Door(name, options);
  await door.open();
  try {
    return await use(door);
  } finally {
    await door.close();
  }
}

/** Fewer runs over sockets, which are slower. */
export function runsFor(door: DoorName, inProcess: number): { readonly numRuns: number } {
  return { numRuns: runs(door === 'socket' ? Math.ceil(inProcess / 5) : inProcess) };
}
