/** The words of the verdict for each wrong client, kept in a file so that a review shows what people read. */
import { expect, it } from 'vitest';
import { expectKept } from '../../support/repository/kept-file.ts';
import { readText } from '../../support/repository/source-files.ts';
import { TestTransport, type Shop, type TransportName } from '../../support/transports.ts';
import { onTestTime } from '../verdict/support/payment-attempts.ts';
import { badClients } from './bad-clients/bad-clients.ts';
import { CornerShop } from './bad-clients/corner-shop.ts';
import { force } from './zoo/force.ts';
import { ShopCode } from './zoo/shop-code.ts';
import { wrongClients } from './zoo/wrong/wrong-clients.ts';

const page = 'test/contract/golden/findings.md';

type Verdict = Awaited<ReturnType<Shop['merchant']['verdict']>>;

function wordsOf({ findings, reasons }: Verdict): string {
  const lines = [
    ...findings.map(
      ({ rule, severity, confidence, what, remedy, subject }) =>
        `- \`${rule}\`${subject === undefined ? '' : ` of ${subject}`}, ${severity}, ${confidence}. ${what} ${remedy}`,
    ),
    ...reasons.filter(({ kind }) => kind !== 'finding').map(({ text }) => `- ${text}`),
  ];
  return lines.join('\n').replaceAll(randomId, '$1(a UUID)');
}

/** A request id that differs in each run. */
const randomId = /(PayPal-Request-Id )[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** A sandbox of its own gives each client the same ids in every run. */
async function onNewTransport(
  name: TransportName,
  fixtures: string,
  judge: (transport: TestTransport) => Promise<Verdict>,
): Promise<string> {
  const transport = new TestTransport(name, { ...onTestTime, fixtures });
  await transport.open();
  try {
    return wordsOf(await judge(transport));
  } finally {
    await transport.close();
  }
}

const ofZoo = Object.values(wrongClients)
  .flatMap((ofKind) => Object.entries(ofKind))
  .map(([name, { meets = [], run }]) => {
    const judge = async (transport: TestTransport): Promise<Verdict> => {
      const shop = transport.shop();
      for (const forced of meets) force(shop, forced);
      const beliefs = (await run(new ShopCode(shop))) ?? {};
      return shop.merchant.verdict({ beliefs });
    };
    return [name, () => onNewTransport('in process', 'empty', judge)] as const;
  });

const ofHabits = Object.entries(badClients).map(([name, { run }]) => {
  const judge = async (transport: TestTransport): Promise<Verdict> => {
    const { merchant } = transport.shop();
    await run(new CornerShop(merchant, transport.base));
    return merchant.verdict();
  };
  return [`with ${name}`, () => onNewTransport('socket', 'default', judge)] as const;
});

const clients = [...ofZoo, ...ofHabits];
const isRewritten = process.env['UPDATE_GOLDEN'] === '1';
const words = new Map<string, string>();

it.each(clients)(
  'the verdict says what findings.md shows about a client: %s',
  async (name, judge) => {
    const text = await judge();
    words.set(name, text);
    if (isRewritten) expect(text).not.toBe('');
    else expect(readText(page)).toContain(`## ${name}\n\n${text}\n`);
  },
);

it('findings.md has each wrong client once', () => {
  if (isRewritten) {
    const parts = [...words].map(([name, text]) => `## ${name}\n\n${text}\n`);
    const text = `# What a verdict says about wrong clients\n\n${parts.join('\n')}`;
    expectKept(page, text, 'UPDATE_GOLDEN');
  }
  const names = [...readText(page).matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  expect(
    names,
    'Write it with `UPDATE_GOLDEN=1 npm run test:run -- zoo-findings`, and review the difference.',
  ).toEqual(clients.map(([name]) => name));
});
