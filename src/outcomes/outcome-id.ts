import type { OutcomeIds } from './outcome-ids.ts';

/** The id of an outcome. The compiler checks each row of the catalogue against the generated ids. */
export type OutcomeId = keyof OutcomeIds;

/** Stands for natural behaviour instead of an outcome. */
export const naturalStep = 'ok';

/** What a step of a rule names: an outcome, or `ok` for natural behaviour. */
export type OutcomeIdOrOk = OutcomeId | typeof naturalStep;
