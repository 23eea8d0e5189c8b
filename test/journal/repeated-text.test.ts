/** A text that comes again and again is kept once: clients retry and poll. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactText } from '../../src/redaction/redact.ts';
import { RepeatedText } from '../../src/journal/repeated-text.ts';
import { TextStore } from '../../src/journal/text-store.ts';
import { journalOf } from './entries.ts';

const address = fc.constantFrom('/a', '/b', '/c');

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
    fc.property(fc.array(fc.tuple(few, address)), (came) => {
      const repeated = new RepeatedText(new TextStore(), redactText);
      const kept = came.map(([text, at]) => repeated.once(text, at)?.read());
      expect(kept).toEqual(came.map(([text]) => redactText(text)));
    }),
  );
});

it('is stored once at each of the addresses that are polled in turn', () => {
  const polled = Array.from({ length: 16 }, (_, at) => `/v1/payments/sale/${at}`);
  const shown = (path: string, turn: number) => ({ path, response: `{"of":"${path} ${turn}"}` });
  const twice = (paths: readonly string[], turns: readonly number[]) =>
    journalOf(turns.flatMap((turn) => paths.map((path) => shown(path, turn))))
      .all()
      .map(({ storedResponse }) => storedResponse);
  expect(new Set(twice(polled, [1, 1, 1])).size).toBe(16);
  expect(new Set(twice(polled, [1, 2, 2])).size).toBe(32);
  // Of the seventeenth nothing is remembered: what is known of clients' texts is bounded.
  expect(new Set(twice([...polled, '/other'], [1, 1])).size).toBe(34);
});

it('is stored anew once it made room for others', () => {
  const store = new TextStore();
  const repeated = new RepeatedText(store, redactText);
  const long = 'x'.repeat(40_000);
  const first = repeated.once('{"state":"ok"}', '/polled');
  if (first !== undefined) store.release(first);
  for (let at = 0; at < 8; at++) store.release(store.keep(`${at}${long}`));
  expect(repeated.once('{"state":"ok"}', '/polled')?.read()).toBe('{"state":"ok"}');
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
