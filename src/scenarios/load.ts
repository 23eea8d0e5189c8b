/** Loads scenarios: one that ships, a file, or a document given in code. */
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
import { refuseCircular } from '../documents/circular.ts';
import { inMemorySource, readSource, type Path, type Source } from '../documents/source.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { shippedNames } from '../documents/shipped-documents.ts';
import { checkScenario } from './check/check.ts';
import { ScenarioError } from './scenario-error.ts';
import {
  scenarioSchemas,
  scenarioJsonSchema,
  type ReadScenario,
  type ScenarioDocument,
} from './schema.ts';

/** A scenario in which nothing is wrong, and a way to say where in it something stands. */
export interface LoadedScenario {
  readonly name: string;
  readonly document: ReadScenario;
  at(path: Path): string;
}

/** What is wrong with one file; nothing where `mistakes` is empty. */
export interface FileCheck {
  readonly file: string;
  readonly mistakes: readonly string[];
}

/** Names of the scenarios that ship. */
export function shippedScenarioNames(): string[] {
  return shippedNames('scenarios');
}

/** A scenario that ships. */
export interface ScenarioSummary {
  readonly name: string;
  readonly about: string;
}

/** What each scenario that ships is for. */
export function listShippedScenarios(): ScenarioSummary[] {
  return shippedScenarioNames().map((name) => ({ name, about: loadScenario(name).document.about }));
}

/**
 * Loads a scenario, or throws a `ScenarioError` that names everything that is wrong with it; `own` are names that it
 * could have been meant to have beside those that ship.
 */
export function loadScenario(
  from: string | ScenarioDocument | LoadedScenario,
  own: readonly string[] = [],
): LoadedScenario {
  if (typeof from === 'string') {
    const shipped = shippedScenarioNames();
    // A name that ships comes before a path: write `./hang` for a file of that name.
    return shipped.includes(from)
      ? load(readShipped('scenarios', from, ScenarioError))
      : load(findSource(from, shipped, own));
  }
  return isLoaded(from) ? from : loadDocument(from);
}

/** Loads what somebody sent or wrote in code: whatever is wrong with it is said, be it no scenario at all. */
export function loadDocument(document: unknown): LoadedScenario {
  if (isUnfinishedBuilder(document)) {
    throw new ScenarioError([
      'scenario: is not written to its end. End it with build(), which gives the document.',
    ]);
  }
  return load(inMemorySource('scenario', document));
}

/** What `scenario()` began: its methods would be read as keys. */
function isUnfinishedBuilder(given: unknown): boolean {
  const isObject = typeof given === 'object' && given !== null;
  return isObject && 'build' in given && typeof given.build === 'function';
}

/** Loads the text of a scenario file; `name` is what messages call it. */
export function loadScenarioText(name: string, text: string): LoadedScenario {
  return load(readSource(name, text, ScenarioError));
}

/** The path of a scenario that is a file; `undefined` for one that ships or was written in code. */
export function scenarioFile(from: string | ScenarioDocument | undefined): string | undefined {
  return typeof from !== 'string' || shippedScenarioNames().includes(from) ? undefined : from;
}

function isLoaded(from: ScenarioDocument | LoadedScenario): from is LoadedScenario {
  // Programs without types give anything; and a list has an `at` too.
  return typeof from === 'object' && from !== null && 'at' in from && 'document' in from;
}

/** Loads a file, or each one of a folder; throws a `ScenarioError` that names everything that is wrong. */
export function loadScenarios(path: string): LoadedScenario[] {
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
          `${place}: "${loaded.name}" is taken already, at ${other.at(['scenario'])}. Each needs its own.`,
        );
      }
    }
  }
  if (mistakes.length > 0) throw new ScenarioError(mistakes);
  return scenarios;
}

/** Says of files, and of each file in folders, what is wrong with them. */
export function checkFiles(paths: readonly string[]): FileCheck[] {
  return paths.flatMap((path) => {
    try {
      return filesAt(path).map((file) => {
        const loaded = tryLoad(file);
        return { file, mistakes: 'mistakes' in loaded ? loaded.mistakes : [] };
      });
    } catch (error) {
      return [{ file: path, mistakes: mistakesOf(error) }];
    }
  });
}

function load(source: Source): LoadedScenario {
  refuseCircular([source], ScenarioError);
  const read = scenarioSchemas().document.safeParse(source.value);
  const mistakes = [
    ...(read.success ? [] : explainIssues(source, read.error.issues, scenarioJsonSchema())),
    ...checkScenario(source),
  ];
  if (!read.success || mistakes.length > 0) throw new ScenarioError(mistakes);
  return scenarioOf(read.data, source);
}

function scenarioOf(document: ReadScenario, source: Source): LoadedScenario {
  return { name: document.scenario, document, at: (path) => source.at(path) };
}

function findSource(from: string, shipped: readonly string[], own: readonly string[]): Source {
  const stats = statOf(from, ScenarioError);
  if (stats === undefined) {
    const ours =
      own.length === 0
        ? ''
        : `one of your own (${own.join(', ')}; the name is what stands in the file), `;
    throw new ScenarioError([
      `No scenario "${from}": neither ${ours}one that ships (${shipped.join(', ')}) nor a file.${didYouMean(from, [...own, ...shipped])} A path is taken from the folder the sandbox is started in.`,
    ]);
  }
  if (stats.isDirectory()) {
    throw new ScenarioError([`${from}: this is a folder. Name one of the files in it.`]);
  }
  return readFile(from);
}

function filesAt(path: string): string[] {
  const stats = statOf(path, ScenarioError);
  if (stats === undefined) {
    throw new ScenarioError([`${path}: there is no such file or folder.`]);
  }
  if (!stats.isDirectory()) return [path];
  const files = documentFilesIn(path, ScenarioError);
  if (files.length > 0) return files.map((file) => join(path, file));
  throw new ScenarioError([
    `${path}: this folder holds no scenario file, which must end in ${documentEndings.join(', ')}.`,
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
