/** One merchant on the page. */
import { formatCount } from '../../shared/counts.ts';
import {
  describeExpectations,
  describeOpen,
  describePending,
  describeTotal,
  isWaitingForRequests,
  pendingFates,
  type Finding,
  type Verdict,
} from '../verdicts.ts';
import { findingList, reasonList } from './findings.ts';
import { clip, debugIdWriter, html, type ExplainedAt, type Markup } from './markup.ts';
import { purchaseSheet } from './purchase.ts';

/** The anchor of the merchant with this index. */
export function merchantAnchor(index: number): string {
  return `merchant-${index + 1}`;
}

interface SheetSettings {
  readonly explainedAt: ExplainedAt | undefined;
  readonly mayWait: boolean;
}

/** Its verdict, its findings and the first `drawn` purchases. Purchases with findings come first in a verdict. */
export function merchantSheet(
  verdict: Verdict,
  index: number,
  drawn: number,
  { explainedAt, mayWait }: SheetSettings,
): Markup {
  const { merchant, passed, purchases, counts } = verdict;
  const anchor = merchantAnchor(index);
  const purchaseAnchors = new Map(
    purchases.slice(0, drawn).map(({ key }, at) => [key, `${anchor}-purchase-${at + 1}`]),
  );
  const anchorOf = ({ intent }: Finding): string | undefined =>
    intent === undefined ? undefined : purchaseAnchors.get(intent);
  const findingsAbout = (key: string): readonly Finding[] =>
    verdict.findings.filter(({ intent, suppressed }) => intent === key && suppressed === undefined);
  const writeDebugId = debugIdWriter(merchant, explainedAt);
  const expectations = describeExpectations(verdict);
  const pending = describePending(verdict);
  const fates = pendingFates(verdict);
  const open = describeOpen(verdict);
  const isWaiting = mayWait && isWaitingForRequests(verdict);
  const leftOut = counts.purchases - Math.min(drawn, purchases.length);
  return html`<section class="merchant" id="${anchor}" aria-labelledby="${anchor}-name">
    <h2 id="${anchor}-name">
      ${isWaiting ? html`<span class="state">no requests yet</span>` : html`<span class="state ${passed ? 'good' : 'bad'}">${passed ? '✓ passed' : '✕ failed'}</span>`}
      <bdi>${merchant}</bdi>
    </h2>
    <p>
      ${formatCount(counts.requests, 'request')},
      ${formatCount(counts.purchases, 'purchase')}${expectations === undefined ? '' : `, ${expectations}`}.
      Findings of severity ${verdict.failOn} or worse fail the verdict.
      ${verdict.totals.map((total) => html`<span class="total">${describeTotal(total)}.</span> `)}
      ${open === undefined ? '' : html`<span class="total">Not ended: ${open}.</span>`}
      ${pending === undefined ? '' : html`<span class="total">${pending}.</span>`}
    </p>
    ${isWaiting ? nextSteps(verdict) : reasonList(verdict)}
    ${isWaiting ? '' : findingList(verdict, anchorOf, writeDebugId)}
    ${purchaseAnchors.size === 0 ? '' : html`<h3>Purchases</h3>`}
    ${purchases
      .slice(0, drawn)
      .map((purchase) =>
        purchaseSheet(
          purchase,
          purchaseAnchors.get(purchase.key) ?? '',
          findingsAbout(purchase.key),
          fates,
          writeDebugId,
        ),
      )}
    ${
      leftOut === 0
        ? ''
        : html`<p class="left">
            ${leftOut} of ${formatCount(counts.purchases, 'purchase')}
            ${leftOut === 1 ? 'is' : 'are'} not on this page. Purchases with findings come first.
          </p>`
    }
  </section>`;
}

/** What to do before there is anything to judge. The reason says which merchants sent requests, if others did. */
function nextSteps({ reasons }: Verdict): Markup {
  const why = reasons.find(({ kind }) => kind === 'no-requests')?.text ?? '';
  return html`<p class="quiet">
    ${clip(why, 600)} Send a request, then load this page again. In CI this verdict fails.
  </p>`;
}
