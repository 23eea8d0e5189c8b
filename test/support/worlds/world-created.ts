/** Waits until a call has arrived that gets no response yet: by then the world of its merchant exists. */
import type { Remote, Sandbox } from '../../../src/index.ts';

/** Resolves once this merchant has a world. */
export async function worldCreated(sandbox: Sandbox | Remote, merchant: string): Promise<void> {
  const merchants = await sandbox.merchants();
  if (merchants.includes(merchant)) return;
  await new Promise((resolve) => setImmediate(resolve));
  await worldCreated(sandbox, merchant);
}
