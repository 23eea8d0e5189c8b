/** Log lines in words. */
import pinoPretty from 'pino-pretty';
import { memberOf } from '../../shared/unknown-value.ts';

type Line = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<string, (line: Line) => string>> = {
  exchange: exchangeWords,
  'control call': ({ status, method, path, err }) =>
    indented([String(status), method, path, 'a bug of this sandbox'].join(' '), [stackOf(err)]),
  unreadable: ({ reason }) => indented('No HTTP request', [reason]),
  stopping: () =>
    'Stopping. Requests under way get up to 5 s; another signal, half a second from now, ends them at once.',
  stopped: () => 'Stopped.',
  reloaded: ({ scenario }) => `The rules of the scenario ${String(scenario)} were taken anew.`,
  'not reloaded': notReloadedWords,
  settings: ({ settings, origins }) =>
    `Settings ${JSON.stringify(settings)}, from ${JSON.stringify(origins)}`,
};

/** Turns a JSON line into one for people. */
export function prettyLines(colour: boolean): (line: string) => string {
  return pinoPretty.prettyFactory({
    colorize: colour,
    translateTime: 'SYS:HH:MM:ss',
    // The words hold all of it.
    hideObject: true,
    messageFormat: (line, messageKey) => {
      const message = String(line[messageKey]);
      return sentences[message]?.(line) ?? message;
    },
  });
}

/** What was asked and answered; below it why it was refused, what was forced, and where our own code failed. */
function exchangeWords(line: Line): string {
  const { status, method, operation = 'unknown path', merchant, problem, debugId, reason } = line;
  const words = [status, method, operation, merchant];
  if (line['replayed'] === true) words.push('replayed');
  const forced = forcedOf(line['forced']);
  if (problem !== undefined) words.push(problem);
  if (problem !== undefined || forced.length > 0) words.push(debugId);
  const first = words.filter((word) => word !== undefined).join(' ');
  const below = [reason, ...forced, ...warningsOf(line['warnings']), stackOf(line['err'])].filter(
    (text) => text !== undefined,
  );
  return indented(first, below);
}

/** A line with texts below it. */
function indented(first: string, below: readonly unknown[]): string {
  return [first, ...below.flatMap((text) => String(text).split('\n'))].join('\n    ');
}

function notReloadedWords({ mistakes }: Line): string {
  const lines = Array.isArray(mistakes) ? mistakes.map(String) : [];
  return indented('The scenario file is wrong, so nothing has changed.', lines);
}

/** As the log writes what was forced on an exchange. */
function forcedOf(forced: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(forced) ? forced : [];
  return all.map((one) => {
    const by = memberOf(one, 'rule') ?? `its ${String(memberOf(one, 'by'))}`;
    return `Forced on it: ${String(memberOf(one, 'outcome'))}, by ${String(by)}.`;
  });
}

/** As the log writes what an exchange was warned of. */
function warningsOf(warnings: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(warnings) ? warnings : [];
  return all.flatMap((one) =>
    typeof one === 'object' && one !== null && 'text' in one
      ? [`Warning: ${String(one.text)}`]
      : [],
  );
}

/** As the log writes errors. */
function stackOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined;
}
