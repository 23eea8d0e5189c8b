/** A sandbox for commands to judge, and a folder for their reports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';

/** Makes a folder that is removed with the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-verdict-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

/** Opens a sandbox that is closed with the test. */
export async function open(): Promise<{ sandbox: Sandbox; url: string }> {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const { url } = await sandbox.listen({ port: 0 });
  return { sandbox, url };
}
