/** What a world is besides its records, as plain data: it can be kept, written down, and gone on with elsewhere. */
import type { ScheduledEvent } from '../domain/payment/overrides.ts';
import type { RuleBookState } from '../outcomes/rules/rule-book-state.ts';
import type { Expectations } from '../scenarios/expect.ts';
import type { IneffectiveEvent, TimelineEntry } from '../scenarios/timeline.ts';
import type { ClockState } from './time/clock.ts';
import type { RecordStore } from './store/store.ts';
import type { PastChange } from './store/change-log.ts';
import type { RequestIdsState } from './idempotency.ts';
import { initialStreamStates, type StreamStates } from './random/streams.ts';

/** The words all chance in a world is drawn from. They stay with it wherever it goes on. */
export interface Origin {
  readonly seed: string;
  readonly merchant: string;
}

export interface WorldState {
  readonly origin: Origin;
  readonly clock: ClockState;
  readonly streams: StreamStates;
  readonly requestIds: RequestIdsState;
  readonly ruleBook: RuleBookState;
  /** How many numbers of each deck of test cards were dealt. */
  readonly dealtCards: readonly (readonly [deck: string, count: number])[];
  readonly agenda: readonly ScheduledEvent[];
  /** Points of a scenario's timeline still to come, in order. */
  readonly timeline: readonly TimelineEntry[];
  /** Events of it that came and befell nothing. */
  readonly missed: readonly IneffectiveEvent[];
  /** Ids of the cards a scenario has given, by what it calls them. */
  readonly givenCards: readonly (readonly [ref: string, id: string])[];
  /** When the scenario that is played began, on this world's clock. */
  readonly scenarioStartMs: number | undefined;
  /** What the scenario says should be true in the end. */
  readonly expect: Expectations | undefined;
}

/** A world that is kept: from it any number of worlds can go on. */
export interface SavedWorld {
  readonly store: RecordStore;
  readonly state: WorldState;
  /** What changed last, oldest first. No export tells it: who imports a world reads it as it is. */
  readonly changeLog: readonly PastChange[];
}

/** Where a world begins in which nothing has happened. */
export function freshState(origin: Origin, clock: ClockState): WorldState {
  return {
    origin,
    clock,
    streams: initialStreamStates(origin.seed, origin.merchant),
    requestIds: { dropped: 0, settled: [] },
    ruleBook: { rules: [], named: 0, scenarioState: undefined },
    dealtCards: [],
    agenda: [],
    timeline: [],
    missed: [],
    givenCards: [],
    scenarioStartMs: undefined,
    expect: undefined,
  };
}
