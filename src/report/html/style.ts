/** The style of the page: light and dark, for screens, phones and paper. */
export const styleSheet = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --sheet: #ffffff; --ink: #1d2129; --soft: #5b6472; --line: #dcdfe5; --life: #c3c8d1;
  --good: #17693c; --good-paper: #e6f4ea; --bad: #a8201a; --bad-paper: #fdecea;
  --warn: #7d4e00; --warn-paper: #fff3d9; --info: #1f4f8b; --info-paper: #e8f0fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a; --sheet: #1c1f25; --ink: #e7e9ee; --soft: #a2abba; --line: #343a45; --life: #4a5261;
    --good: #7dd49b; --good-paper: #16301f; --bad: #ff9d94; --bad-paper: #3b1715;
    --warn: #f2c062; --warn-paper: #382a0d; --info: #9cc3f7; --info-paper: #16263c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.mast { padding: 1.5rem max(1rem, calc(50% - 34rem)); border-bottom: 4px solid; }
.mast.good { background: var(--good-paper); border-color: var(--good); }
.mast.bad { background: var(--bad-paper); border-color: var(--bad); }
.mast h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }
.mast.waiting { background: var(--info-paper); border-color: var(--info); }
.mast.waiting h1 { color: var(--info); }
.mast.good h1 { color: var(--good); }
.mast.bad h1 { color: var(--bad); }
.mast p { margin: .25rem 0 0; color: var(--soft); }
.mast nav a { display: inline-block; padding: .5rem 0; margin-right: 1.5rem; }
main { max-width: 70rem; margin: 0 auto; padding: 1rem; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.35rem; line-height: 1.25; overflow-wrap: anywhere; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1.05rem; }
h4 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; }
a { color: var(--info); }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.id { color: var(--soft); font-size: .75rem; }
a .id { color: inherit; }
.left, .quiet, .legend { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .75rem; margin: 1rem 0; }
.tiles div { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; }
.tiles dt { color: var(--soft); font-size: .85rem; }
.tiles dd { margin: 0; font-size: 1.25rem; font-weight: 600; overflow-wrap: anywhere; }
.tiles small { display: block; color: var(--soft); font-size: .8rem; font-weight: 400; }
.tiles small.bad { color: var(--bad); }
.tag, .severity { display: inline-block; padding: 0 .5em; border-radius: 999px; background: var(--info-paper); color: var(--info); font-size: .8rem; font-weight: 500; line-height: 1.6; overflow-wrap: anywhere; }
.tag.bad, .tag.critical, .tag.high, .critical .severity, .high .severity { background: var(--bad-paper); color: var(--bad); }
.tag.medium, .medium .severity { background: var(--warn-paper); color: var(--warn); }
.severity { text-transform: uppercase; font-weight: 700; letter-spacing: .04em; }
.state { font-size: 1rem; padding: .1em .6em; border-radius: 6px; margin-right: .3em; white-space: nowrap; }
.state.good { background: var(--good-paper); }
.state.bad { background: var(--bad-paper); }
.total { display: block; }
.scroll { position: relative; overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .7rem; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { color: var(--soft); font-size: .85rem; }
.merchants th[scope="row"] { min-width: 12rem; white-space: normal; overflow-wrap: anywhere; }
.merchants td:last-child { min-width: 10rem; white-space: normal; }
.reasons { padding: .6rem 1rem .6rem 2rem; background: var(--bad-paper); border-radius: 8px; }
.expired { padding: .6rem 1rem .6rem 2rem; background: var(--warn-paper); border-radius: 8px; }
.finding, .purchase { background: var(--sheet); border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: .75rem 0; }
.finding.critical, .finding.high, .purchase.odd { border-left-color: var(--bad); }
.finding.medium { border-left-color: var(--warn); }
.finding header { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: center; }
.finding p { max-width: 60rem; overflow-wrap: anywhere; }
.evidence, .suppressed { color: var(--soft); font-size: .875rem; }
.purchase header p { color: var(--soft); margin: 0; }
.reasons, .expired, .suppressed, .story { overflow-wrap: anywhere; }
.story { display: grid; grid-template-columns: 360px minmax(0, 1fr); gap: 1.25rem; margin-top: .75rem; }
.story ol { list-style: none; margin: 0; padding: 0; font-size: .9rem; }
.story li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: .75rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
.story li:last-child { border: 0; }
.story time { color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; }
.story .money { margin: .2rem 0 0; }
strong.OK { color: var(--good); }
strong.FAIL { color: var(--bad); }
strong.UNKNOWN { color: var(--warn); }
.timeline { max-width: 100%; height: auto; font: 11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.timeline text { fill: var(--ink); }
.timeline .lane { font-weight: 600; font-size: 12px; }
.timeline .when, .timeline .sum-unit { fill: var(--soft); font-size: 10px; }
.timeline .sum { font-weight: 600; font-size: 12px; }
.life { stroke: var(--life); stroke-width: 1.5; stroke-dasharray: 2 3; }
.ask, .answer { stroke: var(--soft); stroke-width: 1.5; }
.tip { fill: var(--soft); }
.held { stroke: var(--warn); stroke-width: 5; stroke-linecap: round; }
.timeline .gate { fill: var(--warn); font-size: 10px; }
.busy { stroke: var(--life); stroke-width: 5; }
.broken { stroke: var(--bad); stroke-dasharray: 4 3; }
.cross { stroke: var(--bad); stroke-width: 2; fill: none; }
.timeline .bad, .timeline .learned.never, .timeline .knows.FAIL { fill: var(--bad); font-weight: 600; }
.timeline .learned.known, .timeline .knows.OK { fill: var(--good); }
.timeline .learned.unsure, .timeline .learned.pending, .timeline .knows.UNKNOWN { fill: var(--warn); font-weight: 600; }
.timeline .learned, .timeline .knows { font-size: 10px; }
.coin { fill: var(--warn-paper); stroke: var(--warn); stroke-width: 1.5; }
.coin-sign { stroke: var(--warn); stroke-width: 1.5; fill: none; }
.done { fill: var(--soft); }
.again, .none { fill: var(--sheet); stroke: var(--soft); stroke-width: 1.5; }
.again { stroke-dasharray: 2 2; }
.mark { stroke: none; }
.mark.OK { fill: var(--good); }
.mark.FAIL { fill: var(--bad); }
.mark.UNKNOWN { fill: var(--warn); }
.sign { stroke: var(--sheet); stroke-width: 2; fill: none; }
.timeline .sign-word { fill: var(--sheet); font-weight: 700; font-size: 12px; }
.bar { height: .6rem; max-width: 30rem; border-radius: 999px; background: var(--line); overflow: hidden; }
.bar div { height: 100%; background: var(--good); }
.next li { margin: .5rem 0; }
.next span, .next .how { display: block; color: var(--soft); font-size: .9rem; }
.next .how { font-size: .8rem; }
.grid { font-size: .875rem; }
.grid td { text-align: center; }
.grid th[scope="row"] { position: sticky; left: 0; background: var(--sheet); font: .8rem ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.met { color: var(--good); font-weight: 600; }
.missed { color: var(--bad); }
.unasked { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
/* Forced colours draw no backgrounds, so the bar needs a border and a system colour. */
@media (forced-colors: active) {
  .bar { border: 1px solid; }
  .bar div { forced-color-adjust: none; background: Highlight; }
}
@media (max-width: 48rem) {
  .tiles { grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
  .story { grid-template-columns: minmax(0, 1fr); }
  .finding, .purchase { padding: .7rem .75rem; }
}
/* A phone shows each row as a card: a wide table would be cut off. */
@media screen and (max-width: 48rem) {
  .merchants, .merchants tbody, .merchants tr, .merchants th, .merchants td { display: block; }
  .grid, .grid tbody, .grid tr, .grid th, .grid td { display: block; }
  .merchants thead, .grid thead { display: none; }
  .merchants tr, .grid tr { padding: .5rem .75rem; border-bottom: 1px solid var(--line); }
  .merchants th[scope="row"], .merchants td, .grid th[scope="row"], .grid td { padding: .1rem 0; border: 0; min-width: 0; white-space: normal; overflow-wrap: anywhere; text-align: left; }
  .merchants td:empty, .grid td:empty, .grid td.unasked, .grid tr:not(:has(.met, .missed)) { display: none; }
  [data-name]::before { content: attr(data-name) ": "; color: var(--soft); font-weight: 400; }
}
@media print {
  :root {
    --paper: #fff; --sheet: #fff; --ink: #000; --soft: #444; --line: #bbb; --life: #999;
    --good: #0d5a2e; --good-paper: #fff; --bad: #98100a; --bad-paper: #fff; --warn: #6b4200; --warn-paper: #fff; --info: #123a6b; --info-paper: #fff;
  }
  body { font-size: 11pt; }
  .finding, .purchase, .tiles div, tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  .merchants th, .merchants td { padding: .2rem .4rem; }
  .grid { font-size: 8pt; table-layout: fixed; }
  .grid th, .grid td { padding: .1rem .3rem; white-space: normal; overflow-wrap: anywhere; }
  .grid thead th { font-size: 7pt; }
  .grid th:first-child { width: 12rem; }
}
`.trim();
