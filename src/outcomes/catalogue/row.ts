/** What the groups of the catalogue share: the type of a row, lists of operations, and common parameters. */
import { operationNames, operations } from '../../contract/service/operations.ts';
import type { Outcome, Parameter, TriggerKind } from '../outcome.ts';

/** An outcome as a group writes it. The catalogue adds the group, missing parameters and the trigger `header`. */
export type Row = Omit<Outcome, 'group' | 'parameters'> & Partial<Pick<Outcome, 'parameters'>>;

/** Triggers of an outcome that rules can force, in a scenario or armed by a test. */
export const byRule = ['scenario', 'armed'] as const satisfies readonly TriggerKind[];

/** A refusal: the request is valid, but it is not executed. */
export const refused = {
  phase: 'before-commit',
  commit: 'never',
  concludes: 'FAIL',
  provenance: 'profile',
} as const;

/** A refusal that results from real state and cannot be forced. */
export const refusedByState = {
  ...refused,
  triggers: ['natural'],
  phase: 'natural',
  effect: { kind: 'none' },
} as const;

/** Operations that need a token. The token endpoint needs credentials instead. */
export const bearerOperations = operationNames.filter((name) => name !== 'token.create');

/** Operations whose success has a body. A 204 has none that could be damaged or rewritten. */
export const bodyOperations = operationNames.filter((name) => !(204 in operations[name].responses));

/** Operations that return records with ids, times, states and links. A token has none of these. */
export const recordOperations = bodyOperations.filter((name) => name !== 'token.create');

type Parameters = Readonly<Record<string, Parameter>>;

/** The real time before the first byte of a response. */
export function delay(duration: string): Parameters {
  return { delay: { default: duration, type: 'ms', about: 'Wait before the first byte' } };
}

export function retryAfter(seconds: number): Parameters {
  return {
    retryAfter: { default: seconds, type: 'seconds', about: 'Value of the Retry-After header' },
  };
}

/** Whether the service writes an error, or a proxy writes a page. */
export function body(form: 'error' | 'html'): Parameters {
  return {
    body: {
      default: form,
      type: 'text',
      oneOf: ['error', 'html'],
      about: "The service's error object, or an HTML page of a proxy",
    },
  };
}

/** Whether an outcome applies before or after the commit, if both are possible. */
export function phase(usual: 'before-commit' | 'after-commit'): Parameters {
  return {
    phase: {
      default: usual,
      type: 'text',
      oneOf: ['before-commit', 'after-commit'],
      about: 'Whether the request fails before or after it is executed',
    },
  };
}

/** The number of requests that get the first outcome of a series. */
export function times(count: number): Parameters {
  return { times: { default: count, type: 'count', about: 'Number of requests that fail first' } };
}

export function settleAfter(duration: string): Parameters {
  return {
    settleAfter: { default: duration, type: 'duration', about: 'Time until the sale settles' },
  };
}

export function after(duration: string): Parameters {
  return { after: { default: duration, type: 'duration', about: 'Time until it happens' } };
}
