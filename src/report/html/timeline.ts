/** Draws a purchase: the client's requests, what was executed, the answers, and what the client then knew. */
import type { Attempt } from '../verdicts.ts';
import { clip, html, type Markup } from './markup.ts';
import type { ChargeRow, Row } from './purchase-rows.ts';

/** Fits a phone without scaling. */
const width = 360;
const clientX = 92;
const ledgerX = 250;
const headHeight = 36;
const exchangeHeight = 66;
const heldHeight = 44;
const moneyHeight = 40;

/** Draws rows. The list next to it says the same in words. */
export function timelineOf(rows: readonly Row[], name: string): Markup {
  const tops: number[] = [];
  let height = headHeight;
  for (const { part, attempt } of rows) {
    tops.push(height);
    height += part === 'held' ? heldHeight : attempt === undefined ? moneyHeight : exchangeHeight;
  }
  return html`<svg
    class="timeline"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
    role="img"
    aria-label="${name}"
  >
    <text class="lane" x="${clientX}" y="14" text-anchor="middle">your client</text>
    <text class="lane" x="${ledgerX}" y="14" text-anchor="middle">the ledger</text>
    <line class="life" x1="${clientX}" x2="${clientX}" y1="22" y2="${height}" />
    <line class="life" x1="${ledgerX}" x2="${ledgerX}" y1="22" y2="${height}" />
    ${holdsIn(rows, tops, height)} ${rows.map((row, index) => rowAt(row, tops[index] ?? 0))}
  </svg>`;
}

/** Where the request and the money of a row are drawn, below its top. */
const requestBelowTop = 12;

/** Draws how long gates held each request, side by side. */
function holdsIn(rows: readonly Row[], tops: readonly number[], height: number): Markup[] {
  let count = 0;
  return rows.flatMap(({ part, attempt }, index) => {
    if (part !== 'held') return [];
    const end = rows.findIndex((row) => row.part === 'released' && row.attempt === attempt);
    const x = heldX(count++);
    const [fromY, toY] = [tops[index] ?? 0, end < 0 ? height : (tops[end] ?? 0)];
    return html`<line
      class="held"
      x1="${x}"
      x2="${x}"
      y1="${fromY + requestBelowTop}"
      y2="${end < 0 ? toY : toY + requestBelowTop}"
    />`;
  });
}

/** Later holds are drawn further to the left, so that overlapping ones can be told apart. */
function heldX(index: number): number {
  return ledgerX - 16 - (index % 5) * 8;
}

/** Draws a row: a request with its answer, or one of both if a gate held the request. */
function rowAt(row: Row, top: number): Markup {
  const { part, since, attempt, charges } = row;
  const requestY = top + requestBelowTop;
  const time = html`<text class="when" x="${clientX - 14}" y="${requestY + 4}" text-anchor="end">
    ${since}
  </text>`;
  if (attempt === undefined) {
    return html`<g>${time}${coinAt(requestY, charges.length)}${chargeLabel(charges, requestY)}</g>`;
  }
  const request = requestAt(attempt, requestY);
  const holds = attempt.held?.holds ?? [];
  if (part === 'held') {
    const executed =
      charges.length > 0
        ? html`${coinAt(requestY, charges.length)}${chargeLabel(charges, requestY)}`
        : '';
    const gates = holds.map(({ gate }) => gate).join(', ');
    return html`<g>
      ${time}${request}${executed}
      <text
        class="gate"
        x="${(clientX + ledgerX) / 2 - 20}"
        y="${requestY + 14}"
        text-anchor="middle"
      >
        ${`held: ${clip(gates, 14)}`}
      </text>
    </g>`;
  }
  const answerY = requestY + 32;
  return html`<g>
    ${time}
    ${part === 'whole' ? request : wordsAt(`released: ${holds.at(-1)?.released ?? 0}`, requestY)}
    <line class="busy" x1="${ledgerX}" x2="${ledgerX}" y1="${requestY}" y2="${answerY}" />
    ${answerAt(attempt, answerY)} ${effectAt(attempt, charges, requestY)}
    ${knowledgeAt(attempt, answerY)} ${chargeLabel(charges, requestY)}
  </g>`;
}

/** Draws the arrow from the client to the ledger. */
function requestAt({ operation }: Attempt, y: number): Markup {
  return html`<line class="ask" x1="${clientX}" x2="${ledgerX - 9}" y1="${y}" y2="${y}" />
    <path class="tip" d="M${ledgerX - 9} ${y}l-6 -4v8z" />
    ${wordsAt(clip(operation, 26), y)}`;
}

function wordsAt(text: string, y: number): Markup {
  return html`<text
    class="on-line"
    x="${(clientX + ledgerX) / 2}"
    y="${y - 4}"
    text-anchor="middle"
  >
    ${text}
  </text>`;
}

/** Draws the effect of the request: it charged money, changed something else, was replayed, or did nothing. */
function effectAt(
  { committed, replayed }: Attempt,
  charges: readonly ChargeRow[],
  y: number,
): Markup {
  if (charges.length > 0) return coinAt(y, charges.length);
  if (committed) return html`<circle class="done" cx="${ledgerX}" cy="${y}" r="5" />`;
  return html`<circle class="${replayed ? 'again' : 'none'}" cx="${ledgerX}" cy="${y}" r="5" />`;
}

function coinAt(y: number, count: number): Markup {
  return html`${count > 1 ? html`<circle class="coin" cx="${ledgerX + 5}" cy="${y}" r="8" />` : ''}
    <circle class="coin" cx="${ledgerX}" cy="${y}" r="8" />
    <path class="coin-sign" d="M${ledgerX - 3.5} ${y}h7M${ledgerX} ${y - 3.5}v7" />`;
}

const chargeX = ledgerX + 18;

/** Longer sums are drawn narrower. A cut sum would read as another amount. */
const maxSumLength = 10;

function chargeLabel(charges: readonly ChargeRow[], y: number): Markup | '' {
  const [first] = charges;
  if (first === undefined) return '';
  const { amount } = first.charge;
  const sum = charges.length === 1 ? amount.total : `${charges.length} × ${amount.total}`;
  const leastKnown = charges.find(({ knowledge }) => knowledge !== 'known') ?? first;
  const narrowed =
    sum.length <= maxSumLength
      ? ''
      : html`textLength="${width - chargeX - 4}" lengthAdjust="spacingAndGlyphs"`;
  return html`<text class="sum" x="${chargeX}" y="${y + 4}" ${narrowed}>${clip(sum, 30)}</text>
    <text class="sum-unit" x="${chargeX}" y="${y + 17}">${amount.currency}</text>
    <text class="learned ${leastKnown.knowledge}" x="${chargeX}" y="${y + 36}"
      >${describeKnowledge(leastKnown)}</text
    >`;
}

function describeKnowledge({ knowledge, knownSince }: ChargeRow): string {
  return {
    known: `known ${knownSince ?? ''}`,
    pending: 'seen pending',
    never: 'never known',
    unsure: 'known? unsure',
  }[knowledge];
}

/** Draws how much of the answer arrived, and its status. */
function answerAt({ status, delivery }: Attempt, y: number): Markup {
  const label = (x: number, text: string, kind: string): Markup =>
    html`<text class="on-line ${kind}" x="${x}" y="${y - 4}" text-anchor="middle">${text}</text>`;
  const middleX = (clientX + ledgerX) / 2;
  if (delivery === 'delivered') {
    return html`<line class="answer" x1="${ledgerX}" x2="${clientX + 13}" y1="${y}" y2="${y}" />
      <path class="tip" d="M${clientX + 10} ${y}l6 -4v8z" />
      ${label(middleX, status === 0 ? 'no answer yet' : String(status), status >= 400 ? 'bad' : '')}`;
  }
  const endX = delivery === 'cut' ? clientX + 45 : middleX;
  const words = { lost: 'answer lost', cut: 'answer cut short', open: 'still open' }[delivery];
  return html`<line class="answer broken" x1="${ledgerX}" x2="${endX}" y1="${y}" y2="${y}" />
    ${delivery === 'open' ? '' : html`<path class="cross" d="M${endX - 5} ${y - 5}l10 10m0 -10l-10 10" />`}
    ${label((endX + ledgerX) / 2, words, 'bad')}`;
}

/** Draws what the client could conclude, as a shape and a colour. */
function knowledgeAt({ concludes }: Attempt, y: number): Markup {
  const word = html`<text
    class="knows ${concludes}"
    x="${clientX - 14}"
    y="${y + 4}"
    text-anchor="end"
  >
    ${{ OK: 'succeeded', FAIL: 'failed', UNKNOWN: 'cannot know' }[concludes]}
  </text>`;
  const at = { x: clientX, y };
  if (concludes === 'OK') {
    return html`${word}<circle class="mark OK" cx="${at.x}" cy="${at.y}" r="8" />
      <path class="sign" d="M${at.x - 4} ${at.y}l3 3l5 -6" />`;
  }
  if (concludes === 'FAIL') {
    return html`${word}<rect
        class="mark FAIL"
        x="${at.x - 7}"
        y="${at.y - 7}"
        width="14"
        height="14"
        rx="2"
      />
      <path class="sign" d="M${at.x - 3} ${at.y - 3}l6 6m0 -6l-6 6" />`;
  }
  return html`${word}<path class="mark UNKNOWN" d="M${at.x} ${at.y - 10}l10 10l-10 10l-10 -10z" />
    <text class="sign-word" x="${at.x}" y="${at.y + 4}" text-anchor="middle">?</text>`;
}
