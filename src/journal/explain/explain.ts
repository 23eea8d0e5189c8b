/**
 * Explains one exchange in sentences: why it got its response, what was forced, what the client
 * received.
 */
import type { Delivery, Entry, Hold } from '../entry.ts';

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

/**
 * Explains an exchange. `describeOutcome` looks up outcomes in the catalogue. `held` says where it is held now.
 */
export function explanationOf(
  entry: Entry,
  describeOutcome: (outcome: string) => OutcomeDescription | undefined,
  held?: Pick<Hold, 'gate' | 'at' | 'arrived'>,
): Explanation {
  const { reason, outcomes, nearMisses, nearMissesLeftOut } = entry;
  const forced = outcomes.flatMap(({ id, by, rule }) => {
    const words = describeOutcome(id);
    const description =
      words === undefined ? [] : [words.cause, `A correct client: ${words.correctClient}`];
    return [[`Forced outcome: ${id}, by ${rule ?? `its ${by}`}.`, ...description].join(' ')];
  });
  const missed = nearMisses.map(({ rule, why, merchant }) =>
    merchant === undefined
      ? `${rule} did not fire: ${why}.`
      : describeRuleElsewhere(rule, merchant, entry.merchant),
  );
  const summary = [
    describeResponse(entry),
    ...(reason === undefined ? [] : [`Why: ${reason}`]),
    ...entry.holds.map(describeHold),
    ...(held === undefined ? [] : [`It waits at ${describeGate(held)}.`]),
    ...(entry.leftAtSeq === undefined
      ? []
      : ['The client left while it was held. The request is carried out nevertheless.']),
    ...forced,
    ...missed,
    ...(nearMissesLeftOut === 0 ? [] : [`Other rules that did not fire: ${nearMissesLeftOut}.`]),
    ...(entry.status === 0 ? [] : [describeCommit(entry), describeDelivery(entry)]),
  ];
  // The summary comes first, because many readers stop there.
  return { summary, ...entry };
}

/** Says that a rule of another merchant would have matched a request. */
export function describeRuleElsewhere(rule: string, owner: string, merchant: string): string {
  return `Rule ${rule} of merchant ${owner} would have matched this request; this is merchant ${merchant}.`;
}

function describeResponse({ method, path, status, problem, replayed }: Entry): string {
  const request = `${method} ${path}`;
  if (status === 0) return `${request} has no response yet.`;
  const answer = [status, problem].filter((word) => word !== undefined).join(' ');
  const repeat = replayed
    ? ' It repeats an earlier request with the same PayPal-Request-Id, so nothing was executed again.'
    : '';
  return `${request} returned ${answer}.${repeat}`;
}

const pointTexts = {
  'before-commit': 'before its commit',
  'before-answer': 'before its answer',
} as const satisfies Record<Hold['at'], string>;

const causeTexts = {
  release: 'by release',
  filled: 'because all requests of the gate had come',
  timeout: 'because the time of the gate was over',
  end: 'because the merchant was reset or the sandbox closed',
} as const satisfies Record<Hold['releasedBy'], string>;

function describeGate({ gate, at, arrived }: Pick<Hold, 'gate' | 'at' | 'arrived'>): string {
  return `gate ${gate} ${pointTexts[at]}, as request ${arrived}`;
}

function describeHold(hold: Hold): string {
  return `It waited at ${describeGate(hold)}, and was released as number ${hold.released} ${causeTexts[hold.releasedBy]}.`;
}

function describeCommit({ committed }: Entry): string {
  return committed
    ? "It changed the merchant's records."
    : "It did not change the merchant's records.";
}

const conclusionTexts = {
  OK: 'the client knows that the operation was executed',
  FAIL: 'the client knows that the operation was not executed',
  UNKNOWN: 'the client cannot know whether the operation was executed',
} as const satisfies Record<Entry['concludes'], string>;

function describeDelivery({ delivery, concludes }: Entry): string {
  if (delivery.state === 'open') return 'The response is still being sent.';
  return `${describeBytes(delivery)}: ${conclusionTexts[concludes]}.`;
}

function describeBytes({ state, bytesDelivered, bytesTotal, clientLeft }: Delivery): string {
  const why = clientLeft ? ' (the client disconnected)' : '';
  switch (state) {
    case 'delivered':
      return `The complete response was sent${why}`;
    case 'cut':
      return `${bytesDelivered} of ${bytesTotal} response bytes were sent${why}`;
    default:
      return `No response bytes were sent${why}`;
  }
}
