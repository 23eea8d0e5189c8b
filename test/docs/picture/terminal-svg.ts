/** Draws a session as an animated terminal. */
import type { Step } from './session.ts';

/** Width in characters, including two for the prompt. */
export const columns = 104;
const columnPx = 8.1;
const rowPx = 19;
const marginPx = 22;
const barPx = 34;

/** Time before a command appears, and between two lines of its output. */
const [thinkS, lineS] = [1.1, 0.06];

const style = [
  'text{font:13.5px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#c9d1d9;white-space:pre}',
  '.p{fill:#7ee787}.t{fill:#f0f6fc;font-weight:600}.c{fill:#8b949e}.b{fill:#ff7b72;font-weight:600}.w{fill:#e3b341;font-weight:600}',
  'g text{opacity:0;animation:s .01s forwards}',
  '@keyframes s{to{opacity:1}}',
  '@media (prefers-reduced-motion:reduce){g text{animation:none;opacity:1}}',
].join('');

interface Line {
  readonly spans: string;
  readonly atS: number;
}

/** Draws the picture. Screen readers read the title. */
export function terminalSvg(title: string, steps: readonly Step[]): string {
  const lines = linesOf(steps);
  const width = Math.ceil(columns * columnPx + 2 * marginPx);
  const height = barPx + marginPx + lines.length * rowPx;
  const texts = lines.map(
    ({ spans, atS }, row) =>
      `<text x="${marginPx}" y="${barPx + marginPx + row * rowPx}" style="animation-delay:${atS.toFixed(2)}s">${spans}</text>`,
  );
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, at) => `<circle cx="${marginPx + at * 20}" cy="18" r="6" fill="${colour}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" rx="9" fill="#0d1117"/>`,
    ...dots,
    '<g>',
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function linesOf(steps: readonly Step[]): Line[] {
  let atS = 0;
  return steps.flatMap(({ typed, printed }) => {
    atS += thinkS;
    const asked = typed.split('\n').map((line, at): Line => ({ spans: asTyped(line, at), atS }));
    const answered = (printed === '' ? [] : printed.split('\n')).map((line): Line => {
      atS += lineS;
      return { spans: asPrinted(line), atS };
    });
    return [...asked, ...answered];
  });
}

function asTyped(line: string, at: number): string {
  if (line.startsWith('#')) return span('c', line);
  const prompt = at === 0 ? span('p', '$ ') : '  ';
  return prompt + span('t', line);
}

function asPrinted(line: string): string {
  if (/^(?:FAILED| +CRITICAL)\b/.test(line)) return span('b', line);
  return /^ +HIGH\b|^curl: /.test(line) ? span('w', line) : escaped(line);
}

const span = (kind: string, text: string): string =>
  `<tspan class="${kind}">${escaped(text)}</tspan>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
