/** An outcome as the file of its group writes it. */
import { operationNames, operations } from '../../contract/service/operations.ts';
import type { Outcome, TriggerKind } from '../outcome.ts';

/**
 * The group is the file's name, and an outcome without parameters says nothing of them. Whether a header can ask for it
 * follows from its effect.
 */
export type Row = Omit<Outcome, 'group' | 'parameters'> & Partial<Pick<Outcome, 'parameters'>>;

/** Asked for by a rule. Whatever a scenario can name can be armed by hand too. */
export const byRule = ['scenario', 'armed'] as const satisfies readonly TriggerKind[];

/** All that ask for a token; the token endpoint asks for credentials. */
export const bearerOperations = operationNames.filter((name) => name !== 'token.create');

/** All that answer with a body once they are carried out: there is none to be spoilt or written otherwise in a 204. */
export const bodyOperations = operationNames.filter((name) => !(204 in operations[name].responses));

/** All that answer with records, which have ids, times, states and links; a token has none of them. */
export const recordOperations = bodyOperations.filter((name) => name !== 'token.create');
