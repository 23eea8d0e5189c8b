/** The state of a world besides its records, as plain data for snapshots and exports. */
import type { ScheduledEvent } from '../domain/payment/overrides.ts';
import type { RuleBookState } from '../outcomes/rules/rule-book-state.ts';
import type { Expectations } from '../scenarios/expect.ts';
import type { IneffectiveEvent, TimelineEntry } from '../scenarios/timeline.ts';
import type { GatesState } from './gates/gates.ts';
import type { ClockState } from './time/clock.ts';
import type { RecordStore } from './store/store.ts';
import type { PastChange } from './store/change-log.ts';
import type { NumberMarksState } from './number-marks.ts';
import type { RequestIdsState } from './idempotency.ts';
import { initialStreamStates, type StreamStates } from './random/streams.ts';

/**
 * The seed and merchant of a world's random streams. They stay the same if the world continues
 * in another process.
 */
export interface Origin {
  readonly seed: string;
  readonly merchant: string;
}

export interface WorldState {
  readonly origin: Origin;
  readonly clock: ClockState;
  readonly streams: StreamStates;
  readonly requestIds: RequestIdsState;
  /** Ids that answers have shown in a longer form; `undefined` if there are none. */
  readonly longIds?: readonly string[] | undefined;
  readonly ruleBook: RuleBookState;
  /** How many numbers of each deck of test cards were used. */
  readonly dealtCards: readonly (readonly [deck: string, count: number])[];
  readonly scheduledEvents: readonly ScheduledEvent[];
  /** Future entries of the scenario's timeline, in order. */
  readonly timeline: readonly TimelineEntry[];
  /** Timeline events that had no effect. */
  readonly missed: readonly IneffectiveEvent[];
  /** Ids of the scenario's cards, by their names in the scenario. */
  readonly givenCards: readonly (readonly [ref: string, id: string])[];
  /** Start of the scenario, on this world's clock. */
  readonly scenarioStartMs: number | undefined;
  /** The scenario's expectations. */
  readonly expect: Expectations | undefined;
}

/** A saved world. Any number of worlds can continue from it. */
export interface SavedWorld {
  readonly store: RecordStore;
  readonly state: WorldState;
  /**
   * The latest changes, oldest first. Not exported: an imported world has no stale reads of earlier
   * changes.
   */
  readonly changeLog: readonly PastChange[];
  /** Not exported, because held requests cannot be. */
  readonly gates: GatesState;
  /** Not exported: hashes of numbers must not leave the process. `undefined` if no text had a number. */
  readonly numberMarks?: NumberMarksState | undefined;
}

/** The state of a world in which nothing has happened. */
export function freshState(origin: Origin, clock: ClockState): WorldState {
  return {
    origin,
    clock,
    streams: initialStreamStates(origin.seed, origin.merchant),
    requestIds: { dropped: 0, settled: [] },
    ruleBook: { rules: [], named: 0, scenarioState: undefined },
    dealtCards: [],
    scheduledEvents: [],
    timeline: [],
    missed: [],
    givenCards: [],
    scenarioStartMs: undefined,
    expect: undefined,
  };
}
