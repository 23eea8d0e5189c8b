/** Writes the figures of a run, with its date and machine, into the page of the benchmark. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMet, type Measure } from './measure.ts';
import type { Settings } from './settings.ts';
import { headlines, tableOf } from './table.ts';

const begin = '<!-- figures:begin -->';
const end = '<!-- figures:end -->';

/** The date, the machine and the load generator of a run. */
export interface Machine {
  /** As RFC 3339. */
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly load: string;
}

/** How much a run measured. */
export type Effort = Pick<Settings, 'starts' | 'pairs' | 'burstSeconds'>;

/** Writes the figures of a run between the two comments of the page. */
export function writeFigures(machine: Machine, effort: Effort, measures: readonly Measure[]): void {
  const parts = [headlinesOf(machine, measures), figuresOf(machine, effort, measures)];
  write('test/bench/README.md', parts.join('\n\n'));
}

function write(path: string, figures: string): void {
  const page = readFileSync(path, 'utf8');
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${path} has no ${begin} before ${end}.`);
  writeFileSync(path, `${page.slice(0, from + begin.length)}\n\n${figures}\n\n${page.slice(to)}`);
}

/** All figures. */
export function figuresOf(
  machine: Machine,
  { starts, pairs, burstSeconds }: Effort,
  measures: readonly Measure[],
): string {
  const effort = `Fresh processes a side: ${starts}, pairs of bursts in each: ${pairs}, seconds a burst: ${burstSeconds}.`;
  return `${madeOn(machine)} ${effort} Figures are least / median / most.\n\n${tableOf(measures)}`;
}

/** The main figures, and the number of targets that are met. */
export function headlinesOf(machine: Machine, measures: readonly Measure[]): string {
  const targeted = measures.filter(({ target }) => target !== undefined);
  const met = targeted.filter((measure) => isMet(measure) === true);
  const sum = `Of ${targeted.length} targets ${met.length} were met. These say most, as medians, throughput by CPU second:`;
  return `${madeOn(machine)} ${sum}\n\n${headlines(measures)}`;
}

function madeOn({ date, node, cpu, load }: Machine): string {
  return `One run on ${date.slice(0, 10)}: Node ${node}, ${cpu}, load by ${load}.`;
}
