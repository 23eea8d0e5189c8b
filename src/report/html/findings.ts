/** Findings and the other reasons of a verdict on the page. */
import { fails, otherReasons, type Finding, type Verdict } from '../verdicts.ts';
import type { DebugIdMark } from './debug-ids.ts';
import { atMost, clipped, html, leftOut, type Markup } from './markup.ts';

const mostFindings = 20;
const mostReasons = 20;
const mostEvidence = 12;

/** Why it did not pass, apart from findings. */
export function reasonList(verdict: Verdict): Markup | '' {
  const { shown, left } = atMost(otherReasons(verdict), mostReasons);
  if (shown.length === 0) return '';
  return html`<ul class="reasons">
      ${shown.map(({ kind, text }) => html`<li><strong>${kind}</strong> ${clipped(text, 400)}</li>`)}
    </ul>
    ${leftOut(left, 'reason', 'All of them: card-vault-sandbox verdict.')}`;
}

/** The findings, the worst first, each with a link to its purchase where that is drawn. */
export function findingList(
  verdict: Verdict,
  anchorOf: (finding: Finding) => string | undefined,
  markOf: DebugIdMark,
): Markup | '' {
  const live = verdict.findings.filter(({ suppressed }) => suppressed === undefined);
  const { shown, left } = atMost(live, mostFindings);
  return html`${shown.length === 0 ? '' : html`<h3>Findings</h3>`}
  ${shown.map((finding) => findingCard(finding, fails(verdict, finding), anchorOf(finding), markOf))}
  ${leftOut(left + (verdict.counts.findingsLeftOut ?? 0), 'finding', 'More of them: card-vault-sandbox verdict.')}
  ${suppressedList(verdict)}`;
}

function findingCard(
  finding: Finding,
  isReason: boolean,
  anchor: string | undefined,
  markOf: DebugIdMark,
): Markup {
  const { rule, severity, confidence, what, remedy, evidence } = finding;
  const { shown, left } = atMost(evidence, mostEvidence);
  return html`<article class="finding ${severity}">
    <header>
      <span class="severity">${severity}</span>
      <h4>${rule}</h4>
      ${confidence === 'certain' ? '' : html`<span class="tag">${confidence}</span>`}
      ${isReason ? '' : html`<span class="tag">does not fail the verdict</span>`}
    </header>
    <p>${clipped(what, 400)}</p>
    <p class="remedy"><strong>Do:</strong> ${clipped(remedy, 400)}</p>
    <p class="evidence">
      Seen in ${shown.map((debugId) => html` ${markOf(debugId)}`)}
      ${left === 0 ? '' : html` and ${left} more`}
      ${anchor === undefined ? '' : html` &middot; <a href="#${anchor}">what happened</a>`}
    </p>
  </article>`;
}

function suppressedList({ findings }: Verdict): Markup | '' {
  const all = findings.filter(({ suppressed }) => suppressed !== undefined);
  const { shown, left } = atMost(all, mostFindings);
  if (shown.length === 0) return '';
  return html`<h3 class="quiet">Suppressed</h3>
    <ul class="suppressed">
      ${shown.map(
        ({ rule, what, suppressed }) =>
          html`<li>
            <code>${rule}</code> ${clipped(what, 300)} <em>${clipped(suppressed ?? '', 300)}</em>
          </li>`,
      )}
    </ul>
    ${leftOut(left, 'suppressed finding', 'All of them: card-vault-sandbox verdict --format json.')}`;
}
