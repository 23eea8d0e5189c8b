/** How long after a request another one may be for the same thing. A window of one rule alone stands beside that rule. */
import { dayMs } from '../../domain/calendar.ts';

/** An equal request that comes later than this is for something else. Other services use 30 s to 1 h. */
export const sameIntentWindowMs = 120_000;

/** A worker takes a job over only after its lease has ended. Tests sell several things in a row under one name. */
export const minRedeliveryMs = 10_000;

/** How late a queue may deliver a job again, as after a weekend. What comes later may be meant, as an instalment. */
export const maxRedeliveryMs = 4 * dayMs;

/**
 * A job that is meant to run each day may come some hours early. What comes sooner is no new day: it is a retry after an
 * unknown outcome, or a run that is repeated by mistake.
 */
export const sameDayWindowMs = 20 * 3_600_000;

/** Parts of an order that are paid in turn, such as nights, come this far apart. */
export const partsApartMs = dayMs / 2;

/** A night may be charged some hours later than the one before. */
export const longestNightMs = dayMs + 4 * 3_600_000;
