/** A sandbox that listens, and afterwards reports its remaining state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { importLibrary } from './library.ts';
import { collect, serveTasks } from './worker-link.ts';

/** The journal counts and the ledger sums of a merchant. */
export interface Books {
  readonly merchant: string;
  /** Exchanges that the journal keeps, and those that it dropped. */
  readonly kept: number;
  readonly dropped: number;
  readonly sums: readonly number[];
}

export interface Resources {
  readonly heapBytes: number;
  /** Sockets, servers, timers and everything else that keeps the process alive. */
  readonly handles: readonly string[];
}

const { createSandbox } = await importLibrary();
const sandbox = createSandbox({ seed: 'soak' });
const transport = await sandbox.listen({ port: 0 });

/** Keep-alive connections that are idle are not leaked; a client that left has been noticed by then. */
const quietMs = 500;

serveTasks({
  url: () => Promise.resolve(transport.url),
  resources: async () => {
    await sleep(quietMs);
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return {
      heapBytes: heapUsed + arrayBuffers,
      handles: process.getActiveResourcesInfo().toSorted(),
    } satisfies Resources;
  },
  books: () =>
    Promise.resolve(
      sandbox.merchants().map((id): Books => {
        const merchant = sandbox.merchant(id);
        const { dropped, entries: requests } = merchant.journal();
        return { merchant: id, kept: requests.length, dropped, sums: sumsOf(merchant.ledger()) };
      }),
    ),
  /** The ports of one call are the next call's only if nothing of it is left. */
  close: () => sandbox.close(),
});

/** Debits equal credits in each currency, so each sum is zero. */
function sumsOf({ balances }: ReturnType<typeof sandbox.ledger>): number[] {
  return Object.values(balances).map((accounts) =>
    Object.values(accounts).reduce((sum, minor) => sum + minor, 0),
  );
}
