/** Formats log lines as sentences. */
import pinoPretty from 'pino-pretty';
import { memberOf } from '../../shared/unknown-value.ts';

type Line = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<string, (line: Line) => string>> = {
  exchange: exchangeSentence,
  'control call': ({ status, method, path, err }) =>
    indented([String(status), method, path, 'internal error in the sandbox'].join(' '), [
      stackOf(err),
    ]),
  unreadable: ({ reason }) => indented('Not an HTTP request', [reason]),
  stopping: () =>
    'Stopping. Requests in progress have 5 s to finish. Another signal ends them at once.',
  stopped: () => 'Stopped.',
  reloaded: ({ scenario }) => `Reloaded the rules of scenario ${String(scenario)}.`,
  'not reloaded': notReloadedSentence,
  settings: ({ settings, origins }) =>
    `Settings ${JSON.stringify(settings)}, from ${JSON.stringify(origins)}`,
};

/** Returns a function that formats a JSON line for people. */
export function prettyLines(colour: boolean): (line: string) => string {
  return pinoPretty.prettyFactory({
    colorize: colour,
    translateTime: 'SYS:HH:MM:ss',
    // The sentence contains every field.
    hideObject: true,
    messageFormat: (line, messageKey) => {
      const message = String(line[messageKey]);
      return sentences[message]?.(line) ?? message;
    },
  });
}

/** One line for the request; below it the reason of a refusal, forced outcomes, warnings and the stack of a failure. */
function exchangeSentence(line: Line): string {
  const { status, method, operation = 'unknown path', merchant, problem, debugId, reason } = line;
  const words = [status, method, operation, merchant];
  if (line['replayed'] === true) words.push('replayed');
  const forced = forcedOf(line['forced']);
  if (problem !== undefined) words.push(problem);
  if (problem !== undefined || forced.length > 0) words.push(debugId);
  const first = words.filter((word) => word !== undefined).join(' ');
  const below = [
    reason,
    ...forced,
    ...warningsOf(line['warnings']),
    line['hint'],
    stackOf(line['err']),
  ].filter((text) => text !== undefined);
  return indented(first, below);
}

/** A line with indented lines below it. */
function indented(first: string, below: readonly unknown[]): string {
  return [first, ...below.flatMap((text) => String(text).split('\n'))].join('\n    ');
}

function notReloadedSentence({ problems }: Line): string {
  const lines = Array.isArray(problems) ? problems.map(String) : [];
  return indented('The scenario file is invalid. The previous rules stay active.', lines);
}

/** Reads the `forced` field of a log line. */
function forcedOf(forced: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(forced) ? forced : [];
  return all.map((one) => {
    const by = memberOf(one, 'rule') ?? `its ${String(memberOf(one, 'by'))}`;
    return `Forced: ${String(memberOf(one, 'outcome'))}, by ${String(by)}.`;
  });
}

/** Reads the `warnings` field of a log line. */
function warningsOf(warnings: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(warnings) ? warnings : [];
  return all.flatMap((one) =>
    typeof one === 'object' && one !== null && 'text' in one
      ? [`Warning: ${String(one.text)}`]
      : [],
  );
}

/** Reads the `err` field of a log line. */
function stackOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined;
}
