import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { leavesOf } from '../../evidence/json-leaves.ts';
import { formatCount, firstExamples } from '../../phrases.ts';

/** A token stood in an address or a body, where it is logged. */
export const tokenInUrl: FindingRule = {
  id: 'token-in-url',
  severity: 'critical',
  about: 'A token stood in an address or a body, where it is logged.',
  remedy: 'Send a token in the Authorization header only.',
  find: tokensInUrls,
};

const tokenKey = /^(?:access|refresh)[_-]?token$/i;

function* tokensInUrls(evidence: Evidence): Generator<Detection> {
  // Other keys end in `token` as well.
  const inBody = evidence
    .whereBodyHas('token')
    .filter((entry) =>
      [...leavesOf(evidence.bodyOf(entry))].some(
        ({ key, value }) => tokenKey.test(key) && typeof value === 'string' && value !== '',
      ),
    );
  const sightings = [
    ['address', evidence.wherePathHas('token')],
    ['body', inBody],
  ] as const;
  for (const [where, entries] of sightings) {
    if (entries.length === 0) continue;
    yield {
      what: `A token stood in the ${where} of ${formatCount(entries.length, 'request')}.`,
      evidence: firstExamples(entries),
    };
  }
}
