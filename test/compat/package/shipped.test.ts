/** Builds hold the documents that ship as they were read; what they hold must be what the YAML says. */
import { describe, expect, it } from 'vitest';
import { shippedModule } from '../../../.ci/shipped.mjs';
import { loadFixtures, shippedFixtures } from '../../../src/fixtures/load.ts';
import { loadScenario, shippedScenarioNames } from '../../../src/scenarios/load.ts';
import type { ShippedFolder } from '../../../src/documents/shipped-documents.ts';

interface Ready {
  shippedNames(folder: ShippedFolder): string[];
  readyDocument(folder: ShippedFolder, name: string): unknown;
}

describe('a build', async () => {
  const text = Buffer.from(await shippedModule()).toString('base64');
  const ready = (await import(`data:text/javascript;base64,${text}`)) as Ready;

  it('knows every document that ships', () => {
    expect(ready.shippedNames('fixtures')).toEqual(shippedFixtures());
    expect(ready.shippedNames('scenarios')).toEqual(shippedScenarioNames());
  });

  it.each(shippedFixtures())('holds the fixtures %s as their YAML says', (name) => {
    const [part] = loadFixtures(name).parts;
    expect(ready.readyDocument('fixtures', name)).toStrictEqual(part?.document);
  });

  it.each(shippedScenarioNames())('holds the scenario %s as its YAML says', (name) => {
    const { document } = loadScenario(name);
    expect(ready.readyDocument('scenarios', name)).toStrictEqual(document);
  });
});
