/** A client that polls or retries sends and receives equal bodies. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactText } from '../../../src/redaction/redact.ts';
import { journalOf } from './write-entries.ts';

it('stores each body without its secrets, whatever came before at the same path', () => {
  const sent = ['{"number":"4417119669820331"}', '{"cvv2":"874"}', '{"number":1}', ''];
  const few = fc.constantFrom(undefined, ...sent, ...sent.map((text) => redactText(text)));
  fc.assert(
    fc.property(fc.array(fc.record({ request: few, response: few })), (exchanges) => {
      const kept = journalOf(exchanges)
        .all()
        .map(({ request, response }) => ({ request, response }));
      const safe = (text: string | undefined) => text && redactText(text);
      expect(kept).toEqual(
        exchanges.map(({ request, response }) => ({
          request: safe(request),
          response: safe(response),
        })),
      );
    }),
  );
});

it('keeps the bodies of the latest entries, however many entries were dropped', () => {
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
