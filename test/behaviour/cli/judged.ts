/** Sandboxes to be judged by commands, and folders for what those write. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';

/** It goes with the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-verdict-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

/** It closes with the test. */
export async function open(): Promise<{ sandbox: Sandbox; url: string }> {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const { url } = await sandbox.listen({ port: 0 });
  return { sandbox, url };
}
