/** The catalogue of outcomes, assembled from its groups. */
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
import type { OutcomeId } from './outcome-id.ts';
import type { OutcomeIds } from './outcome-ids.ts';
import type { Outcome, TriggerKind } from './outcome.ts';

/** The groups in the order of listings. */
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
 * Whether a request can ask for an outcome itself, by a header or a cardholder name.
 *
 * That excludes outcomes that need a counter or a random draw, and outcomes that affect requests of other clients.
 */
export function canBeRequested({ effect }: Pick<Outcome, 'effect'>): boolean {
  return !['none', 'series', 'choice', 'refuse-connections'].includes(effect.kind);
}

/** Adds the trigger `header` to every outcome that a request can ask for. */
function triggersOf(row: Row): Outcome['triggers'] {
  return canBeRequested(row) ? row.triggers.flatMap(withHeader) : row.triggers;
}

const withHeader = (trigger: TriggerKind): TriggerKind[] =>
  trigger === 'armed' ? ['armed', 'header'] : [trigger];

/** Every outcome. */
export const catalogue: readonly Outcome[] = Object.entries(groups).flatMap(([group, rows]) =>
  rows.map((row): Outcome => ({ parameters: {}, ...row, group, triggers: triggersOf(row) })),
);

export const outcomeIds: readonly OutcomeId[] = catalogue.map(({ id }) => id);

const byId: ReadonlyMap<string, Outcome> = new Map(
  catalogue.map((outcome) => [outcome.id, outcome]),
);

/** Returns outcomes by ids that were checked when their rule was read. */
export interface Catalogue {
  get(id: string): Outcome;
}

export const checkedCatalogue: Catalogue = {
  get(id) {
    const outcome = byId.get(id);
    if (outcome === undefined) throw new Error(`Unknown outcome "${id}".`);
    return outcome;
  },
};

/** Finds an outcome by its id. */
export function findOutcome(id: string): Outcome | undefined {
  return byId.get(id);
}

/**
 * Every outcome id by itself, so that an editor shows on hover what the client receives.
 *
 * @example merchant.force({ op: 'payment.create', outcome: outcomes['reset-after-commit'] })
 */
export const outcomes = Object.fromEntries(
  catalogue.map(({ id }) => [id, id]),
  // The catalogue has exactly the ids of the interface: a test holds that.
) as { readonly [Id in keyof OutcomeIds]: Id };
