/**
 * Explains one exchange in sentences: why it got its response, what was forced, what the client
 * received.
 */
import type { Delivery, Entry } from '../entry.ts';

/** The catalogue's description of a forced outcome. */
export interface OutcomeDescription {
  readonly cause: string;
  /** What a correct client does. */
  readonly correctClient: string;
}

/** One exchange with its explanation. */
export interface Explanation extends Entry {
  /** One line for each fact, the response first. */
  readonly summary: readonly string[];
}

/** Explains an exchange. `describeOutcome` looks up outcomes in the catalogue. */
export function explanationOf(
  entry: Entry,
  describeOutcome: (outcome: string) => OutcomeDescription | undefined,
): Explanation {
  const { reason, outcomes, nearMisses, nearMissesLeftOut } = entry;
  const forced = outcomes.flatMap(({ id, by, rule }) => {
    const words = describeOutcome(id);
    const what = words === undefined ? [] : [words.cause, `A right client: ${words.correctClient}`];
    return [[`Forced on it: ${id}, by ${rule ?? `its ${by}`}.`, ...what].join(' ')];
  });
  const missed = nearMisses.map(({ rule, why }) => `${rule} did not fire: ${why}.`);
  const summary = [
    describeResponse(entry),
    ...(reason === undefined ? [] : [`Why: ${reason}`]),
    ...forced,
    ...missed,
    ...(nearMissesLeftOut === 0 ? [] : [`Rules that did not fire either: ${nearMissesLeftOut}.`]),
    ...(entry.status === 0 ? [] : [describeCommit(entry), describeDelivery(entry)]),
  ];
  // The summary comes first, because many readers stop there.
  return { summary, ...entry };
}

function describeResponse({ method, path, status, problem, replayed }: Entry): string {
  const asked = `${method} ${path}`;
  if (status === 0) return `${asked} has no answer yet.`;
  const answer = [status, problem].filter((word) => word !== undefined).join(' ');
  const repeat = replayed
    ? ' It repeats an earlier request with the same PayPal-Request-Id, so nothing was done again.'
    : '';
  return `${asked} was answered ${answer}.${repeat}`;
}

function describeCommit({ committed }: Entry): string {
  return committed
    ? "It changed the merchant's books."
    : "It changed nothing in the merchant's books.";
}

const conclusionTexts = {
  OK: 'the client knows that it was done',
  FAIL: 'the client knows that it was not done',
  UNKNOWN: 'the client cannot know whether it was done',
} as const satisfies Record<Entry['concludes'], string>;

function describeDelivery({ delivery, concludes }: Entry): string {
  if (delivery.state === 'open') return 'The answer is still on its way.';
  return `${describeBytes(delivery)}: ${conclusionTexts[concludes]}.`;
}

function describeBytes({ state, bytesDelivered, bytesTotal, clientLeft }: Delivery): string {
  const why = clientLeft ? ' (the client hung up)' : '';
  switch (state) {
    case 'delivered':
      return `The whole answer was sent${why}`;
    case 'cut':
      return `${bytesDelivered} of the ${bytesTotal} bytes of the answer were sent${why}`;
    default:
      return `Nothing of the answer was sent${why}`;
  }
}
