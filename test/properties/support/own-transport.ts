/** Starts separate transports for a test, and writes responses byte for byte. */
import type { SandboxOptions } from '../../../src/index.ts';
import { TestTransport, type TransportName, type Reply } from '../../support/transports.ts';
import { runs } from '../../support/vitest/runs.ts';

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
  name: TransportName,
  options: SandboxOptions,
  use: (transport: TestTransport) => Promise<T>,
): Promise<T> {
  const transport = new TestTransport(name, options);
  await transport.open();
  try {
    return await use(transport);
  } finally {
    await transport.close();
  }
}

/** Fewer runs over sockets, which are slower. */
export function runsFor(transport: TransportName, inProcess: number): { readonly numRuns: number } {
  return { numRuns: runs(transport === 'socket' ? Math.ceil(inProcess / 5) : inProcess) };
}
