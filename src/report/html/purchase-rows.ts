/** What happened to a purchase, in rows: each exchange with the money that it took. */
import type { Attempt, Charge, Purchase } from '../verdicts.ts';
import { sinceWords } from './span.ts';

/** One row of a purchase's timeline. */
export interface Row {
  readonly at: string;
  /** Since the first row. */
  readonly since: string;
  /** Absent where the money came of an exchange that is not shown with the purchase. */
  readonly attempt: Attempt | undefined;
  readonly money: readonly Money[];
}

/** Money that was taken, and how and when the client came to know. */
export interface Money {
  readonly charge: Charge;
  readonly knowledge: 'told' | 'never' | 'unsure';
  /** `told at once`, `read +3 d`, `never told`. */
  readonly words: string;
}

/** In the order in which it came. */
export function rowsOf({ attempts, charges }: Purchase): readonly Row[] {
  const shown = new Set(attempts.map(({ debugId }) => debugId));
  const alone = charges.filter(({ madeBy }) => !shown.has(madeBy));
  const events = [
    ...attempts.map((attempt) => ({
      at: attempt.at,
      attempt,
      taken: charges.filter(({ madeBy }) => madeBy === attempt.debugId),
    })),
    ...alone.map((charge) => ({ at: charge.at, attempt: undefined, taken: [charge] })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const startAt = events[0]?.at ?? '';
  return events.map(({ at, attempt, taken }) => ({
    at,
    since: sinceWords(startAt, at),
    attempt,
    money: taken.map((charge) => moneyOf(charge, startAt)),
  }));
}

function moneyOf(charge: Charge, startAt: string): Money {
  const { known, madeBy, toldBy } = charge;
  if (toldBy === undefined) {
    return known === 'never'
      ? { charge, knowledge: 'never', words: 'never told' }
      : { charge, knowledge: 'unsure', words: 'told? unsure' };
  }
  if (toldBy.debugId === madeBy) return { charge, knowledge: 'told', words: 'told at once' };
  const verb = known === 'read' ? 'read' : 'told';
  return { charge, knowledge: 'told', words: `${verb} ${sinceWords(startAt, toldBy.at)}` };
}
