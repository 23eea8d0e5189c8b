/** A text that comes again and again is kept once: clients retry and poll. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { redactText } from '../../src/journal/redact.ts';
import { RepeatedText } from '../../src/journal/repeated-text.ts';
import { TextStore } from '../../src/journal/text-store.ts';
import { collectGarbage } from '../properties/heap.ts';

it('costs the memory of one', async () => {
  const sandbox = createSandbox({
    clock: { frozen: true },
    limits: { maxJournalEntries: 2_000, maxJournalBytes: 10 ** 9 },
  });
  const merchant = sandbox.merchant('poller');
  const list = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      const answer = await sandbox.fetch('/v1/vault/credit-cards', {
        headers: { Authorization: `Bearer ${merchant.token}` },
      });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
  };
  const usedBytes = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  await list(200);
  const before = usedBytes();
  await list(1_000);
  const grownBytes = usedBytes() - before;
  const { requests } = merchant.requests();
  const keptBytes = requests.reduce((sum, { response = '' }) => sum + response.length, 0);
  expect(requests.length).toBe(1_200);
  expect(keptBytes).toBeGreaterThan(4_000_000);
  expect(grownBytes).toBeLessThan(keptBytes / 2);
  await sandbox.close();
});

it('is redacted each time, whatever came before it', () => {
  const sent = ['{"number":"4417119669820331"}', '{"cvv2":"874"}', '{"number":1}', ''];
  const few = fc.constantFrom(...sent, ...sent.map((text) => redactText(text)));
  fc.assert(
    fc.property(fc.array(few), (texts) => {
      const repeated = new RepeatedText(new TextStore(), redactText);
      const kept = texts.map((text) => repeated.once(text)?.read());
      expect(kept).toEqual(texts.map((text) => redactText(text)));
    }),
  );
});
