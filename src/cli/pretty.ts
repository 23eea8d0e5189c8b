/** Log lines in words. */
import pinoPretty from 'pino-pretty';

type Line = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<string, (line: Line) => string>> = {
  exchange: exchangeWords,
  stopping: () => 'Stopping. Requests under way get up to 5 s; a second signal ends them at once.',
  stopped: () => 'Stopped.',
  settings: ({ settings, origins }) =>
    `Settings ${JSON.stringify(settings)}, from ${JSON.stringify(origins)}`,
};

/** Turns a JSON line into one for people. */
export function prettyLines(colour: boolean): (line: string) => string {
  return pinoPretty.prettyFactory({
    colorize: colour,
    translateTime: 'SYS:HH:MM:ss',
    // The words hold all of it; the stack of an error is shown in any case.
    hideObject: true,
    messageFormat: (line, messageKey) => {
      const message = String(line[messageKey]);
      return sentences[message]?.(line) ?? message;
    },
  });
}

function exchangeWords(line: Line): string {
  const { status, method, operation = 'unknown path', merchant, problem, debugId, reason } = line;
  const words = [status, method, operation, merchant, line['replayed'] === true && 'replayed'];
  const first = words.filter(Boolean).join(' ');
  if (problem === undefined && reason === undefined) return first;
  return `${first} ${[problem, debugId].filter(Boolean).join(' ')}\n    ${reason ?? ''}`.trimEnd();
}
