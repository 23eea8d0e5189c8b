/** One purchase on the page: its drawing, and the same in words. */
import { formatCount, formatTimes } from '../../shared/counts.ts';
import {
  describeState,
  hasTakenMoney,
  type Attempt,
  type Finding,
  type PendingFates,
  type Purchase,
} from '../verdicts.ts';
import { clip, firstItems, html, leftOutNote, type DebugIdWriter, type Markup } from './markup.ts';
import { rowsOf, type ChargeRow, type Row } from './purchase-rows.ts';
import { timelineOf } from './timeline.ts';

/** More rows would not help a reader. */
const maxRows = 24;

/** One purchase with the names of its findings. Findings link to `anchor`. */
export function purchaseSheet(
  purchase: Purchase,
  anchor: string,
  findings: readonly Finding[],
  fates: PendingFates,
  writeDebugId: DebugIdWriter,
): Markup {
  const { label, amount, belief } = purchase;
  const exchanges = purchase.attempts.length + (purchase.attemptsLeftOut ?? 0);
  const charges = purchase.charges.length + (purchase.chargesLeftOut ?? 0);
  const waiting = purchase.charges.filter((charge) => !hasTakenMoney(charge)).length;
  const { shown, leftOut } = firstItems(rowsOf(purchase, fates), maxRows);
  const name = `Timeline of purchase ${clip(label, 60)}: ${formatCount(exchanges, 'request')}, ${formatCount(charges, 'charge')}. The list after it says the same in words.`;
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return html`<article class="purchase ${rules.length > 0 ? 'odd' : ''}" id="${anchor}">
    <header>
      <h4>${clip(label, 120)}</h4>
      <p>
        ${amount === undefined ? '' : html`${clip(amount.total, 20)} ${clip(amount.currency, 8)}, `}
        ${charges === waiting ? 'not charged' : `charged ${formatTimes(charges - waiting)}`}${waiting === 0 ? '' : `, ${waiting} pending or denied`}
        ${belief === undefined ? '' : html`; your code reports it as ${belief}`}
        ${rules.map((rule) => html` <span class="tag bad">${rule}</span>`)}
      </p>
    </header>
    <div class="story">
      ${timelineOf(shown, name)}
      <ol>
        ${shown.map((row) => rowItem(row, fates, writeDebugId))}
      </ol>
    </div>
    ${leftOutNote(leftOut + (purchase.attemptsLeftOut ?? 0), 'request', 'card-vault-sandbox verdict --format json lists up to 200, the journal lists all.')}
  </article>`;
}

function rowItem(row: Row, fates: PendingFates, writeDebugId: DebugIdWriter): Markup {
  const { at, since, attempt, charges } = row;
  return html`<li>
    <time datetime="${at}" title="${at}">${since}</time>
    <div>
      ${attempt === undefined ? '' : describePart(row.part, attempt, writeDebugId)}
      ${charges.map((one) => describeCharge(one, fates))}
    </div>
  </li>`;
}

const conclusions = {
  OK: 'knows that it succeeded',
  FAIL: 'knows that it failed',
  UNKNOWN: 'cannot know the result',
} as const;

function describePart(part: Row['part'], attempt: Attempt, writeDebugId: DebugIdWriter): Markup {
  const { operation, held, committed, debugId } = attempt;
  const holds = held?.holds ?? [];
  if (part === 'held') {
    const places = holds.map(
      ({ gate, at, arrived }) => `${clip(gate, 60)} ${at.replace('-', ' ')}, as request ${arrived}`,
    );
    const isDone = committed && holds.every(({ at }) => at === 'before-answer');
    return html`<code>${clip(operation, 60)}</code> ${isDone ? 'executed and held' : 'held'} at gate
      ${places.join(', then at gate ')}.
      ${held?.leftAt === undefined ? '' : 'The client left while it was held.'}
      ${writeDebugId(debugId)}`;
  }
  if (part === 'whole') return describeAttempt(attempt, writeDebugId);
  const last = holds.at(-1);
  return html`Released as number ${last?.released ?? 0} by ${last?.releasedBy ?? ''}:
  ${describeAttempt(attempt, writeDebugId)}`;
}

function describeAttempt(attempt: Attempt, writeDebugId: DebugIdWriter): Markup {
  const { operation, concludes, committed, replayed, outcomes } = attempt;
  const effect = committed ? 'executed' : replayed ? 'replayed' : 'not executed';
  return html`<code>${clip(operation, 60)}</code> ${effect}; ${describeAnswer(attempt)}; the client
    <strong class="${concludes}">${conclusions[concludes]}</strong>.
    ${outcomes.map((id) => html` <span class="tag">${clip(id, 40)}</span>`)}
    ${writeDebugId(attempt.debugId)}`;
}

function describeAnswer({ delivery, status, problem }: Attempt): string {
  if (delivery === 'lost') return 'answer lost';
  if (delivery === 'open') return 'still open';
  const answer = `answer ${status} ${clip(problem ?? '', 60)}`.trim();
  return delivery === 'cut' ? `${answer}, cut short` : answer;
}

function describeCharge({ charge, knowledge, knownSince }: ChargeRow, fates: PendingFates): Markup {
  const { id, amount, net } = charge;
  const words = {
    known: `the client learned of it ${knownSince ?? ''}`,
    pending: 'the client learned only that it was pending',
    never: 'the client never learned of it',
    unsure: 'unknown whether the client learned of it',
  }[knowledge];
  return html`<p class="money">
    ${amount.total} ${amount.currency}
    ${hasTakenMoney(charge) && !fates.has(id) ? 'charged, ' : ''}${clip(describeState(charge, fates), 60)},
    ${net.total} kept;
    <strong class="${knowledge === 'known' ? 'OK' : 'FAIL'}">${words}</strong>.
    <code class="id">${id}</code>
  </p>`;
}
