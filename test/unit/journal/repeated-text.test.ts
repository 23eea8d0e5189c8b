/** A text that comes again and again is kept once: clients retry and poll. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactText } from '../../../src/redaction/redact.ts';
import { RepeatedText } from '../../../src/journal/text/repeated-text.ts';
import { TextStore, type StoredText } from '../../../src/journal/text/text-store.ts';
import { journalOf, write } from './entries.ts';

it('is stored once for as long as it comes again', () => {
  const few = fc.constantFrom(undefined, '{}', '{"id":"one"}', '{"id":"another"}');
  fc.assert(
    fc.property(fc.array(fc.record({ request: few, response: few })), (exchanges) => {
      const entries = journalOf(exchanges).all();
      for (const side of ['request', 'response'] as const) {
        const texts = exchanges.map((one) => one[side]);
        const changes = texts.filter((text, at) => text !== texts[at - 1]);
        const name = side === 'request' ? 'storedRequest' : 'storedResponse';
        const stored = entries.map((entry) => entry[name]);
        expect(stored.map((one) => one?.read())).toEqual(texts);
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
      let latest: StoredText | undefined;
      for (const text of texts) {
        latest = repeated.store(text, latest);
        expect(latest?.read()).toBe(redactText(text));
      }
    }),
  );
});

it('is stored once at each address that is polled, while the latest entry of that address is there', () => {
  const polled = Array.from({ length: 40 }, (_, at) => `/v1/payments/sale/${at}`);
  const shown = polled.map((path) => ({ path, response: `{"of":"${path}"}` }));
  const storedBy = (maxEntries: number) => {
    const journal = journalOf([], { maxEntries });
    const texts = [...shown, ...shown, ...shown].map((exchange) => {
      write(journal, exchange);
      return journal.all().at(-1)?.storedResponse;
    });
    return new Set(texts).size;
  };
  expect(storedBy(41)).toBe(40);
  // Each has made room for the others when its address is asked again.
  expect(storedBy(40)).toBe(120);
});

it('is stored anew where what an address showed meanwhile was another', () => {
  const texts = ['{"state":"pending"}', '{"state":"completed"}', '{"state":"pending"}'];
  const entries = journalOf(texts.map((response) => ({ response }))).all();
  expect(new Set(entries.map(({ storedResponse }) => storedResponse)).size).toBe(3);
});

it('is stored anew once it made room for others', () => {
  const store = new TextStore();
  const repeated = new RepeatedText(store, redactText);
  const long = 'x'.repeat(40_000);
  const fill = () => {
    // The first chunks are smaller than those that are written again.
    for (let at = 0; at < 8; at++) store.release(store.keep(`${at}${long}`));
  };
  fill();
  const first = repeated.store('{"state":"ok"}', undefined);
  if (first !== undefined) store.release(first);
  fill();
  expect(first?.read()).toBeUndefined();
  expect(repeated.store('{"state":"ok"}', first)?.read()).toBe('{"state":"ok"}');
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
