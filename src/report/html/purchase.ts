/** One purchase on the page: its drawing, and the same in words. */
import type { Attempt, Finding, Purchase } from '../verdicts.ts';
import type { DebugIdMark } from './debug-ids.ts';
import { counted } from '../phrases.ts';
import { atMost, clipped, html, leftOut, type Markup } from './markup.ts';
import { rowsOf, type Money, type Row } from './purchase-rows.ts';
import { timelineOf } from './timeline.ts';

/** More rows than this say no more. */
const mostRows = 24;

/** With the names of the findings about it; `anchor` is what findings point at. */
export function purchaseSheet(
  purchase: Purchase,
  anchor: string,
  findings: readonly Finding[],
  markOf: DebugIdMark,
): Markup {
  const { label, amount, belief } = purchase;
  const exchanges = purchase.attempts.length + (purchase.attemptsLeftOut ?? 0);
  const charges = purchase.charges.length + (purchase.chargesLeftOut ?? 0);
  const { shown, left } = atMost(rowsOf(purchase), mostRows);
  const name = `Timeline of purchase ${clipped(label, 60)}: ${counted(exchanges, 'exchange')}, ${counted(charges, 'charge')}. The list that follows says the same in words.`;
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return html`<article class="purchase ${rules.length > 0 ? 'odd' : ''}" id="${anchor}">
    <header>
      <h4>${clipped(label, 120)}</h4>
      <p>
        ${amount === undefined ? '' : html`${clipped(amount.total, 20)} ${clipped(amount.currency, 8)}, `}
        ${charges === 0 ? 'never charged' : `charged ${timesWord(charges)}`}
        ${belief === undefined ? '' : html`, and your code holds it to be ${belief}`}
        ${rules.map((rule) => html` <span class="tag bad">${rule}</span>`)}
      </p>
    </header>
    <div class="story">
      ${timelineOf(shown, name)}
      <ol>
        ${shown.map((row) => rowItem(row, markOf))}
      </ol>
    </div>
    ${leftOut(left + (purchase.attemptsLeftOut ?? 0), 'exchange', 'card-vault-sandbox verdict --format json shows 200, and GET /_sandbox/journal all.')}
  </article>`;
}

function timesWord(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}

function rowItem({ at, since, attempt, money }: Row, markOf: DebugIdMark): Markup {
  return html`<li>
    <time datetime="${at}" title="${at}">${since}</time>
    <div>
      ${attempt === undefined ? '' : attemptWords(attempt, markOf)} ${money.map(moneyWords)}
    </div>
  </li>`;
}

function attemptWords(attempt: Attempt, markOf: DebugIdMark): Markup {
  const { operation, status, problem, concludes, committed, replayed, delivery, outcomes } =
    attempt;
  const done = committed ? 'done' : replayed ? 'a repeat of what was done' : 'changed nothing';
  const knows = {
    OK: 'knows that it worked',
    FAIL: 'knows that it failed',
    UNKNOWN: 'cannot know',
  }[concludes];
  const answer =
    delivery === 'lost'
      ? 'the answer was lost'
      : delivery === 'open'
        ? 'still under way'
        : `${delivery === 'cut' ? 'cut short: ' : ''}${status} ${clipped(problem ?? '', 60)}`.trim();
  return html`<code>${clipped(operation, 60)}</code> ${done}; ${answer}; the client
    <strong class="${concludes}">${knows}</strong>.
    ${outcomes.map((id) => html` <span class="tag">${clipped(id, 40)}</span>`)}
    ${markOf(attempt.debugId)}`;
}

function moneyWords({ charge, knowledge, words }: Money): Markup {
  const { id, amount, net, state } = charge;
  return html`<p class="money">
    ${amount.total} ${amount.currency} taken, ${clipped(state, 30)}, ${net.total} kept:
    <strong class="${knowledge === 'told' ? 'OK' : 'FAIL'}">${words}</strong>.
    <code class="id">${id}</code>
  </p>`;
}
