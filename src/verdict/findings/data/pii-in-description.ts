import type { FindingRule, Detection } from '../finding-rule.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { type Sighting, notices } from './text-sightings.ts';
import { leavesOf } from '../../evidence/json-leaves.ts';

/** A free text held an e-mail address or a telephone number. */
export const piiInDescription: FindingRule = {
  id: 'pii-in-description',
  severity: 'low',
  about: 'A free text held an e-mail address or a telephone number.',
  remedy: 'Keep personal data out of descriptions and notes: they are shown and stored elsewhere.',
  find: personalTexts,
};

/** Operations that take free texts. */
const withTexts: ReadonlySet<OperationName | undefined> = new Set([
  'payment.create',
  'sale.refund',
  'capture.refund',
] as const);

const freeText =
  /^(?:note_to_payer|description|reason|transactions\[\d+\]\.(?:description|note_to_payee|item_list\.items\[\d+\]\.(?:name|description)))$/;

const email = /(?<![\w.+-])([\w.+-]{1,64})@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})*\.[a-z]{2,}/i;

/** Mailboxes of a shop, which it may well name. */
const ofShop =
  /^(?:support|help|info|sales|shop|store|orders?|contact|hello|billing|service|office|no-?reply)$/i;

/** With the country's prefix, or after a word that says so: other digits are numbers of orders. */
const telephone =
  /(?<![\w+])\+[1-9]\d{0,2}[ ().-]{0,2}\d(?:[ ().-]{0,2}\d){6,12}(?!\w)|\b(?:tel|phone|mobile|cell)\b\.?:?\s*\(?\d(?:[ ().-]{0,2}\d){6,12}(?!\w)/i;

function* personalTexts(evidence: Evidence): Generator<Detection> {
  const seen: Sighting[] = [];
  for (const entry of evidence.whereBodyHas('personal')) {
    if (!withTexts.has(entry.operation)) continue;
    for (const { path, value } of leavesOf(evidence.bodyOf(entry))) {
      if (typeof value !== 'string' || !freeText.test(path)) continue;
      const mailbox = value.match(email)?.[1];
      const kind =
        mailbox !== undefined && !ofShop.test(mailbox)
          ? 'an e-mail address'
          : telephone.test(value)
            ? 'a telephone number'
            : undefined;
      if (kind !== undefined) {
        seen.push({ place: `${path} of ${entry.operation ?? ''} held ${kind}`, entry });
      }
    }
  }
  for (const notice of notices(seen)) yield { ...notice, confidence: 'possible' };
}
