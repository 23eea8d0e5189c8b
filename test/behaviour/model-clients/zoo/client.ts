/** The form of a client of the zoo. */
import type { ForcedRule, Merchant, OutcomeId } from '../../../../src/index.ts';
import type { FindingId } from '../../../../src/contract/finding-ids.ts';
import type { ShopCode } from './shop-code.ts';

export type Beliefs = NonNullable<NonNullable<Parameters<Merchant['verdict']>[0]>['beliefs']>;

/** An outcome that is forced on the first matching requests. */
export interface Forced {
  readonly op: ForcedRule['op'];
  readonly outcome: OutcomeId;
  readonly times?: number;
  readonly nth?: number;
}

/** Runs the client. It returns what the merchant's code believes at the end. */
export type Run = (code: ShopCode) => Promise<Beliefs | void>;

/** A client that does nothing wrong. */
export interface RightClient {
  /** How it works, in one line. */
  readonly about: string;
  /** What happens to it, one at a time. */
  readonly meets: readonly Forced[];
  /** Whether it finds and undoes what something on the way did twice, so that nothing is left to report. */
  readonly undoesTwins?: true;
  readonly run: Run;
}

/** A client with a mistake that costs money, or nearly does. */
export interface WrongClient {
  /** What it does wrong, in one line. */
  readonly about: string;
  /** What happens to it, all together. */
  readonly meets?: readonly Forced[];
  /** The finding that reports it, or `belief` if the verdict shows that its belief is wrong. */
  readonly found: FindingId | 'belief';
  /** Whether the verdict only remarks on it, because no money was at stake. */
  readonly isRemark?: true;
  /** The right client that looks most like it. */
  readonly beside: string;
  readonly run: Run;
}
