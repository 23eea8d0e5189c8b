/** Waits for a call that nobody answers yet: the world of its merchant is made when it has arrived. */
import type { Remote, Sandbox } from '../../src/index.ts';

/** Resolves once a merchant that nobody knew has a world. */
export async function begun(sandbox: Sandbox | Remote, merchant: string): Promise<void> {
  const merchants = await sandbox.merchants();
  if (merchants.includes(merchant)) return;
  await new Promise((resolve) => setImmediate(resolve));
  await begun(sandbox, merchant);
}
