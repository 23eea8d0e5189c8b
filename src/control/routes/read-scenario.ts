/** Reads the scenario of a call: a name, a document, or the text of a file. */
import type { HonoRequest } from 'hono';
import { shippedFixtures } from '../../fixtures/load.ts';
import { refuseDuplicateKeys } from '../../documents/source.ts';
import { didYouMean, nearest } from '../../shared/did-you-mean.ts';
import { asPlainObject } from '../../shared/unknown-value.ts';
import {
  loadDocument,
  loadScenarioText,
  type LoadedScenario,
  type ScenarioSummary,
} from '../../scenarios/load.ts';
import { ScenarioError } from '../../scenarios/scenario-error.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import { isJson } from '../guards/body.ts';

/**
 * Returns the name of a known scenario, or a loaded document. It refuses paths, because a client must not read files of
 * this machine.
 */
export async function readScenario(
  req: HonoRequest,
  body: unknown,
  known: readonly ScenarioSummary[],
): Promise<string | LoadedScenario> {
  const document = isJson(req) ? asPlainObject(body) : null;
  if (typeof document === 'object' && document !== null) {
    const keys = { ...document } as Readonly<Record<string, unknown>>; // An object of keys and values.
    if ('name' in keys) return nameIn(keys, known);
    refuseOwnAnswer(keys, known);
  }
  const text = await req.text();
  if (text.trim() === '') {
    throw new ControlRequestError(
      'invalid-scenario',
      'The body is empty. Send {"name": "lost-answer"} for a scenario by its name, or a complete scenario: as JSON, or its file as text/yaml.',
      { place: 'body' },
    );
  }
  const scenario = document === null ? loadScenarioText('body', text) : loadDocument(document);
  if (document !== null) refuseDuplicateKeys('body', text, ScenarioError);
  refuseFiles(scenario);
  return scenario;
}

/** The answer is `{"merchant": …, "scenario": "<name>"}`, so callers may send the same form by mistake. */
function refuseOwnAnswer(
  { scenario, merchant: _merchant, ...others }: Readonly<Record<string, unknown>>,
  known: readonly ScenarioSummary[],
): void {
  if (typeof scenario !== 'string' || Object.keys(others).length > 0) return;
  if (!known.some(({ name }) => name === scenario)) return;
  throw new ControlRequestError(
    'invalid-scenario',
    `To play a scenario by its name, send {"name": "${scenario}"}. The key 'scenario' is the name in a complete scenario document.`,
    { place: 'body.scenario', allowed: ['name'], nearest: 'name' },
  );
}

function nameIn(
  { name, ...others }: Readonly<Record<string, unknown>>,
  scenarios: readonly ScenarioSummary[],
): string {
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new ControlRequestError(
      'unknown-key',
      `'name' excludes other keys, and this body has '${other}'. Send {"name": "lost-answer"}, or a complete scenario without 'name'.`,
      { place: `body.${other}`, allowed: ['name'] },
    );
  }
  const known = scenarios.map((scenario) => scenario.name);
  if (typeof name === 'string' && known.includes(name)) return name;
  const word = String(name).slice(0, 64);
  throw new ControlRequestError(
    'invalid-scenario',
    `No scenario is called "${word}".${didYouMean(word, known)} To play one of your own, send it whole: as JSON, or its file as text/yaml.`,
    { place: 'body.name', allowed: known, nearest: nearest(word, known) },
  );
}

function refuseFiles({ document }: LoadedScenario): void {
  const { fixtures } = document;
  const known = shippedFixtures();
  if (fixtures === undefined || known.includes(fixtures)) return;
  throw new ControlRequestError(
    'invalid-scenario',
    `A scenario sent over HTTP can use only built-in fixtures: ${known.join(', ')}. Pass your own file with --fixtures when you start the sandbox.`,
    { place: 'body.fixtures', allowed: known },
  );
}
