/** Loads scenarios: a built-in one, a file, or a document in code. */
import { join } from 'node:path';
import { explainIssues } from '../documents/schema-issues.ts';
import {
  documentEndings,
  documentFilesIn,
  isDocumentFile,
  readDocumentFile,
  readShipped,
  statOf,
} from '../documents/files.ts';
import { pathOf } from '../documents/file-url.ts';
import { refuseEndless } from '../documents/circular.ts';
import { inMemorySource, readSource, type Path, type Source } from '../documents/source.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { shippedNames } from '../documents/shipped-documents.ts';
import { checkScenario } from './check/check.ts';
import { ScenarioError } from './scenario-error.ts';
import type { ScenarioDocument } from './document.ts';
import { scenarioSchemas, scenarioJsonSchema, type ReadScenario } from './schema.ts';
import { maskFreeText, notFreeText } from '../redaction/free-text.ts';

/** A valid scenario, and the place of each part in its source. */
export interface LoadedScenario {
  readonly name: string;
  readonly document: ReadScenario;
  at(path: Path): string;
}

/** The problems of one file. */
export interface FileCheck {
  readonly file: string;
  readonly mistakes: readonly string[];
}

/** Returns the names of the built-in scenarios. */
export function shippedScenarioNames(): string[] {
  return shippedNames('scenarios');
}

/** The name and purpose of a scenario. */
export interface ScenarioSummary {
  readonly name: string;
  readonly about: string;
}

/** Lists the built-in scenarios with their purpose. */
export function listShippedScenarios(): ScenarioSummary[] {
  return shippedScenarioNames().map((name) => summarizeScenario(loadScenario(name)));
}

/** The name and purpose of a scenario. One without a purpose is known by its name. */
export function summarizeScenario({ name, document }: LoadedScenario): ScenarioSummary {
  return { name, about: document.about ?? name };
}

/**
 * Loads a scenario.
 *
 * @param own Names of the project's scenarios, for suggestions.
 * @throws {ScenarioError} If the scenario is unknown or invalid. The error names every problem.
 */
export function loadScenario(
  source: string | URL | ScenarioDocument | LoadedScenario,
  own: readonly string[] = [],
): LoadedScenario {
  const from = pathOf(source);
  if (typeof from === 'string') {
    const shipped = shippedScenarioNames();
    // A built-in name takes precedence over a path. Write `./hang` for a file of that name.
    return shipped.includes(from)
      ? load(readShipped('scenarios', from, ScenarioError))
      : load(findSource(from, shipped, own));
  }
  return isLoaded(from) ? from : loadDocument(from);
}

/** Loads a document from code or a request. It may be anything, and the error names every problem. */
export function loadDocument(document: unknown): LoadedScenario {
  if (isUnfinishedBuilder(document)) {
    throw new ScenarioError([
      'scenario: is an unfinished builder. Call build() to get the document.',
    ]);
  }
  return load(inMemorySource('scenario', document));
}

/** Whether a value is a builder: its methods would otherwise be read as keys. */
function isUnfinishedBuilder(given: unknown): boolean {
  const isObject = typeof given === 'object' && given !== null;
  return isObject && 'build' in given && typeof given.build === 'function';
}

/** Loads the text of a scenario file. Messages call it `name`. */
export function loadScenarioText(name: string, text: string): LoadedScenario {
  return load(readSource(name, text, ScenarioError));
}

/** Returns the path of a scenario file, or `undefined` for a built-in scenario or a document. */
export function scenarioFile(from: string | ScenarioDocument | undefined): string | undefined {
  return typeof from !== 'string' || shippedScenarioNames().includes(from) ? undefined : from;
}

function isLoaded(from: ScenarioDocument | LoadedScenario): from is LoadedScenario {
  // A program without types passes anything, and an array has an `at` too.
  return typeof from === 'object' && from !== null && 'at' in from && 'document' in from;
}

/**
 * Loads a file, or every scenario file of a folder.
 *
 * @throws {ScenarioError} If a file is invalid. The error names every problem.
 */
export function loadScenarios(source: string): LoadedScenario[] {
  const path = pathOf(source);
  const scenarios: LoadedScenario[] = [];
  const mistakes: string[] = [];
  for (const file of filesAt(path)) {
    const loaded = tryLoad(file);
    if ('mistakes' in loaded) mistakes.push(...loaded.mistakes);
    else {
      const other = scenarios.find(({ name }) => name === loaded.name);
      if (other === undefined) scenarios.push(loaded);
      else {
        const place = loaded.at(['scenario']);
        mistakes.push(
          `${place}: the name "${loaded.name}" is already used at ${other.at(['scenario'])}. Each scenario needs its own name.`,
        );
      }
    }
  }
  if (mistakes.length > 0) throw new ScenarioError(mistakes);
  return scenarios;
}

/** Checks files, and every scenario file of folders. */
export function checkFiles(paths: readonly string[]): FileCheck[] {
  return paths.flatMap((path) => {
    try {
      return filesAt(pathOf(path)).map((file) => {
        const loaded = tryLoad(file);
        return { file, mistakes: 'mistakes' in loaded ? loaded.mistakes : [] };
      });
    } catch (error) {
      return [{ file: path, mistakes: mistakesOf(error) }];
    }
  });
}

function load(source: Source): LoadedScenario {
  refuseEndless([source], ScenarioError);
  refuseFixtures(source);
  const read = scenarioSchemas().document.safeParse(source.value);
  const mistakes = [
    ...(read.success ? [] : explainIssues(source, read.error.issues, scenarioJsonSchema())),
    ...checkScenario(source),
  ];
  if (!read.success || mistakes.length > 0) throw new ScenarioError(mistakes);
  return scenarioOf(read.data, source);
}

/** Fixtures have none of the keys that a scenario needs, so each of their keys would be a mistake. */
function refuseFixtures(source: Source): void {
  const { value } = source;
  if (typeof value !== 'object' || value === null || 'scenario' in value) return;
  if (!('cards' in value || 'payments' in value || 'clients' in value)) return;
  throw new ScenarioError([
    `${source.at([])}: these are fixtures, not a scenario. The sandbox checks them at its start: --fixtures <file>.`,
  ]);
}

/** Conditions are compared with requests, so a card number in them stays. An export refuses it. */
const keptMembers: ReadonlySet<string> = new Set([...notFreeText, 'match']);

function scenarioOf(read: ReadScenario, source: Source): LoadedScenario {
  // Names and texts are kept and shown.
  const document = maskFreeText(read, undefined, keptMembers).value;
  return { name: document.scenario, document, at: (path) => source.at(path) };
}

function findSource(from: string, shipped: readonly string[], own: readonly string[]): Source {
  const stats = statOf(from, ScenarioError);
  if (stats === undefined && isDocumentFile(from)) {
    throw new ScenarioError([
      `${from}: no such file. A path must be relative to the folder in which the sandbox was started.`,
    ]);
  }
  if (stats === undefined) {
    const ours =
      own.length === 0
        ? ''
        : ` Scenarios of your project, by the name in the file: ${own.join(', ')}.`;
    throw new ScenarioError([
      `Unknown scenario "${from}".${didYouMean(from, [...own, ...shipped])}${ours} Built-in scenarios: ${shipped.join(', ')}. A path must be relative to the folder in which the sandbox was started.`,
    ]);
  }
  if (stats.isDirectory()) {
    throw new ScenarioError([`${from}: is a folder. Name one of its files.`]);
  }
  return readFile(from);
}

function filesAt(path: string): string[] {
  const stats = statOf(path, ScenarioError);
  if (stats === undefined) {
    throw new ScenarioError([`${path}: no such file or folder.`]);
  }
  if (!stats.isDirectory()) return [path];
  const files = documentFilesIn(path, ScenarioError);
  if (files.length > 0) return files.map((file) => join(path, file));
  throw new ScenarioError([
    `${path}: the folder contains no scenario file. Scenario files end in ${documentEndings.join(', ')}.`,
  ]);
}

function tryLoad(file: string): LoadedScenario | { readonly mistakes: readonly string[] } {
  try {
    return load(readFile(file));
  } catch (error) {
    return { mistakes: mistakesOf(error) };
  }
}

function readFile(path: string): Source {
  if (!isDocumentFile(path)) {
    throw new ScenarioError([
      `${path}: a scenario file must end in ${documentEndings.join(', ')}.`,
    ]);
  }
  return readDocumentFile(path, path, ScenarioError);
}

function mistakesOf(error: unknown): readonly string[] {
  if (error instanceof ScenarioError) return error.lines;
  throw error;
}
