/**
 * What a client adds to a text for one attempt alone: a part that is new each time, a count of the attempts, or the time.
 *
 * Without it, the texts of a request and of its retry are equal.
 */

/** A time in seconds or milliseconds, or a date with the time of day. */
const time =
  /(?<![\da-z])1[5-9]\d{8}(?:\d{3})?(?![\da-z])|20\d\d-\d\d-\d\dt\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?z?/gi;

/** What a client makes for one attempt alone: a time, a UUID, or random characters. */
const newPart = new RegExp(
  String.raw`[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|${time.source}|(?<![\da-f])(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{8,}(?:\.\d{8})?(?![\da-z])`,
  'gi',
);

/** Most texts have no part that is long enough. */
const mayHaveNewPart = /[\da-f]{8}|\dt\d\d/i;

/** A text without what its client made for one attempt alone. */
export function withoutNewParts(text: string): string {
  return mayHaveNewPart.test(text) ? text.replaceAll(newPart, '') : text;
}

/** A text without the times in it. */
export function withoutTimes(text: string): string {
  return mayHaveNewPart.test(text) ? text.replaceAll(time, '') : text;
}

/** A name without what its client made for one attempt alone; `undefined` if nothing with a digit is left of it. */
export function steadyName(name: string): string | undefined {
  const steady = withoutNewParts(name);
  return steady === name || /\d/.test(steady) ? steady : undefined;
}

/** A count of the attempts at the end of a name. */
const countAtEnd = /[^a-z0-9]{1,3}(?:attempt|try|retry|versuch)[^a-z0-9]{0,2}\d{0,3}\)?$/i;

/** A name without the attempt that it counts at its end: `INV-7` of `INV-7-try2`. */
export function withoutAttemptCount(name: string): string {
  return name.replace(countAtEnd, '');
}

/** A name without the attempt that it counts, and without what was made for one attempt alone. */
export function withoutAddition(name: string): string {
  return withoutAttemptCount(steadyName(name) ?? name).replace(/[^a-z0-9]+$/i, '');
}

/**
 * Words for one attempt, anywhere in a text: `2nd attempt`, `retry 1 of`. A number of four digits is rather that of an order.
 */
const attemptWords =
  /(?:(?<![a-z\d])(?:first|second|third|\d{1,2}(?:st|nd|rd|th)) )?(?<![a-z])(?:attempt|try|retry|versuch)(?![a-z])(?:[^a-z\d]{0,2}\d{1,3}(?!\d))?(?: (?:of|for)(?![a-z]))?/gi;

/** Signs that are left at the ends of a text, and brackets that are left empty. */
const leftSigns = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$|\(\s*\)/gu;

/** A text without words for an attempt; unchanged if it has none. It is empty if they were all it said. */
export function withoutAttemptWords(text: string): string {
  const rest = text.replace(attemptWords, '');
  return rest === text ? text : rest.replace(leftSigns, '');
}

/** A word for the run of a job, perhaps as part of the name of a member: `jobRunId`. */
const runWord = '(?:run|job|batch|execution|invocation|lauf|stapel)';
const ofId = '(?:[ _-]?(?:id|uuid|key|no|nr|num|number))?';

/**
 * The run of a job, with its number or id: `run-41`, `batch 7`, `"job_id": "5f0c..."`. The year of an `Annual run 2030` is no
 * such number, and `batch 1 of 2` is a part. The member `"run"` of JSON may have any value.
 */
const runMark = new RegExp(
  [
    String.raw`"(?:[a-z]{0,9}_?)?run${ofId}\\*" ?: ?(?:\\*"[^"\\]*\\*"|\d+)`,
    `(?<![a-z])${runWord}${ofId}` +
      String.raw`[^a-z\d]{0,6}(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{8,}|(?!20\d\d(?!\d))[a-z]?\d{1,10})(?![a-z\d])(?! ?(?:of|von|\/) ?\d{1,3}(?!\d))`,
  ].join('|'),
  'gi',
);

/** Most texts have neither such a word nor a time. A search without regard to capitals takes twice as long. */
const mayHaveRun =
  /[rR]un|RUN|[jJ]ob|JOB|[bB]atch|BATCH|[eE]xecution|[iI]nvocation|[lL]auf|[sS]tapel|\d[tT]\d\d|1[5-9]\d{8}/;

/** Whether a text may name the run of a job, or a time. */
export function mayNameRun(text: string): boolean {
  return mayHaveRun.test(text);
}

/** The runs that a text names, as a key; empty if it names none. */
export function runsIn(text: string): string {
  return (text.match(runMark) ?? []).join(' ');
}

/** Words that stand before a count of attempts, or before the number of what sends them. */
const senderWord = new RegExp(
  `^(?:.*(?:attempt|retry|versuch)|try|${runWord}|click|klick|request|call|send|repeat|version|worker|process|thread|node|instance|server|host|number|count|key)$`,
  'i',
);

/** Whether a number after this word counts attempts, and not parts of an order. */
export function countsAttempts(word: string): boolean {
  return senderWord.test(word);
}

/** How far from its time a request may come. */
const maxSendMs = 60_000;

/**
 * A text without the runs of a job, and without the time at which it was sent. Other times, such as that of a lesson, stay.
 *
 * @param sentAtMs When the request came, on the clock of the merchant and on that of the machine. Without it, no time stays.
 */
export function withoutRun(text: string, sentAtMs?: readonly number[]): string {
  if (!mayNameRun(text)) return text;
  const rest = text.replaceAll(runMark, '');
  return sentAtMs === undefined ? withoutTimes(rest) : withoutOwnTimes(rest, sentAtMs);
}

/** A text without the times in it at which it was sent. */
export function withoutOwnTimes(text: string, sentAtMs: readonly number[]): string {
  return text.replaceAll(time, (found) =>
    sentAtMs.some((ms) => Math.abs(ms - momentOf(found)) <= maxSendMs) ? '' : found,
  );
}

/** The moment that a text holds, in milliseconds: a count of seconds or milliseconds, or a date and time in UTC. */
function momentOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * (text.length > 10 ? 1 : 1000);
  const [, date, hours, minutes, seconds = '00'] =
    /^(.{10})t(\d\d):?(\d\d):?(\d\d(?:\.\d+)?)?/i.exec(text) ?? [];
  return Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
}

/** A count of attempts or a time of day in a text, which a retry changes. */
const attempt =
  /\b(?:attempt|try|retry|versuch)\b[ #.:_-]{0,2}\d*|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b/gi;

/** The words about an order without what a retry changes. */
export function withoutAttempt(words: string): string {
  return words.replace(attempt, '');
}

/**
 * The words about an order without what a retry of it changes. A time without seconds counts only if the request came in that
 * minute, in some time zone. The time zone stays, because a client has one: `Lesson at 10:30` and `Lesson at 11:30` are two
 * lessons, even if both are paid at half past.
 *
 * @param sentAtMs When the request came, on the clock of the merchant and on that of the machine.
 */
export function withoutOwnAttempt(words: string, sentAtMs: readonly number[]): string {
  return words.replace(attempt, (text) => {
    const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(text) ?? [];
    if (minutes === undefined) return '';
    const dayMinutes = Number(hours) * 60 + Number(minutes);
    const zones = sentAtMs.flatMap((ms) => zoneOf(dayMinutes, ms) ?? []);
    // The clock that the client reads is rather the one that is near to the time it writes.
    const [nearest] = zones.toSorted((one, other) => Math.abs(one) - Math.abs(other));
    return nearest === undefined ? text : `UTC${nearest}`;
  });
}

/** The time zone in which a moment has this time of day, in hours from -11 to 12; `undefined` if it has it in none. */
function zoneOf(dayMinutes: number, ms: number): number | undefined {
  const moment = new Date(ms);
  const aheadMinutes = dayMinutes - moment.getUTCHours() * 60 - moment.getUTCMinutes();
  const hours = Math.round(aheadMinutes / 60);
  if (Math.abs(aheadMinutes - hours * 60) > 1) return undefined;
  return ((hours + 35) % 24) - 11;
}
