/** The scenarios that a sandbox knows by name: built-in ones, and those of the project folder. */
import {
  loadScenario,
  loadScenarios,
  scenarioFile,
  listShippedScenarios,
  summarizeScenario,
} from './load.ts';
import type { LoadedScenario, ScenarioSummary } from './load.ts';
import type { ScenarioDocument } from './document.ts';

export class ScenarioRegistry {
  /** Scenarios of the project by name. They replace built-in scenarios of the same name. */
  readonly #own: ReadonlyMap<string, LoadedScenario>;

  /** @throws {ScenarioError} If a file in the folder is invalid. The error names every problem. */
  constructor(folder: string | undefined) {
    const own = folder === undefined ? [] : loadScenarios(folder);
    this.#own = new Map(own.map((scenario) => [scenario.name, scenario]));
  }

  /** Lists all scenarios with their purpose. */
  list(): ScenarioSummary[] {
    const own = [...this.#own.values()].map(summarizeScenario);
    return [...listShippedScenarios().filter(({ name }) => !this.#own.has(name)), ...own];
  }

  /**
   * Loads a scenario by name, from a file or from a document.
   *
   * @throws {ScenarioError} If the scenario is unknown or invalid. The error names every problem.
   */
  load(from: string | URL | ScenarioDocument | LoadedScenario): LoadedScenario {
    const own = typeof from === 'string' ? this.#own.get(from) : undefined;
    return own ?? loadScenario(from, [...this.#own.keys()]);
  }

  /** Returns the path of a scenario file, or `undefined` for a scenario with a name or a document. */
  fileOf(from: string | ScenarioDocument | undefined): string | undefined {
    return typeof from === 'string' && this.#own.has(from) ? undefined : scenarioFile(from);
  }
}
