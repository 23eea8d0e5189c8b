import type { Evidence } from '../../evidence/evidence.ts';
import { leavesOf } from '../json-leaves.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds access tokens in URLs and request bodies. */
export const tokenInUrl: FindingRule = {
  id: 'token-in-url',
  severity: 'critical',
  about: 'A token was sent in a URL or body, where servers and proxies log it.',
  remedy: 'Send a token only in the Authorization header.',
  find: findTokensOutsideHeader,
};

/** Other keys end in `token`, too. */
const tokenKey = /^(?:access|refresh)[_-]?token$/i;

function* findTokensOutsideHeader(evidence: Evidence): Generator<Detection> {
  const inBody = evidence
    .whereBodyHas('token')
    .filter((entry) =>
      leavesOf(evidence.bodyOf(entry)).some(
        ({ key, value }) => tokenKey.test(key) && typeof value === 'string' && value !== '',
      ),
    );
  const sightings = [
    ['URL', evidence.wherePathHas('token')],
    ['body', inBody],
  ] as const;
  for (const [place, entries] of sightings) {
    if (entries.length === 0) continue;
    yield {
      what: `A token was sent in the ${place} of ${formatCount(entries.length, 'request')}.`,
      evidence: firstExamples(entries),
    };
  }
}
