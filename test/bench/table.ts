/** Writes measurements as a table. */
import { isMet, isWithin, valueOf, type Measure } from './measure.ts';
import { spreadOf } from './statistics.ts';

/** A Markdown table with aligned columns. */
export function tableOf(measures: readonly Measure[]): string {
  return aligned(
    ['part', 'what', 'unit', 'ours', 'beside it', 'ratio', 'target'],
    measures.map((measure) => [
      measure.part,
      measure.name,
      measure.unit,
      spreadText(measure.ours, measure.ratios.length === 0 ? measure : undefined),
      measure.besideIs === undefined ? '' : `${measure.besideIs}: ${spreadText(measure.beside)}`,
      measure.ratios.length === 0 ? '' : spreadText(measure.ratios, measure),
      targetText(measure),
    ]),
  );
}

const headlineParts: ReadonlySet<string> = new Set([
  'create',
  'show',
  'browse',
  'pay',
  'in-process',
  'start',
  'memory',
]);

/** The most important measurements, in fewer columns. */
export function headlines(measures: readonly Measure[]): string {
  const shown = measures.filter(
    ({ part, name, target }) =>
      target !== undefined && headlineParts.has(part) && !name.startsWith('p99'),
  );
  return aligned(
    ['part', 'what', 'median', 'target'],
    shown.map((measure) => [measure.part, measure.name, valueText(measure), targetText(measure)]),
  );
}

function valueText(measure: Measure): string {
  const beside = measure.ratios.length === 0 ? measure.unit : `× ${measure.besideIs}`;
  return `${heldFigure(measure)} ${beside}`;
}

function aligned(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(heads), line(rule), ...rows.map(line)].join('\n');
}

/** `min / median / max`, or a single figure. `held` is the measure whose target applies to the median. */
function spreadText(values: readonly number[], held?: Measure): string {
  const { min, median, max } = spreadOf(values);
  const middle = held === undefined ? figure(median) : heldFigure(held);
  return values.length === 1 ? middle : `${figure(min)} / ${middle} / ${figure(max)}`;
}

/** The value that is compared with the target, with enough digits to show on which side of the target it is. */
function heldFigure(measure: Measure): string {
  const value = valueOf(measure);
  const isClear = (digits: number): boolean =>
    isWithin(Number(figure(value, digits)), measure.target) === isMet(measure);
  return figure(value, [3, 4, 5].find(isClear) ?? 6);
}

/** At least three significant digits, and whole numbers from a thousand. */
export function figure(value: number, digits = 3): string {
  if (value === 0) return '0';
  const size = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, digits - 1 - size)));
}

function targetText(measure: Measure): string {
  const { target } = measure;
  if (target === undefined) return '';
  const words = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  return `${words} ${isMet(measure) === true ? 'met' : 'missed'}`;
}
