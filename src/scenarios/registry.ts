/** The scenarios that a sandbox knows by name: those that ship, and those in a folder of its own. */
import { loadScenario, loadScenarios, scenarioFile, listShippedScenarios } from './load.ts';
import type { LoadedScenario, ScenarioSummary } from './load.ts';
import type { ScenarioDocument } from './schema.ts';

export class ScenarioRegistry {
  /** By name. One that is called like one that ships takes its place. */
  readonly #own: ReadonlyMap<string, LoadedScenario>;

  /** Throws a `ScenarioError` that names everything that is wrong with the files in the folder. */
  constructor(folder: string | undefined) {
    const own = folder === undefined ? [] : loadScenarios(folder);
    this.#own = new Map(own.map((scenario) => [scenario.name, scenario]));
  }

  /** What each of them is for. */
  list(): ScenarioSummary[] {
    const own = [...this.#own.values()].map(({ name, document }) => ({
      name,
      about: document.about,
    }));
    return [...listShippedScenarios().filter(({ name }) => !this.#own.has(name)), ...own];
  }

  /** One by its name, a file, or a document; throws a `ScenarioError` that names everything that is wrong with it. */
  load(from: string | ScenarioDocument | LoadedScenario): LoadedScenario {
    const own = typeof from === 'string' ? this.#own.get(from) : undefined;
    return own ?? loadScenario(from, [...this.#own.keys()]);
  }

  /** The path of a scenario that is a file of its own; `undefined` for one with a name, or written in code. */
  fileOf(from: string | ScenarioDocument | undefined): string | undefined {
    return typeof from === 'string' && this.#own.has(from) ? undefined : scenarioFile(from);
  }
}
