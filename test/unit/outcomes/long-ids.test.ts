/** Long ids lead back to the stored ids and are not mistaken for card numbers. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lengthenId, restoreId } from '../../../src/outcomes/effects/long-id-dialect.ts';
import { redactText } from '../../../src/redaction/redact.ts';
import { runs } from '../../support/vitest/runs.ts';

/** Ids in the form of sales, captures, authorizations and refunds. */
const ids = fc.stringMatching(/^\d[A-Z]{2}\d{5}[A-Z]{2}\d{7}$/);

it('a long id is not a card number and restores the stored id', () => {
  fc.assert(
    fc.property(ids, (id) => {
      const shown = lengthenId('id', id);
      expect(shown).toHaveLength(64);
      expect(redactText(`{"id":"${shown}"}`)).toBe(`{"id":"${shown}"}`);
      expect(restoreId(shown)).toBe(id);
    }),
    { numRuns: runs(2000) },
  );
});
