/** Writes what one run found into the README, with its date and its machine. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Measure } from './measure.ts';
import type { Settings } from './settings.ts';
import { tableOf } from './table.ts';

const path = 'README.md';
const begin = '<!-- figures:begin -->';
const end = '<!-- figures:end -->';

/** What a run was made on. */
export interface Machine {
  /** RFC 3339. */
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly load: string;
}

/** How much a run measured. */
export type Effort = Pick<Settings, 'starts' | 'pairs' | 'burstSeconds'>;

/** Puts the figures of a run between the two comments that keep the place for them. */
export function writeIntoReadme(
  machine: Machine,
  effort: Effort,
  measures: readonly Measure[],
): void {
  const readme = readFileSync(path, 'utf8');
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${path} has no ${begin} before ${end}.`);
  writeFileSync(
    path,
    `${readme.slice(0, from + begin.length)}\n\n${figuresOf(machine, effort, measures)}\n\n${readme.slice(to)}`,
  );
}

/** The figures as README has them. */
export function figuresOf(
  { date, node, cpu, load }: Machine,
  { starts, pairs, burstSeconds }: Effort,
  measures: readonly Measure[],
): string {
  const made = `One run on ${date.slice(0, 10)}: Node ${node}, ${cpu}, load by ${load}.`;
  const effort = `Fresh processes a side: ${starts}, pairs of bursts in each: ${pairs}, seconds a burst: ${burstSeconds}.`;
  return `${made} ${effort} Figures are least / median / most.\n\n${tableOf(measures)}`;
}
