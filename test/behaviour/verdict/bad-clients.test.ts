/** Each bad model client triggers the finding of its mistake, and no other finding. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Listening } from '../../../src/index.ts';
import { badClients } from '../model-clients/bad-clients/bad-clients.ts';
import { CornerShop } from '../model-clients/bad-clients/corner-shop.ts';

// The clock runs, and only the clients move it, so that their waits are visible.
const startedMs = Date.parse('2026-05-06T07:08:09Z');
const sandbox = createSandbox({ seed: 'bad-habits', systemClock: { nowMs: () => startedMs } });
let transport: Listening;
let clients = 0;

beforeAll(async () => {
  transport = await sandbox.listen({ port: 0 });
});
afterAll(() => sandbox.close());

it.each(Object.entries(badClients))(
  'reports the mistake of the client with %s',
  async (name, { rule, also = [], run }) => {
    const merchant = sandbox.merchant(`${name.replaceAll(/\W+/g, '-')}-${++clients}`);
    await run(new CornerShop(merchant, transport.url));
    const { findings } = await merchant.verdict();
    const found = new Set(findings.map((finding) => finding.rule));
    expect([...found].toSorted()).toEqual([rule, ...also].toSorted());
  },
);
