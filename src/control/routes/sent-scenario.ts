/** The scenario that a call brings: a name, a document, or the text of a file. */
import type { HonoRequest } from 'hono';
import { shippedFixtures } from '../../fixtures/load.ts';
import { didYouMean, nearest } from '../../shared/did-you-mean.ts';
import {
  loadDocument,
  loadScenarioText,
  type LoadedScenario,
  type ScenarioSummary,
} from '../../scenarios/load.ts';
import { ControlRequestError } from '../errors/control-error.ts';

/** Takes the body, and gives what reads it: into the name of one that is known, or a scenario. Paths are refused: the files of this machine are no caller's business. */
export async function sentScenario(
  req: HonoRequest,
  json: string | Readonly<Record<string, unknown>>,
  known: readonly ScenarioSummary[],
): Promise<() => string | LoadedScenario> {
  const isJson = /json/i.test(req.header('content-type') ?? '');
  const text = await req.text();
  return () => {
    if (isJson && typeof json !== 'string') {
      if ('name' in json) return nameIn(json, known);
      refuseOwnAnswer(json, known);
    }
    const scenario =
      isJson && typeof json !== 'string' ? loadDocument(json) : loadScenarioText('body', text);
    refuseFiles(scenario);
    return scenario;
  };
}

/** What a play is answered with reads like what asks for one. */
function refuseOwnAnswer(
  { scenario, ...others }: Readonly<Record<string, unknown>>,
  known: readonly ScenarioSummary[],
): void {
  if (typeof scenario !== 'string' || Object.keys(others).length > 0) return;
  if (!known.some(({ name }) => name === scenario)) return;
  throw new ControlRequestError(
    'invalid-scenario',
    `To play one that is known by its name, send {"name": "${scenario}"}: 'scenario' is what a whole scenario of your own is called.`,
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
      `Beside 'name' there is nothing to say, and this body has '${other}'. Send {"name": "lost-answer"}, or a whole scenario without 'name'.`,
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
    `A scenario that comes over HTTP takes fixtures that ship: ${known.join(', ')}. Give a file of your own to the sandbox at its start, with --fixtures.`,
    { place: 'body.fixtures', allowed: known },
  );
}
