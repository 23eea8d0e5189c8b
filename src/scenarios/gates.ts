/** Gates as scenarios and `hold` describe them: which requests are held, where, and how they are released. */
import type { OperationName } from '../contract/service/operation-name.ts';
import type { GatePoint } from '../journal/entry.ts';
import type { Match } from '../outcomes/rules/match.ts';
import { loadDocument, type LoadedScenario } from './load.ts';
import { resolveOperations } from './rules/operation-words.ts';
import { toList, withCardIds, type RuleContext } from './rules/rules.ts';
import { GateError, ScenarioError } from './scenario-error.ts';
import type { ReadGate } from './rules/rule-schema.ts';

/** The order in which a gate releases its requests; numbers count in order of arrival, from 1. */
export type ArrivalOrder = 'arrival' | 'reverse' | readonly number[];

/** Holds the next `count` requests that match, until they are released. */
export interface Gate {
  readonly id: string;
  readonly source: 'armed' | 'scenario';
  readonly operations: readonly OperationName[];
  readonly match: Match | undefined;
  readonly count: number;
  readonly at: GatePoint;
  /** Real time without a further request after which it releases what it holds. */
  readonly timeoutMs: number;
  /** The order in which all are released once they came; absent if they wait for `release`. */
  readonly release: ArrivalOrder | undefined;
  /** Whether the gate may stay unfilled without a report. */
  readonly optional: boolean;
}

/** Clients and test runners give up after five seconds and more. A gate that does not fill should end before. */
export const defaultGateTimeoutMs = 3_000;

/** Returns the gates of a scenario in their order. */
export function buildGates({ document }: LoadedScenario, stage: RuleContext): Gate[] {
  return toList(document.hold).map((gate, at) =>
    buildGate(gate, gate.name ?? `gate ${at + 1}`, stage),
  );
}

function buildGate(gate: ReadGate, id: string, stage: RuleContext): Gate {
  const { match, count, at, timeoutMs, release, optional } = gate;
  return {
    id,
    source: 'scenario',
    operations: [...new Set(toList(gate.op).flatMap(resolveOperations))],
    match: match === undefined ? undefined : withCardIds(match, stage),
    count,
    at: at ?? 'before-commit',
    timeoutMs: timeoutMs ?? defaultGateTimeoutMs,
    release,
    optional: optional ?? false,
  };
}

/**
 * Reads a gate for `hold`, which may be anything.
 *
 * @throws {GateError} If the gate is invalid. The error names every problem.
 */
export function createAdhocGate(held: unknown, id: string, stage: RuleContext): Gate {
  if (typeof held !== 'object' || held === null || Array.isArray(held)) {
    throw new GateError(["hold: must be an object such as { op: 'payment.create', count: 2 }."]);
  }
  const document = { scenario: 'armed', version: 1, about: 'Set with hold.', hold: held };
  const [gate] = buildGates(
    withHoldWording(() => loadDocument(document)),
    stage,
  );
  if (gate === undefined) throw new Error('A gate passed the schema and was not built.');
  const isNamed = 'name' in held && held.name !== undefined;
  return { ...gate, id: isNamed ? gate.id : id, source: 'armed' };
}

/** Rewrites the places in messages: the caller wrote one gate and no scenario. */
function withHoldWording(load: () => LoadedScenario): LoadedScenario {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new GateError(
      error.lines.map((line) =>
        line.replace(/^scenario hold\.?/, 'hold ').replace(/^hold :/, 'hold:'),
      ),
    );
  }
}
