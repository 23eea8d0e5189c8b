/** A sandbox that listens, and afterwards says what is left of what happened to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { importLibrary } from './library.ts';
import { collect, serveTasks } from './worker-link.ts';

/** What a merchant's journal says, and what its ledger comes to. */
export interface Books {
  readonly merchant: string;
  /** Exchanges that the journal holds, and those that it says it has dropped. */
  readonly kept: number;
  readonly dropped: number;
  readonly sums: readonly number[];
}

export interface Resources {
  readonly heapBytes: number;
  /** Sockets, servers, timers and whatever else would keep the process. */
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

/** In each currency what is debited is credited, so each comes to nothing. */
function sumsOf({ balances }: ReturnType<typeof sandbox.ledger>): number[] {
  return Object.values(balances).map((accounts) =>
    Object.values(accounts).reduce((sum, minor) => sum + minor, 0),
  );
}
