/**
 * Finds the names of secrets in a field, whatever separates their letters.
 *
 * The names are an automaton (Aho and Corasick): each letter moves it to the longest part of a name that the text just
 * ended with. Separators and invisible characters do not move it.
 */
import type { Codes } from './char-codes.ts';
import { digit0, digit9, letterA, meaningAt, otherLetter, type Meaning } from './characters.ts';
import { secretNames, type SecretName } from './secret-names.ts';

/** The columns of a state: one for all separators, one for each digit and letter, and one for all other letters. */
const columns = 64;
const otherColumn = columns - 1;
/** In a cell, whether a name ends in the next state. Rows are multiples of `columns`, so the bit is free. */
const endBit = 1;

/** The column of a character. */
function columnOf(meaning: Meaning): number {
  if (meaning >= letterA) return meaning - letterA + 11;
  if (meaning >= digit0 && meaning <= digit9) return meaning - digit0 + 1;
  return meaning === otherLetter ? otherColumn : 0;
}

/** The part of a name up to a letter. */
interface State {
  /** The place of its row in `transitions`. */
  readonly row: number;
  readonly next: Map<number, State>;
  /** Names that end here, the longest first. */
  readonly names: SecretName[];
}

const states: State[] = [];
const root = addState();
for (const name of secretNames) addName(name);

/** The next state, by the row of a state and a column. */
const transitions = new Uint16Array(states.length * columns);
fillTransitions();

/** The end of a name in a text, with the state of the finder there. */
export interface NameEnd {
  /** The place of the last letter. */
  readonly at: number;
  readonly state: number;
}

/** Characters that end a field. A name does not reach across them. */
export const fieldEnds = '"\'{},:=&?<>;\n\r';
const areFieldEnds = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(fieldEnds.includes(String.fromCharCode(code))),
);

/** The ends of all names in the fields around some places of a text. Places are in order. */
export function findNames(codes: Codes, length: number, places: readonly number[]): NameEnd[] {
  const found: NameEnd[] = [];
  let done = 0;
  for (const place of places) {
    if (place < done) continue;
    let at = place;
    while (at > done && !endsField(codes, at - 1)) at--;
    let state = 0;
    for (; at < length && !endsField(codes, at); at++) {
      state = transitions[(state & -columns) + columnOf(meaningAt(codes, at))] ?? 0;
      if ((state & endBit) !== 0) found.push({ at, state });
    }
    done = at;
  }
  return found;
}

function endsField(codes: Codes, at: number): boolean {
  return areFieldEnds[codes[at] ?? 0] === 1;
}

/** The names that end in a state, the longest first. */
export function namesIn(state: number): readonly SecretName[] {
  return states[Math.floor(state / columns)]?.names ?? [];
}

function addState(): State {
  const state = { row: states.length * columns, next: new Map<number, State>(), names: [] };
  states.push(state);
  return state;
}

function addName(name: SecretName): void {
  let state = root;
  for (const letter of name.word) {
    const column = columnOf(letter.charCodeAt(0));
    let next = state.next.get(column);
    if (next === undefined) {
      next = addState();
      state.next.set(column, next);
    }
    state = next;
  }
  state.names.push(name);
}

/**
 * Fills the rows, those of short parts first. Where a name does not go on, a state moves like the state of its longest
 * suffix, so it starts with a copy of that row.
 */
function fillTransitions(): void {
  if (transitions.length > 0xffff) throw new Error('There are too many secret names for 16 bits.');
  const queue: { readonly state: State; readonly suffix: number }[] = [{ state: root, suffix: 0 }];
  for (const { state, suffix } of queue) {
    const suffixRow = suffix & -columns;
    transitions.copyWithin(state.row, suffixRow, suffixRow + columns);
    // Separators do not move a state.
    transitions[state.row] = state.row;
    for (const [column, next] of state.next) {
      // Before this row gets its own moves, it holds those of the suffix.
      const nextSuffix = state === root ? 0 : (transitions[state.row + column] ?? 0);
      queue.push({ state: next, suffix: nextSuffix });
      next.names.push(...namesIn(nextSuffix));
      transitions[state.row + column] = next.row | (next.names.length > 0 ? endBit : 0);
    }
  }
}
