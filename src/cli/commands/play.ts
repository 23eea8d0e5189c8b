/** `play`: plays a scenario on a running sandbox. */
import { isDocumentFile, readDocumentFile, statOf } from '../../documents/files.ts';
import { loadScenario } from '../../scenarios/load.ts';
import type { ScenarioDocument } from '../../scenarios/document.ts';
import { ScenarioError } from '../../scenarios/scenario-error.ts';
import { didYouMean, listKnown } from '../../shared/did-you-mean.ts';
import { SandboxError } from '../../shared/sandbox-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import { sandboxAt, toUsageError } from '../settings/address.ts';
import { checkMerchantFlags } from '../settings/merchant-selection.ts';

/** The options as they were given. */
export interface PlayFlags {
  readonly merchant?: readonly string[];
  readonly all?: boolean;
}

/** Plays a file, or a scenario that the sandbox knows by name. Every merchant that plays starts fresh. */
export async function playScenarioOn(
  scenario: string | undefined,
  url: string | undefined,
  { merchant, all = false }: PlayFlags,
  program: NodeJS.Process,
): Promise<void> {
  if (scenario === undefined) {
    throw new UsageError('Name the scenario file: card-vault-sandbox play ./lost-answer.yaml');
  }
  if (all && merchant !== undefined) throw new UsageError('Use --merchant or --all, not both.');
  checkMerchantFlags({ ...(merchant !== undefined && { merchant }) });
  const source = readScenarioSource(scenario);
  const sandbox = sandboxAt(url, program);
  try {
    const merchants = all ? await sandbox.merchants() : (merchant ?? [sandbox.id]);
    if (merchants.length === 0) {
      throw new UsageError('The sandbox has no merchants yet. Name one with --merchant.');
    }
    const lines = await Promise.all(
      merchants.map(async (id) => {
        const played = await sandbox.merchant(id).playScenario(source);
        return `Merchant ${id} plays ${played} from a fresh start.\n`;
      }),
    );
    program.stdout.write(lines.join(''));
  } catch (error) {
    if (error instanceof SandboxError && error.place === 'name') {
      const { allowed = [] } = error;
      throw new UsageError(
        `No scenario and no file is called "${scenario}".${didYouMean(scenario, allowed)} Known: ${listKnown(allowed)}.`,
      );
    }
    throw toUsageError(error);
  }
}

/** A file is checked here, so that messages name its lines. A name is looked up by the sandbox. */
function readScenarioSource(scenario: string): string | ScenarioDocument {
  try {
    const isFile = statOf(scenario, ScenarioError)?.isFile() === true;
    if (!isFile && !isDocumentFile(scenario)) return scenario;
    loadScenario(scenario);
    // `loadScenario` has checked that the value is a scenario.
    return readDocumentFile(scenario, scenario, ScenarioError).value as ScenarioDocument;
  } catch (error) {
    if (error instanceof ScenarioError) throw new UsageError(error.message);
    throw error;
  }
}
