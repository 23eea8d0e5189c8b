/** The words of the verdict for each wrong client of the zoo, kept in a file so that a review shows what people read. */
import { expect, it } from 'vitest';
import { expectKept } from '../../support/repository/kept-file.ts';
import { readText } from '../../support/repository/source-files.ts';
import { TestTransport } from '../../support/transports.ts';
import { onTestTime } from '../verdict/support/payment-attempts.ts';
import { force } from './zoo/force.ts';
import { ShopCode } from './zoo/shop-code.ts';
import type { WrongClient } from './zoo/client.ts';
import { wrongClients } from './zoo/wrong/wrong-clients.ts';

const page = 'test/contract/golden/findings.md';

/** What the verdict says about a client. A sandbox of its own gives it the same ids in every run. */
async function wordsAbout({ meets = [], run }: WrongClient): Promise<string> {
  const transport = new TestTransport('in process', onTestTime);
  await transport.open();
  const shop = transport.shop();
  for (const forced of meets) force(shop, forced);
  const beliefs = (await run(new ShopCode(shop))) ?? {};
  const { findings, reasons } = await shop.merchant.verdict({ beliefs });
  await transport.close();
  const lines = [
    ...findings.map(
      ({ rule, severity, confidence, what, remedy }) =>
        `- \`${rule}\`, ${severity}, ${confidence}. ${what} ${remedy}`,
    ),
    ...reasons.filter(({ kind }) => kind !== 'finding').map(({ text }) => `- ${text}`),
  ];
  return lines.join('\n');
}

const clients = Object.values(wrongClients).flatMap((ofKind) => Object.entries(ofKind));
const words = new Map<string, string>();

it.each(clients)('the verdict says what findings.md shows about: %s', async (name, client) => {
  const text = await wordsAbout(client);
  words.set(name, text);
  if (process.env['UPDATE_GOLDEN'] !== '1')
    expect(readText(page)).toContain(`## ${name}\n\n${text}\n`);
  else expect(text).not.toBe('');
});

it('findings.md has each wrong client once', () => {
  const parts = [...words].map(([name, text]) => `## ${name}\n\n${text}\n`);
  expect(parts).toHaveLength(clients.length);
  expectKept(
    page,
    `# What a verdict says about wrong clients\n\n${parts.join('\n')}`,
    'UPDATE_GOLDEN',
  );
});
