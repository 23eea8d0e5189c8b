/** Writes what one run found into the README, with its date and its machine. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Measure } from './measure.ts';
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

/** Puts the figures of a run between the two comments that keep the place for them. */
export function writeIntoReadme(machine: Machine, measures: readonly Measure[]): void {
  const readme = readFileSync(path, 'utf8');
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${path} has no ${begin} before ${end}.`);
  writeFileSync(
    path,
    `${readme.slice(0, from + begin.length)}\n\n${figuresOf(machine, measures)}\n\n${readme.slice(to)}`,
  );
}

/** The figures as README has them. */
export function figuresOf(
  { date, node, cpu, load }: Machine,
  measures: readonly Measure[],
): string {
  const made = `One run on ${date.slice(0, 10)}: Node ${node}, ${cpu}, load by ${load}. Figures are least / median / most.`;
  return `${made}\n\n${tableOf(measures)}`;
}
