/** Removes armed rules, of one merchant or for several. */
import { ArgumentError, checkText } from '../outcomes/argument-error.ts';
import type { ErrorDetail } from '../shared/sandbox-error.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import { unknownName } from './unknown-name.ts';

/**
 * Removes the armed rule with this id, or every armed rule of a merchant. Returns how many.
 *
 * @throws {ArgumentError} If no armed rule of the merchant has this id.
 */
export function clearRules({ merchant, ruleBook }: World, id: string | undefined): number {
  if (id === undefined) return ruleBook.remove(({ source }) => source === 'armed');
  checkId(id);
  const removed = ruleBook.remove((rule) => rule.source === 'armed' && rule.id === id);
  if (removed > 0) return removed;
  const source = ruleBook.find(id)?.source;
  if (source === 'shared')
    throw unknownRule(`"${id}" is a rule for several merchants. ${clearShared(id)}`);
  if (source === 'scenario') {
    throw unknownRule(
      `"${id}" is a rule of the scenario, which stays. Only armed rules can be removed.`,
    );
  }
  const armed = ruleBook.report().filter(({ rule }) => rule.source === 'armed');
  const { message, detail } = unknownName(
    `The merchant ${merchant} has no armed rule`,
    id,
    armed.map(({ rule }) => rule.id),
    'rules() and GET /_sandbox/rules',
  );
  throw unknownRule(message, detail);
}

/**
 * Removes one rule for several merchants, or all of them. Returns how many.
 *
 * @throws {ArgumentError} If no such rule has this id.
 */
export function clearSharedRules({ shared, existing }: Worlds, id: string | undefined): number {
  if (id === undefined) return shared.remove(undefined, existing);
  checkId(id);
  const removed = shared.remove(id, existing);
  if (removed > 0) return removed;
  const { message, detail } = unknownName(
    'No rule for several merchants is called',
    id,
    shared.ids,
    'all.rules() and GET /_sandbox/rules?all=true',
  );
  throw unknownRule(message, detail);
}

/** How to remove a rule for several merchants. */
export function clearShared(id: string): string {
  return `Remove it with sandbox.all.clearRules('${id}') or DELETE /_sandbox/rules/${encodeURIComponent(id)}?all=true.`;
}

function checkId(id: unknown): void {
  checkText('The id of a rule', id, 'rule', 'rule-1');
}

function unknownRule(message: string, detail?: ErrorDetail): ArgumentError {
  return new ArgumentError(message, detail, 'unknown-rule');
}
