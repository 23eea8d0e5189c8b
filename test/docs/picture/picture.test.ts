/** The picture in the README shows the output of a real run. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { expectKept } from '../../support/repository/kept-file.ts';
import { readPage } from '../../support/repository/documentation.ts';
import { runSession } from './session.ts';
import { columns, terminalSvg } from './terminal-svg.ts';

const picture = 'docs/terminal.svg';

const commands = [
  '# A shop pays, loses the answer, and pays again with a new key. What happened to the money?',
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
if (!hasCurl) process.stdout.write('The picture was not checked: this machine has no curl.\n');

it.runIf(hasCurl)(
  'shows a double charge that no test noticed (UPDATE_PICTURE=1 writes it)',
  async () => {
    const steps = await runSession(commands);
    const printed = steps.map((step) => step.printed).join('\n');
    expect(printed).toMatch(/^201$/m);
    expect(printed).toMatch(/CRITICAL double-charge/);
    const lines = steps.flatMap((step) => `${step.typed}\n${step.printed}`.split('\n'));
    expect(lines.filter((line) => line.length > columns - 2)).toEqual([]);
    const svg = terminalSvg('A verdict finds that a buyer was charged twice', steps);
    expect(Buffer.byteLength(svg)).toBeLessThan(40_000);
    expectKept(picture, svg, 'UPDATE_PICTURE');
    expect(readPage('README.md')).toContain(`](${picture})`);
  },
);
