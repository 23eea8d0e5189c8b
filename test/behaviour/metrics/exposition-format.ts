/** Reads the text format of Prometheus, and forgives nothing. */
import { expect } from 'vitest';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const headForm = /^# HELP ([a-z_]+) (.+)\n# TYPE \1 (counter|gauge|histogram)$/;
const sampleForm = /^([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (\S+)$/;
const labelForm = /([a-z]+)="((?:[^"\\\n]|\\["\\n])*)"/g;

/** Families by name. Throws where the text is not what a Prometheus server reads. */
export function readExposition(text: string): ReadonlyMap<string, Family> {
  expect(text.endsWith('\n'), 'the last line ends').toBe(true);
  const families = text.trimEnd().split('\n\n').map(readFamily);
  const byName = new Map(families.map((family) => [family.name, family]));
  expect(byName.size, 'each family is written once').toBe(families.length);
  return byName;
}

function readFamily(block: string): Family {
  const [help = '', type = '', ...lines] = block.split('\n');
  const head = headForm.exec(`${help}\n${type}`);
  if (head === null) throw new Error(`This is no head of a metric: ${help}\n${type}`);
  const [, name = '', words = '', kind = ''] = head;
  const samples = lines.map(readSample);
  const own = new RegExp(kind === 'histogram' ? `^${name}_(?:bucket|sum|count)$` : `^${name}$`);
  for (const sample of samples) expect(sample.name).toMatch(own);
  const series = samples.map((sample) => JSON.stringify([sample.name, sample.labels]));
  expect(new Set(series).size, `each series of ${name} is written once`).toBe(series.length);
  return { name, help: words, type: kind, samples };
}

function readSample(line: string): Sample {
  const [, name, labels = '', value = ''] = sampleForm.exec(line) ?? [];
  if (name === undefined) throw new Error(`This is no sample: ${line}`);
  expect(Number.isFinite(Number(value)), line).toBe(true);
  const pairs = [...labels.matchAll(labelForm)].map(([, key = '', word = '']) => [key, word]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}

/** The value of one series; 0 where there is none, as a query of Prometheus would add it up. */
export function valueOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''));
  if (family === undefined) throw new Error(`There is no metric ${name}.`);
  const wanted = Object.entries(labels);
  return family.samples
    .filter((sample) => sample.name === name)
    .filter((sample) => wanted.every(([key, word]) => sample.labels[key] === word))
    .reduce((total, { value }) => total + value, 0);
}
