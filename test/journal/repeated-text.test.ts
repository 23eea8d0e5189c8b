/** A text that comes again and again is kept once: clients retry and poll. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactText } from '../../src/redaction/redact.ts';
import { RepeatedText } from '../../src/journal/repeated-text.ts';
import { TextStore } from '../../src/journal/text-store.ts';
import { journalOf } from './entries.ts';

it('is stored once for as long as it comes again', () => {
  const few = fc.constantFrom(undefined, '{}', '{"id":"one"}', '{"id":"another"}');
  fc.assert(
    fc.property(fc.array(fc.record({ request: few, response: few })), (exchanges) => {
      const entries = journalOf(exchanges).all();
      for (const side of ['request', 'response'] as const) {
        const texts = exchanges.map((one) => one[side]).filter((text) => text !== undefined);
        const changes = texts.filter((text, at) => text !== texts[at - 1]);
        const name = side === 'request' ? 'storedRequest' : 'storedResponse';
        const stored = entries.flatMap((entry) => entry[name] ?? []);
        expect(stored.map((one) => one.read())).toEqual(texts);
        expect(stored.filter((one, at) => one !== stored[at - 1])).toHaveLength(changes.length);
      }
    }),
  );
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

it('is there for as long as its entry, however many made room for it', () => {
  const length = fc.constantFrom(1, 9_000, 16_000);
  const exchanges = fc.array(fc.tuple(length, length), { minLength: 20, maxLength: 60 });
  fc.assert(
    fc.property(exchanges, fc.integer({ min: 1, max: 6 }), (lengths, maxEntries) => {
      const written = lengths.map(([request, response], at) => ({
        request: `${at}`.padEnd(request, '.'),
        response: `${at % 3}`.padEnd(response, '-'),
      }));
      const journal = journalOf(written, { maxEntries });
      const kept = journal.find().map(({ request, response }) => ({ request, response }));
      expect(kept).toEqual(written.slice(-maxEntries));
    }),
  );
});
