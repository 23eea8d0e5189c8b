/** What the verbs of the sandbox itself answer. */
import type { coverageFormat } from '../contract/constants.ts';
import type { ProfileName } from '../contract/profile.ts';
import type { GuardMode } from '../guard/card-guard.ts';
import type { Counts } from '../journal/counters.ts';
import type { CheckedLimits } from './options.ts';

/** The version and the settings of a sandbox. */
export interface About {
  readonly name: 'card-vault-sandbox';
  readonly version: string;
  readonly profile: ProfileName;
  readonly seed: string;
  readonly auth: 'open' | 'strict';
  readonly ownerCheck: 'strict' | 'lenient';
  readonly allowPastExpiry: boolean;
  readonly realCards: GuardMode;
  /** How many test card numbers the team added. */
  readonly allowedCards: number;
  readonly magicAmounts: boolean;
  /** Name of the scenario that every merchant plays. */
  readonly scenario?: string | undefined;
  readonly limits: CheckedLimits;
  /** Behaviour that no document shows, with the reason for it. */
  readonly decisions: readonly { readonly where: string; readonly decision: string }[];
}

/** How often each operation was called, and how often each outcome happened on it. */
export interface Coverage extends Counts {
  readonly format: typeof coverageFormat;
  readonly version: 1;
}

/** Whether the sandbox answers, and how full it is. */
export interface Health {
  readonly status: 'ready' | 'stopping';
  readonly merchants: number;
  /** Request ids that were forgotten early for lack of room, over all merchants. */
  readonly droppedRequestIds: number;
}
