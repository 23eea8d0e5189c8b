/** Files of a user, to be mounted into containers. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder to mount that everybody can read. */
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

/** A fixture file with one card. */
export const oneCard = [
  'cards:',
  '  - id: CARD-MOUNTED00000000000000001',
  "    number: '4111111111111111'",
  '    type: visa',
  '    expire_month: 11',
  '    expire_year: 2031',
  '',
].join('\n');

/** A scenario file with one rule. */
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
