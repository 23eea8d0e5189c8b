/** The log: JSON lines for machines, or the same lines in words for people. `run` writes it to stderr. */
import { pino, type Logger } from 'pino';
import type { ControlFailure, ControlFailureListener } from '../../control/errors/control-error.ts';
import type { Exchange, ExchangeListener } from '../../http/exchange.ts';
import { describeRuleElsewhere } from '../../journal/explain/explain.ts';
import { redactText } from '../../redaction/redact.ts';
import type {
  UnreadableRequest,
  UnreadableRequestListener,
} from '../../transport-port/request-refusal.ts';
import { wantsColour } from './colour.ts';
import type { Settings } from '../settings/settings.ts';
import { onWriteError } from '../errors/stdout-errors.ts';

export interface LogSettings {
  /** The stream to write to. */
  readonly to: NodeJS.WriteStream & { readonly fd: number };
  readonly format: 'pretty' | 'json';
  readonly colour: boolean;
  readonly level?: Settings['logLevel'];
  readonly requests?: Settings['logRequests'];
  readonly quiet?: boolean | undefined;
}

export interface Log extends Pick<Logger, 'debug' | 'info' | 'warn'> {
  /** Writes text unchanged. */
  print(text: string): void;
  /** Logs an exchange. */
  readonly exchange: ExchangeListener;
  /** Logs a control call that failed because of a bug of the sandbox. */
  readonly controlFailure: ControlFailureListener;
  /** Logs data that was not an HTTP request. */
  readonly unreadable: UnreadableRequestListener;
}

/** Chooses format and colours: words on a terminal, JSON elsewhere, unless the settings say otherwise. */
export function logSettings(
  { logFormat, logLevel: level, logRequests: requests, quiet }: Settings,
  { stream: to, env }: { readonly stream: LogSettings['to']; readonly env: NodeJS.ProcessEnv },
): LogSettings {
  const auto = to.isTTY ? 'pretty' : 'json';
  const format = logFormat === 'json' || logFormat === 'pretty' ? logFormat : auto;
  return { to, format, colour: wantsColour(to, env), level, requests, quiet };
}

/** Creates a log that writes synchronously, so that no line is lost when the process ends. */
export async function createLog(settings: LogSettings): Promise<Log> {
  const stream = pino.destination({ dest: settings.to.fd, sync: true });
  // The sandbox must go on if the log cannot be written.
  stream.on('error', onWriteError(reportOnStderr(settings.to)));
  const format = settings.format === 'pretty' ? await prettyFormat(settings.colour) : String;
  const logger = pino(
    {
      base: null,
      level: levelOf(settings),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: redactedError },
    },
    { write: (line) => stream.write(format(line)) },
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

function reportOnStderr({ fd }: LogSettings['to']): (why: string) => void {
  return (why) => {
    if (fd === process.stderr.fd) return;
    process.stderr.write(
      `card-vault-sandbox: Cannot write the log (${why}). The sandbox continues without a log.\n`,
    );
  };
}

/** Loads the formatter only when it is needed: servers and CI print JSON. */
async function prettyFormat(colour: boolean): Promise<(line: string) => string> {
  const { prettyLines } = await import('./pretty.ts');
  return prettyLines(colour);
}

/** The quieter one of `--log-level` and `--quiet`. */
function levelOf({ level = 'info', quiet = false }: LogSettings): string {
  return quiet && (level === 'debug' || level === 'info') ? 'warn' : level;
}

/** An error without card data. A message may quote a client; other properties could hold anything, so they are omitted. */
export function redactedError(error: Error): Record<'type' | 'message' | 'stack', string> {
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, message: redactText(message), stack: redactText(stack) };
}

/**
 * Logs an exchange without headers, bodies or anything else that the client sent. A forced outcome is logged as a warning
 * even with status 200, because the answer may have been lost.
 */
function logExchange(logger: Logger, exchange: Readonly<Exchange>, all: boolean): void {
  const { method, operation, merchant, status, problem, debugId, reason, replayed, failure } =
    exchange;
  const warnings = exchange.warnings.length === 0 ? undefined : exchange.warnings;
  const elsewhere = exchange.nearMisses.find((miss) => miss.merchant !== undefined);
  const hint =
    elsewhere?.merchant === undefined || merchant === undefined
      ? undefined
      : describeRuleElsewhere(redactText(elsewhere.rule), elsewhere.merchant, merchant);
  const forced = exchange.outcomes.length === 0 ? undefined : exchange.outcomes.map(forcedFields);
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
    hint,
  };
  if (failure !== undefined) {
    logger.error({ ...line, err: errorOf(failure) }, 'exchange');
  } else if (
    status >= 200 &&
    status < 400 &&
    [forced, warnings, hint].every((one) => one === undefined)
  ) {
    if (all) logger.info(line, 'exchange');
  } else logger.warn(line, 'exchange');
}

/** JavaScript can throw any value. */
function errorOf(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}

/** A rule's name is free text, so it is redacted. */
function forcedFields({ id, by, rule }: Exchange['outcomes'][number]): object {
  return { outcome: id, by, rule: rule === undefined ? undefined : redactText(rule) };
}
