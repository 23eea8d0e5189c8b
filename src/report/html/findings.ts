/** The reasons and findings of a verdict on the page. */
import {
  describeExpired,
  failsVerdict,
  otherReasons,
  selectOverKinds,
  type Finding,
  type Verdict,
} from '../verdicts.ts';
import { clip, firstItems, html, leftOutNote, type DebugIdWriter, type Markup } from './markup.ts';

const maxFindings = 20;
const maxReasons = 20;
const maxRequests = 12;

/** Why the verdict failed, other than findings. */
export function reasonList(verdict: Verdict): Markup | '' {
  const { shown, leftOut } = firstItems(otherReasons(verdict), maxReasons);
  if (shown.length === 0) return '';
  return html`<ul class="reasons">
      ${shown.map(({ kind, text }) => html`<li><strong>${kind}</strong> ${clip(text, 400)}</li>`)}
    </ul>
    ${leftOutNote(leftOut, 'reason', 'Run card-vault-sandbox verdict to see all.')}`;
}

/** The findings, the worst first, each with a link to its purchase if the page draws it. */
export function findingList(
  verdict: Verdict,
  anchorOf: (finding: Finding) => string | undefined,
  writeDebugId: DebugIdWriter,
): Markup {
  const active = verdict.findings.filter(({ suppressed }) => suppressed === undefined);
  const shown = selectOverKinds(active, ({ rule }) => rule, maxFindings);
  const leftOut = active.length - shown.length + (verdict.counts.findingsLeftOut ?? 0);
  return html`${expiredList(verdict)}${
    shown.length === 0 ? html`<p class="quiet">No findings.</p>` : html`<h3>Findings</h3>`
  }
  ${shown.map((finding) => findingCard(finding, failsVerdict(verdict, finding), anchorOf(finding), writeDebugId))}
  ${leftOutNote(leftOut, 'finding', 'Run card-vault-sandbox verdict --json FILE to see up to 100 of each rule.')}
  ${suppressedList(verdict)}`;
}

function findingCard(
  finding: Finding,
  isFatal: boolean,
  anchor: string | undefined,
  writeDebugId: DebugIdWriter,
): Markup {
  const { rule, severity, confidence, what, remedy, evidence } = finding;
  const { shown, leftOut } = firstItems(evidence, maxRequests);
  return html`<article class="finding ${severity}">
    <header>
      <span class="severity">${severity}</span>
      <h4>${rule}</h4>
      ${confidence === 'certain' ? '' : html`<span class="tag">${confidence}</span>`}
      ${isFatal ? '' : html`<span class="tag">does not fail the verdict</span>`}
    </header>
    <p>${clip(what, 600)}</p>
    <p class="remedy"><strong>Fix:</strong> ${clip(remedy, 400)}</p>
    <p class="evidence">
      Requests: ${shown.map((debugId) => html` ${writeDebugId(debugId)}`)}
      ${leftOut === 0 ? '' : html` and ${leftOut} more`}
      ${anchor === undefined ? '' : html` &middot; <a href="#${anchor}">what happened</a>`}
    </p>
  </article>`;
}

function expiredList(verdict: Verdict): Markup | '' {
  const expired = describeExpired(verdict);
  if (expired.length === 0) return '';
  return html`<h3>Expired suppressions</h3>
    <ul class="expired">
      ${expired.map((text) => html`<li>${clip(text, 600)}</li>`)}
    </ul>`;
}

function suppressedList({ findings }: Verdict): Markup | '' {
  const all = findings.filter(({ suppressed }) => suppressed !== undefined);
  const { shown, leftOut } = firstItems(all, maxFindings);
  if (shown.length === 0) return '';
  return html`<h3 class="quiet">Suppressed findings</h3>
    <ul class="suppressed">
      ${shown.map(
        ({ rule, what, suppressed }) =>
          html`<li>
            <code>${rule}</code> ${clip(what, 300)} <em>${clip(suppressed ?? '', 300)}</em>
          </li>`,
      )}
    </ul>
    ${leftOutNote(leftOut, 'suppressed finding', 'Run card-vault-sandbox verdict --format json to see all.')}`;
}
