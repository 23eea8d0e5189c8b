/** One merchant on the page. */
import type { Finding, Verdict } from '../verdicts.ts';
import { debugIdMarks, type ExplainedAt } from './debug-ids.ts';
import { findingList, reasonList } from './findings.ts';
import { counted, heldWords } from '../phrases.ts';
import { html, type Markup } from './markup.ts';
import { purchaseSheet } from './purchase.ts';

/** The place of a merchant on the page. */
export function merchantAnchor(index: number): string {
  return `merchant-${index + 1}`;
}

/** Its verdict, findings and the first purchases of it; those with findings come first in a verdict. */
export function merchantSheet(
  verdict: Verdict,
  index: number,
  drawn: number,
  explainedAt?: ExplainedAt,
): Markup {
  const { merchant, passed, purchases, counts } = verdict;
  const anchor = merchantAnchor(index);
  const places = new Map(
    purchases.slice(0, drawn).map(({ key }, at) => [key, `${anchor}-purchase-${at + 1}`]),
  );
  const anchorOf = ({ intent }: Finding): string | undefined =>
    intent === undefined ? undefined : places.get(intent);
  const about = (key: string): readonly Finding[] =>
    verdict.findings.filter(({ intent, suppressed }) => intent === key && suppressed === undefined);
  const markOf = debugIdMarks(merchant, explainedAt);
  const held = heldWords(verdict);
  const left = counts.purchases - Math.min(drawn, purchases.length);
  return html`<section class="merchant" id="${anchor}" aria-labelledby="${anchor}-name">
    <h2 id="${anchor}-name">
      <span class="state ${passed ? 'good' : 'bad'}">${passed ? '✓ passed' : '✕ failed'}</span>
      <bdi>${merchant}</bdi>
    </h2>
    <p>
      ${counted(counts.requests, 'request')},
      ${counted(counts.purchases, 'purchase')}${held === undefined ? '' : `, ${held}`}; fails on
      ${verdict.failOn} and worse.
      ${verdict.totals.map(
        ({ currency, charged, givenBack, net }) =>
          html`<span class="total"
            >${currency}: ${charged} charged, ${givenBack} given back, ${net} kept.</span
          > `,
      )}
    </p>
    ${reasonList(verdict)} ${findingList(verdict, anchorOf, markOf)}
    ${places.size === 0 ? '' : html`<h3>Purchases</h3>`}
    ${purchases
      .slice(0, drawn)
      .map((purchase) =>
        purchaseSheet(purchase, places.get(purchase.key) ?? '', about(purchase.key), markOf),
      )}
    ${
      left === 0
        ? ''
        : html`<p class="left">
            ${left} of ${counted(counts.purchases, 'purchase')} ${left === 1 ? 'is' : 'are'} not
            drawn here. Those with findings come first.
          </p>`
    }
  </section>`;
}
