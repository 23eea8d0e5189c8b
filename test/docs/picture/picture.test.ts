/** The picture in the README is what a real run prints. */
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { expectKept } from '../../support/kept-file.ts';
import { readmePath } from '../../support/readme-part.ts';
import { runSession } from './session.ts';
import { columns, terminalSvg } from './terminal-svg.ts';

const picture = 'test/docs/picture/terminal.svg';

const commands = [
  '# A shop pays, loses the answer, and pays again under a new key. What became of the money?',
  'card-vault-sandbox --quiet &',
  'card-vault-sandbox wait',
  `curl -s 'localhost:3000/_sandbox/rules?merchant=my-shop' -H 'Content-Type: application/json' \\
  -d '{"op":"payment.create","outcome":"reset-after-commit"}'`,
  `pay() {
  curl -sS -o /dev/null -w '%{http_code}\\n' localhost:3000/v1/payments/payment -d @order.json \\
    -H 'Authorization: Bearer sandbox.my-shop' -H 'Content-Type: application/json' \\
    -H "PayPal-Request-Id: $1"
}`,
  'pay try-1',
  'pay try-2',
  'card-vault-sandbox verdict --merchant my-shop',
];

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) process.stdout.write('The picture was not made anew: this machine has no curl.\n');

it.runIf(hasCurl)('shows a charge that no test saw (UPDATE_PICTURE=1 makes it anew)', async () => {
  const steps = await runSession(commands);
  const printed = steps.map((step) => step.printed).join('\n');
  expect(printed).toMatch(/^201$/m);
  expect(printed).toMatch(/CRITICAL double-charge/);
  const lines = steps.flatMap((step) => `${step.typed}\n${step.printed}`.split('\n'));
  expect(lines.filter((line) => line.length > columns - 2)).toEqual([]);
  const svg = terminalSvg('A verdict finds that a buyer was charged twice', steps);
  expect(Buffer.byteLength(svg)).toBeLessThan(40_000);
  expectKept(picture, svg, 'UPDATE_PICTURE');
  expect(readFileSync(readmePath, 'utf8')).toContain(`](${picture})`);
});
