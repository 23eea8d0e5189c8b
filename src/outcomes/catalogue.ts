/** The catalogue of outcomes, put together from its groups. Everything else reads it. */
import { consistency } from './catalogue/consistency.ts';
import { evolution } from './catalogue/evolution.ts';
import { idempotency } from './catalogue/idempotency.ts';
import { issuer } from './catalogue/issuer.ts';
import { laterMoney } from './catalogue/later-money.ts';
import { limits } from './catalogue/limits.ts';
import type { Row } from './catalogue/row.ts';
import { serverErrors } from './catalogue/server-errors.ts';
import { tokens } from './catalogue/tokens.ts';
import { transport } from './catalogue/transport.ts';
import { validation } from './catalogue/validation.ts';
import { vault } from './catalogue/vault.ts';
import { verification } from './catalogue/verification.ts';
import type { Outcome, TriggerKind } from './outcome.ts';

/** The groups in the order in which they are shown. */
const groups: Readonly<Record<string, readonly Row[]>> = {
  issuer,
  verification,
  vault,
  validation,
  idempotency,
  tokens,
  limits,
  'server-errors': serverErrors,
  transport,
  consistency,
  'later-money': laterMoney,
  evolution,
};

/**
 * Whether one request alone can have an outcome: without a rule that counts or draws, and without requests of others
 * having it as well. Only then can the request ask for it itself.
 */
export function canBeRequested({ effect }: Pick<Outcome, 'effect'>): boolean {
  return !['none', 'series', 'choice', 'refuse-connections'].includes(effect.kind);
}

/** A request can ask by its header for all that it can have by itself. */
function triggersOf(row: Row): Outcome['triggers'] {
  return canBeRequested(row) ? row.triggers.flatMap(withHeader) : row.triggers;
}

const withHeader = (trigger: TriggerKind): TriggerKind[] =>
  trigger === 'armed' ? ['armed', 'header'] : [trigger];

/** Every outcome there is. */
export const catalogue: readonly Outcome[] = Object.entries(groups).flatMap(([group, rows]) =>
  rows.map((row): Outcome => ({ parameters: {}, ...row, group, triggers: triggersOf(row) })),
);

export const outcomeIds: readonly string[] = catalogue.map(({ id }) => id);

const byId: ReadonlyMap<string, Outcome> = new Map(
  catalogue.map((outcome) => [outcome.id, outcome]),
);

/** Outcomes by ids that were checked when their rule was read. */
export interface Catalogue {
  get(id: string): Outcome;
}

export const checkedCatalogue: Catalogue = {
  get(id) {
    const outcome = byId.get(id);
    if (outcome === undefined) throw new Error(`No outcome has the id "${id}".`);
    return outcome;
  },
};

/** The outcome of this id, if there is one. */
export function findOutcome(id: string): Outcome | undefined {
  return byId.get(id);
}
