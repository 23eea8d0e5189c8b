/** The faults that each client meets, as rules. */
import type { ForcedRule, OutcomeId } from '../../../../src/index.ts';

export interface Fault {
  /** Outcome id in the catalogue. */
  readonly outcome: string;
  /** A note beside the id, if the id is not enough. */
  readonly note?: string;
  readonly rule: ForcedRule;
  /** How long the answer asks the client to wait. */
  readonly retryAfterMs?: number;
  /** Whether it can take a second or more. Slow faults run in parallel. */
  readonly slow: boolean;
}

/** More attempts than any client makes. */
const everyTime = 20;

/**
 * A forced delay is several client timeouts long, and the limit of the test several delays.
 *
 * So whichever of two timers decides a result, the other one is far away.
 */
const waitMs = 7_500;
const gapMs = 300;
/** A payment's body is just under a kilobyte. */
const pieceBytes = 40;

function each(
  outcome: OutcomeId,
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
  // One client never notices the end of the answer.
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
