/** What goes to stdout, or to stderr beside another command: JSON lines for machines, or the same lines in words for people. */
import { pino, type Logger } from 'pino';
import type { ControlFailure, ControlFailureListener } from '../../control/errors/control-error.ts';
import type { Exchange, ExchangeListener } from '../../http/exchange.ts';
import { redactText } from '../../redaction/redact.ts';
import type {
  UnreadableRequest,
  UnreadableRequestListener,
} from '../../transport-port/unreadable-request.ts';
import { wantsColour } from './colour.ts';
import type { Settings } from '../settings/settings.ts';
import { onUnwritten } from '../errors/stdout-errors.ts';

export interface LogSettings {
  /** Where it is written. */
  readonly to: NodeJS.WriteStream & { readonly fd: number };
  readonly format: 'pretty' | 'json';
  readonly colour: boolean;
  readonly level?: Settings['logLevel'];
  readonly requests?: Settings['logRequests'];
  readonly quiet?: boolean | undefined;
}

export interface Log extends Pick<Logger, 'debug' | 'info' | 'warn'> {
  /** Writes text as it is. */
  print(text: string): void;
  /** Writes the one line of an exchange. */
  readonly exchange: ExchangeListener;
  /** Writes the line of a control call that met a bug of the sandbox. */
  readonly controlFailure: ControlFailureListener;
  /** Writes the line of what came and was no request. */
  readonly unreadable: UnreadableRequestListener;
}

/** How it is written there: in words where a person looks, unless the settings say otherwise. */
export function logSettings(
  { logFormat, logLevel: level, logRequests: requests, quiet }: Settings,
  { stream: to, env }: { readonly stream: LogSettings['to']; readonly env: NodeJS.ProcessEnv },
): LogSettings {
  const auto = to.isTTY ? 'pretty' : 'json';
  const format = logFormat === 'json' || logFormat === 'pretty' ? logFormat : auto;
  return { to, format, colour: wantsColour(to, env), level, requests, quiet };
}

/** Everything is written before the call returns, so nothing is lost when the process ends. */
export async function createLog(settings: LogSettings): Promise<Log> {
  const stream = pino.destination({ dest: settings.to.fd, sync: true });
  // A test that pays waits for answers, not for logs.
  stream.on('error', onUnwritten(tellBeside(settings.to)));
  const inWords = settings.format === 'pretty' ? await wordsFor(settings.colour) : String;
  const logger = pino(
    {
      base: null,
      level: levelOf(settings),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: redactedError },
    },
    { write: (line) => stream.write(inWords(line)) },
  );
  return Object.assign(logger, {
    print: (text: string) => void stream.write(text),
    exchange: (exchange: Readonly<Exchange>) => {
      logExchange(logger, exchange, settings.requests !== 'refused');
    },
    controlFailure: ({ method, path, failure }: ControlFailure) => {
      logger.error({ method, path, status: 500, err: errorOf(failure) }, 'control call');
    },
    unreadable: ({ reason }: UnreadableRequest) => {
      logger.warn({ reason }, 'unreadable');
    },
  });
}

function tellBeside({ fd }: LogSettings['to']): (why: string) => void {
  return (why) => {
    if (fd === process.stderr.fd) return;
    process.stderr.write(
      `card-vault-sandbox: The log cannot be written (${why}). The sandbox goes on without it.\n`,
    );
  };
}

/** JSON is what servers and pipelines print, and loads nothing for it. */
async function wordsFor(colour: boolean): Promise<(line: string) => string> {
  const { prettyLines } = await import('./pretty.ts');
  return prettyLines(colour);
}

/** Of two wishes, the quieter one. */
function levelOf({ level = 'info', quiet = false }: LogSettings): string {
  return quiet && (level === 'debug' || level === 'info') ? 'warn' : level;
}

/** What failed may quote what a client sent. Own members of the error are left out: they could be anything. */
export function redactedError(error: Error): Record<'type' | 'message' | 'stack', string> {
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, message: redactText(message), stack: redactText(stack) };
}

/**
 * Only what the exchange says of itself: it holds no header, no body, and nothing else a client sent. An answer that was
 * forced may look as if all went well, and be lost on its way.
 */
function logExchange(logger: Logger, exchange: Readonly<Exchange>, all: boolean): void {
  const { method, operation, merchant, status, problem, debugId, reason, replayed, failure } =
    exchange;
  const warnings = exchange.warnings.length === 0 ? undefined : exchange.warnings;
  const forced = exchange.outcomes.length === 0 ? undefined : exchange.outcomes.map(forcedWords);
  const line = {
    method,
    operation,
    merchant,
    status,
    problem,
    debugId,
    reason,
    replayed,
    forced,
    warnings,
  };
  if (failure !== undefined) {
    logger.error({ ...line, err: errorOf(failure) }, 'exchange');
  } else if (status >= 200 && status < 400 && forced === undefined && warnings === undefined) {
    if (all) logger.info(line, 'exchange');
  } else logger.warn(line, 'exchange');
}

/** Anything can be thrown. */
function errorOf(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}

/** A rule's name is whatever its author wrote. */
function forcedWords({ id, by, rule }: Exchange['outcomes'][number]): object {
  return { outcome: id, by, rule: rule === undefined ? undefined : redactText(rule) };
}
