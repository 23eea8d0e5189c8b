/** One merchant's gates. They hold requests so that a test decides which of them continues first. */
import { isDeepStrictEqual } from 'node:util';
import type { GatePoint, Hold } from '../../journal/entry.ts';
import { realTimer, type StartTimer } from '../../journal/query/wait.ts';
import type { Facts } from '../../outcomes/rules/facts.ts';
import { findMismatch } from '../../outcomes/rules/match.ts';
import type { ArrivalOrder, Gate } from '../../scenarios/gates.ts';
import { GateError } from '../../scenarios/scenario-error.ts';
import { redactFreeText } from '../../redaction/redact.ts';
import { listKnown } from '../../shared/did-you-mean.ts';
import { describeValue } from '../../shared/unknown-value.ts';
import { HeldPause, type HeldFacts, type HeldRequest } from './held-request.ts';

/** In which order to release: a word, or numbers, debug ids or PayPal-Request-Ids of held requests. */
export type ReleaseOrder = 'arrival' | 'reverse' | readonly (string | number)[];

/** A gate that has held fewer requests than it waits for. */
export interface UnfilledGate {
  readonly gate: Gate;
  readonly came: number;
  /** What ended it; `undefined` if it holds the next request. */
  readonly endedBy: Hold['releasedBy'] | undefined;
  /** Requests of its operations that it did not hold, because they do not meet its conditions. */
  readonly mismatched: number;
  /** Why it did not hold the latest of them. */
  readonly mismatch: string | undefined;
}

/** A gate that waits for more requests. */
export interface WaitingGate extends UnfilledGate {
  /** `seq` of the first exchange after the gate was added. */
  readonly sinceSeq: number;
}

/** The gates of a world, for a snapshot. Held requests belong to the world that is left. */
export interface GatesState {
  readonly named: number;
  readonly gates: readonly (Pick<UnfilledGate, 'gate' | 'came'> & { readonly isOver: boolean })[];
}

export const noGates: GatesState = { named: 0, gates: [] };

interface GateRecord {
  readonly gate: Gate;
  readonly sinceSeq: number;
  came: number;
  mismatched: number;
  mismatch: string | undefined;
  /** How many it holds now. */
  holding: number;
  released: number;
  endedBy: Hold['releasedBy'] | undefined;
  stopTimer: () => void;
}

interface HeldPlace {
  readonly record: GateRecord;
  readonly pause: HeldPause;
}

/** The most gates that wait for requests or did not fill. */
const maxGates = 100;

const maskedIdAdvice =
  'The card number in a PayPal-Request-Id is masked, so name such a request by its debug id.';

const nothing = (): void => undefined;

export class Gates {
  #records: GateRecord[];
  /** In order of arrival. The list is replaced, never changed, so that a wait can keep the last one. */
  #held: readonly HeldPlace[] = [];
  #named: number;
  /** Whether a request may have to be held. Most merchants have no gate. */
  isOpen = false;
  readonly #listeners = new Set<() => void>();
  readonly #startTimer: StartTimer;

  constructor(state: GatesState = noGates, startTimer: StartTimer = realTimer) {
    this.#named = state.named;
    this.#startTimer = startTimer;
    this.#records = state.gates.map(({ gate, came, isOver }) => ({
      ...newRecord(gate),
      came,
      endedBy: isOver ? 'end' : undefined,
    }));
    this.#update();
  }

  /** A gate that holds requests waits for all of them again, because they belong to this world. */
  get state(): GatesState {
    const gates = this.#records.map((record) => {
      const { gate, came, endedBy } = record;
      return { gate, came: record.holding > 0 ? 0 : came, isOver: endedBy !== undefined };
    });
    return { named: this.#named, gates };
  }

  /** A name for a gate without one. No gate has it. */
  get nextId(): string {
    return `gate-${this.#nextNumber()}`;
  }

  get size(): number {
    return this.#held.length;
  }

  /** How many more requests the gates would hold. */
  get capacity(): number {
    return this.waitingGates().reduce((sum, { gate, came }) => sum + gate.count - came, 0);
  }

  /**
   * Adds a gate. The next exchange has the number `sinceSeq`.
   *
   * @throws {GateError} If its name is taken, or there are too many gates.
   */
  add(gate: Gate, sinceSeq: number): void {
    if (this.#records.some(({ gate: { id } }) => id === gate.id)) {
      throw new GateError([
        `hold name: the name "${gate.id}" is taken by another gate. Choose another name, or reset the merchant between tests.`,
      ]);
    }
    if (this.#records.filter((record) => record.gate.source === 'armed').length >= maxGates) {
      throw new GateError([
        `hold: this merchant has ${maxGates} gates that wait for requests or did not fill, the most it may. Reset the merchant between tests.`,
      ]);
    }
    this.#named = this.#nextNumber();
    this.#records.push(newRecord(gate, sinceSeq));
    this.#update();
  }

  /** Replaces the gates of the scenario. Those that did not change go on; the others release what they hold. */
  replaceScenario(gates: readonly Gate[]): void {
    const isKept = ({ gate }: GateRecord): boolean =>
      gate.source === 'armed' || gates.some((one) => isDeepStrictEqual(one, gate));
    for (const record of this.#records) if (!isKept(record)) this.#end(record, 'end');
    this.#records = this.#records.filter(isKept);
    const known = new Set(this.#records.map(({ gate }) => gate.id));
    for (const gate of gates) if (!known.has(gate.id)) this.#records.push(newRecord(gate));
    this.#update();
  }

  /** Returns the pause of a request that must be held; `undefined` if none of the gates is for it. */
  hold(facts: Facts, at: GatePoint, about: HeldFacts): HeldPause | undefined {
    const record = this.#records.find((one) => {
      const { gate } = one;
      if (!hasRoom(one) || gate.at !== at || !gate.operations.includes(facts.operation)) {
        return false;
      }
      const mismatch = gate.match === undefined ? undefined : findMismatch(gate.match, facts);
      if (mismatch === undefined) return true;
      one.mismatched++;
      one.mismatch = mismatch;
      return false;
    });
    if (record === undefined) return undefined;
    record.came++;
    const { id: gate } = record.gate;
    return new HeldPause(about, { gate, at, arrived: record.came }, (pause) =>
      this.#begin({ record, pause }),
    );
  }

  /** The requests that are held, in order of arrival. */
  held(): HeldRequest[] {
    return this.readHeld()();
  }

  /** Remembers which requests are held now, and returns a function that reads them. */
  readHeld(): () => HeldRequest[] {
    const places = this.#held;
    return () => places.map(({ pause }) => pause.read());
  }

  /** Gates that held fewer requests than they wait for. */
  unfilled(): UnfilledGate[] {
    return this.#records.filter(({ gate, came }) => came < gate.count);
  }

  /** Gates that hold more requests if they come. */
  waitingGates(): WaitingGate[] {
    return this.#records.filter(hasRoom);
  }

  /**
   * Releases held requests, one after the other, and returns them in that order. Without a list it releases all, and
   * gates that held some of them end.
   *
   * @throws {GateError} If the list names a request that is not held, or a gate still waits for its first one and
   * nothing is held. Nothing is released then.
   */
  release(order: ReleaseOrder): HeldRequest[] {
    const chosen = this.#choose(order);
    if (chosen.length === 0) this.#checkNoneWaits();
    if (typeof order === 'string') for (const { record } of chosen) record.endedBy ??= 'release';
    const released = chosen.map(({ pause }) => pause.read());
    this.#releaseEach(chosen, 'release');
    return released;
  }

  /** Releases everything, and holds no further request. */
  end(): void {
    for (const record of this.#records) record.endedBy ??= 'end';
    this.#releaseEach([...this.#held], 'end');
  }

  /** Calls a listener after every change. Call the returned function to remove it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get waiting(): number {
    return this.#listeners.size;
  }

  #nextNumber(): number {
    let next = this.#named + 1;
    while (this.#records.some(({ gate }) => gate.id === `gate-${next}`)) next++;
    return next;
  }

  #begin(place: HeldPlace): void {
    const { record } = place;
    const { gate } = record;
    this.#held = [...this.#held, place];
    record.holding++;
    this.#update();
    // A released request may have ended the gate after this one was chosen.
    if (record.endedBy !== undefined) return this.#releaseEach([place], 'end');
    if (record.came === gate.count && gate.release !== undefined) {
      return this.#releaseEach(inOrder(this.#heldBy(record), gate.release), 'filled');
    }
    record.stopTimer();
    record.stopTimer = this.#startTimer(() => this.#end(record, 'timeout'), gate.timeoutMs);
  }

  #end(record: GateRecord, cause: Hold['releasedBy']): void {
    record.endedBy ??= cause;
    this.#releaseEach(this.#heldBy(record), cause);
  }

  #heldBy(record: GateRecord): HeldPlace[] {
    return this.#held.filter((place) => place.record === record);
  }

  /** Each request continues as far as it can before the next one is released. */
  #releaseEach(chosen: readonly HeldPlace[], cause: Hold['releasedBy']): void {
    const ended = new Set(chosen);
    this.#held = this.#held.filter((place) => !ended.has(place));
    for (const { record } of chosen) if (--record.holding === 0) record.stopTimer();
    this.#update();
    for (const { record, pause } of chosen) pause.release(++record.released, cause);
  }

  /** Drops armed gates that have nothing more to tell, and calls the listeners. A scenario has few gates, so they stay. */
  #update(): void {
    this.#records = this.#records.filter(
      (record) =>
        record.gate.source === 'scenario' || record.came < record.gate.count || record.holding > 0,
    );
    this.isOpen = this.capacity > 0;
    for (const listener of this.#listeners) listener();
  }

  /** A test that releases before its requests have come would wait for the time of the gate. */
  #checkNoneWaits(): void {
    const early = this.#records.find(
      (record) =>
        hasRoom(record) &&
        record.came === 0 &&
        record.gate.release === undefined &&
        !record.gate.optional,
    );
    if (early === undefined) return;
    const { id, count, operations } = early.gate;
    throw new GateError([
      `release: no request is held yet. Gate ${id} waits for ${count} of ${operations.join(', ')}. Wait for them with waitForHeld().`,
    ]);
  }

  #choose(order: ReleaseOrder): readonly HeldPlace[] {
    if (order === 'arrival') return [...this.#held];
    if (order === 'reverse') return this.#held.toReversed();
    if (order.length === 0) {
      throw new GateError([
        `release: the list is empty. Name requests in it, or give no list to release all. ${this.#describeHeld()}`,
      ]);
    }
    const chosen = order.map((word) => this.#find(word));
    const twice = chosen.findIndex((place, at) => chosen.indexOf(place) < at);
    if (twice === -1) return chosen;
    throw new GateError([
      `release: ${describeValue(order[twice])} names a request that is already in the list.`,
    ]);
  }

  #find(word: string | number): HeldPlace {
    const found =
      typeof word === 'number'
        ? this.#held[word - 1]
        : (this.#held.find(({ pause }) => pause.read().debugId === word) ??
          this.#held.find(({ pause }) => pause.read().requestId === word));
    if (found !== undefined) return found;
    // A message never shows a card number, so the caller would not recognise the word.
    const masked = redactFreeText(String(word)) === String(word) ? '' : `${maskedIdAdvice} `;
    throw new GateError([
      `release: no held request has the number or id ${describeValue(word)}. ${masked}${this.#describeHeld()}`,
    ]);
  }

  #describeHeld(): string {
    const ids = this.#held.map(({ pause }) => pause.read().debugId);
    return ids.length === 0
      ? 'No request is held. Wait for them with waitForHeld().'
      : `Held are, in order of arrival: ${listKnown(ids)}.`;
  }
}

function newRecord(gate: Gate, sinceSeq = 0): GateRecord {
  return {
    gate,
    sinceSeq,
    came: 0,
    mismatched: 0,
    mismatch: undefined,
    holding: 0,
    released: 0,
    endedBy: undefined,
    stopTimer: nothing,
  };
}

/** Whether a gate holds the next request. */
function hasRoom({ gate, came, endedBy }: GateRecord): boolean {
  return endedBy === undefined && came < gate.count;
}

/** Names a gate, with its operations and where it holds them. */
export function describeGate({ gate: { id, operations, at } }: UnfilledGate): string {
  return `Gate ${id} (${operations.join(', ')}, ${at})`;
}

/** Says how many requests came to a gate, and what ended it before it was full. */
export function describeCame({ gate: { count, timeoutMs }, came, endedBy }: UnfilledGate): string {
  const ends = {
    release: ' before release() was called',
    timeout: ` before its timeoutMs of ${timeoutMs} passed without a further one`,
  };
  const end = endedBy === 'release' || endedBy === 'timeout' ? ends[endedBy] : '';
  return `${came} of ${count} came${end}.`;
}

/** Says which requests a gate did not hold, if there were any: ` 2 others did not match: amount is not "5".` */
export function describeMismatch({ mismatched, mismatch = '' }: UnfilledGate): string {
  if (mismatched === 0) return '';
  const others = mismatched === 1 ? '1 other did' : `${mismatched} others did`;
  return ` ${others} not match: ${mismatch}.`;
}

function inOrder(all: readonly HeldPlace[], order: ArrivalOrder): readonly HeldPlace[] {
  if (order === 'arrival') return all;
  if (order === 'reverse') return all.toReversed();
  return order.flatMap((number) => all.find(({ pause }) => pause.arrived === number) ?? []);
}
