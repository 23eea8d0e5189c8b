/** The faults that each client is made to meet, as rules. */
import type { ForcedRule } from '../../../../src/index.ts';

export interface Fault {
  /** Id in the catalogue. */
  readonly outcome: string;
  /** Said beside the id where the id does not say all. */
  readonly note?: string;
  readonly rule: ForcedRule;
  /** What an answer that asks for patience says. */
  readonly retryAfterMs?: number;
  /** It can take a second and more; such faults are met side by side. */
  readonly slow: boolean;
}

/** More than any client here tries. */
const everyTime = 20;

/**
 * Waits that are forced are several deadlines long, and the patience of the test several waits: whichever of two
 * timers decides a cell, the other is far away.
 */
const waitMs = 2_500;
const gapMs = 100;
/** A payment's body is just under a kilobyte. */
const pieceBytes = 40;

function each(
  outcome: string,
  params: Readonly<Record<string, string | number>> = {},
): Omit<Fault, 'slow'> {
  const step = { outcome, with: { ...params } };
  return { outcome, rule: { op: 'payment.create', times: everyTime, outcome: step } };
}

const patient = { retryAfterMs: 1_000, slow: true } as const;

export const faults: readonly Fault[] = [
  {
    outcome: 'reset-after-commit',
    note: 'once',
    rule: { op: 'payment.create', outcome: 'reset-after-commit' },
    slow: false,
  },
  { ...each('reset-after-commit'), note: 'every time', slow: false },
  { ...each('close-after-commit'), slow: false },
  { ...each('keepalive-race', { phase: 'after-commit' }), slow: false },
  { ...each('error-500-before-commit'), slow: false },
  { ...each('error-500-after-commit'), slow: false },
  { ...each('error-502-after-commit'), slow: false },
  { ...each('error-504-after-commit', { delay: '10ms' }), slow: false },
  { ...each('rate-limited-seconds', { retryAfter: 1 }), ...patient },
  { ...each('error-503-before-commit', { retryAfter: 1 }), ...patient },
  // One client never hears of the end.
  { ...each('truncated-body'), slow: true },
  { ...each('truncated-json'), slow: false },
  { ...each('html-instead-of-json-200'), slow: false },
  { ...each('empty-body-200'), slow: false },
  { ...each('hang-after-commit'), slow: true },
  { ...each('slow-first-byte', { delay: `${waitMs}ms` }), slow: true },
  { ...each('slow-dribble', { chunkBytes: pieceBytes, gap: `${gapMs}ms` }), slow: true },
  { ...each('executed-twice-by-proxy'), slow: false },
  { ...each('decline-insufficient-funds'), slow: false },
  { ...each('declined-inside-201'), slow: false },
];
