/** Files of a user's own, to be mounted into containers. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder to mount, readable by all. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-mount-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  chmodSync(folder, 0o755);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Fixtures. */
export const oneCard = [
  'cards:',
  '  - id: CARD-MOUNTED00000000000000001',
  "    number: '4111111111111111'",
  '    type: visa',
  '    expire_month: 11',
  '    expire_year: 2031',
  '',
].join('\n');

/** A scenario. */
export const ownScenario = [
  'scenario: our-bad-day',
  'version: 1',
  'about: Every payment is answered with an error.',
  'rules:',
  '  - name: down',
  '    op: payment.create',
  '    then: error-500-after-commit',
  '',
].join('\n');
