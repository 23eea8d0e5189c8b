import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { leavesOf } from '../json-leaves.ts';
import { formatTimes } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { examplesOf, groupByPlace } from './field-sightings.ts';

/** Finds e-mail addresses and telephone numbers in descriptions and notes. */
export const piiInDescription: FindingRule = {
  id: 'pii-in-description',
  severity: 'low',
  about: 'A description or note contained an e-mail address or a telephone number.',
  remedy: 'Keep personal data out of descriptions and notes: other systems show and store them.',
  find: findPersonalData,
};

const operationsWithTexts: ReadonlySet<OperationName | undefined> = new Set([
  'payment.create',
  'sale.refund',
  'capture.refund',
] as const);

const textPath =
  /^(?:note_to_payer|description|reason|transactions\[\d+\]\.(?:description|note_to_payee|item_list\.items\[\d+\]\.(?:name|description)))$/;
const emailAddress = /(?<![\w.+-])([\w.+-]{1,64})@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})*\.[a-z]{2,}/i;

/** Mailboxes of a shop are not personal. */
const shopMailbox =
  /^(?:support|help|info|sales|shop|store|orders?|contact|hello|billing|service|office|no-?reply)$/i;

/** A telephone number has a country prefix or follows a word such as "phone". Other digits may be an order number. */
const telephoneNumber =
  /(?<![\w+])\+[1-9]\d{0,2}[ ().-]{0,2}\d(?:[ ().-]{0,2}\d){6,12}(?!\w)|\b(?:tel|phone|mobile|cell)\b\.?:?\s*\(?\d(?:[ ().-]{0,2}\d){6,12}(?!\w)/i;

function* findPersonalData(evidence: Evidence): Generator<Detection> {
  const sightings: { readonly place: string; readonly entry: StoredEntry }[] = [];
  for (const entry of evidence.whereBodyHas('personal')) {
    if (!operationsWithTexts.has(entry.operation)) continue;
    for (const { path, value } of leavesOf(evidence.bodyOf(entry))) {
      const kind = typeof value === 'string' && textPath.test(path) ? kindOf(value) : undefined;
      if (kind !== undefined) {
        sightings.push({ place: `${path} of ${entry.operation ?? ''} contained ${kind}`, entry });
      }
    }
  }
  for (const [place, ofPlace] of groupByPlace(sightings)) {
    yield {
      what: `${place}, ${formatTimes(ofPlace.length)}.`,
      evidence: examplesOf(ofPlace),
      confidence: 'possible',
    };
  }
}

function kindOf(text: string): string | undefined {
  const mailbox = text.match(emailAddress)?.[1];
  if (mailbox !== undefined && !shopMailbox.test(mailbox)) return 'an e-mail address';
  return telephoneNumber.test(text) ? 'a telephone number' : undefined;
}
