/**
 * Receives the body of a request, parses it, and reads params, query and body by the schemas of the declaration. No
 * reason quotes a value of the client.
 */
import type { z } from '@hono/zod-openapi';
import type { JsonOperation } from '../../contract/service/operations.ts';
import { readShape } from '../../contract/shape.ts';
import { textWarnings, warnOfCard } from '../../guard/real-data-warnings.ts';
import type { Warning } from '../../journal/entry.ts';
import { cardIdOf, intentOf } from '../../journal/purchase-key.ts';
import { mayContainLongId, restoreIds } from '../../outcomes/effects/long-id-dialect.ts';
import { maskFreeText } from '../../redaction/free-text.ts';
import { wait, type Steps } from '../../shared/steps.ts';
import { readQuery } from '../../transport-port/request-target.ts';
import { isBodyEncoded, type Body, type Transport } from '../../transport-port/transport.ts';
import type { AuthenticatedContext, ParsedBody, ReceivedBody, RequestContext } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { isRefusal, unreadBody, type Refusal } from '../reply.ts';
import type { Endpoint, Input } from '../operation.ts';

/**
 * Receives the body before authentication, for a merchant with rules. Rules count attempts by purchase, and only the body
 * shows which purchase a request is for.
 */
export function* peekAtBody<N extends JsonOperation>(
  context: RequestContext,
  endpoint: Endpoint<N>,
): Steps<void> {
  const { uncheckedValue } = yield* receiveBody(context, endpoint);
  noteRealCard(context, uncheckedValue);
  context.content = { body: context.isSecret ? undefined : uncheckedValue };
}

/** Receives the body, and reads all input by the declared schemas. */
export function* readInput<N extends JsonOperation>(
  context: AuthenticatedContext,
  endpoint: Endpoint<N>,
): Steps<Input<N> | Refusal> {
  const { querySchema, bodySchema } = endpoint;
  const received = yield* receiveBody(context, endpoint);
  const query = querySchema === undefined ? noFields : readFields(querySchema, sentQuery(context));
  if (isRefusal(query)) return query;
  const body = bodySchema === undefined ? noFields : readBody(context, bodySchema, received);
  if (isRefusal(body)) return body;
  const content = maskContent(context, { query: query.value, body: body.value });
  if (isRefusal(content)) return content;
  context.content = content;
  if (context.writes) notePurchase(context);
  // Input<N> is derived from the schemas that were applied above; the router returns params as strings.
  return { params: context.params, ...content } as Input<N>;
}

/** Receives the body once. */
function* receiveBody<N extends JsonOperation>(
  context: RequestContext,
  { bodySchema }: Endpoint<N>,
): Steps<ReceivedBody> {
  if (bodySchema === undefined) return absentBody;
  const { transport, service } = context;
  context.body ??= new BodyReader(yield* wait(transport.readBody(service.maxBodyBytes)));
  return context.body;
}

const noFields = { value: {} };

/** An empty parameter counts as absent: one SDK sends every parameter it knows (contract.md §2.6). */
function sentQuery({ target }: RequestContext): unknown {
  const filled = Object.entries(readQuery(target)).filter(([, value]) => value !== '');
  return restoreIds(Object.fromEntries(filled));
}

function readBody(
  context: RequestContext,
  schema: z.ZodType,
  body: ReceivedBody,
): { value: unknown } | Refusal {
  const refusal = checkBody(context.transport, body);
  if (refusal !== undefined) return refusal;
  const { parsed } = body;
  if (!parsed.ok) return { kind: 'malformed-request', reason: parsed.reason };
  noteRealCard(context, parsed.value);
  return readFields(schema, parsed.value);
}

/** Explains why a body cannot be parsed; `undefined` if it can. */
function checkBody(transport: Transport, { bytes }: ReceivedBody): Refusal | undefined {
  if (bytes === 'too-large') {
    return {
      kind: 'body-too-large',
      reason: 'The body is larger than --max-body-bytes allows.',
      headers: unreadBody,
    };
  }
  if (bytes === 'gone') {
    return { kind: 'malformed-request', reason: 'The client left before its body was complete.' };
  }
  const contentType = transport.header('content-type');
  if (!isJsonType(contentType) && (bytes.byteLength > 0 || contentType !== undefined)) {
    return {
      kind: 'unsupported-media-type',
      reason: 'Send the body with Content-Type: application/json.',
    };
  }
  if (bytes.byteLength > 0 && isBodyEncoded(transport)) {
    return {
      kind: 'body-encoded',
      reason: 'Send the body without Content-Encoding: compressed bodies are not read.',
    };
  }
  return undefined;
}

function readFields(schema: z.ZodType, value: unknown): { value: unknown } | Refusal {
  const shaped = readShape(schema, value);
  if (shaped.ok) return shaped;
  if ('malformed' in shaped) return { kind: 'malformed-request', reason: shaped.malformed };
  const { issues } = shaped;
  const reason = issues.map(({ field, issue }) => `${field}: ${issue}`).join('; ');
  return { kind: 'invalid-fields', reason, issues };
}

/** Warns of a card number that could be real. If such numbers are refused, nothing of the body is kept. */
function noteRealCard(context: RequestContext, body: unknown): void {
  const { service, exchange } = context;
  if (exchange.operation === undefined) return;
  const warning = warnOfCard(service.guard, exchange.operation, body);
  if (warning === undefined) return;
  exchange.warnings = [warning];
  context.isSecret = service.guard.mode === 'refuse';
}

/**
 * Masks card numbers in all text that could be kept. If real cards are refused, a text with a number that may be one is
 * refused.
 */
function maskContent<T extends object>(context: RequestContext, content: T): T | Refusal {
  const { guard } = context.service;
  const { value, masked } = maskFreeText(content);
  if (masked.length === 0) return content;
  const real = maskFreeText(content, (number) => guard.accepts(number)).hidden;
  if (real.length > 0) {
    context.isSecret = true;
    warn(context.exchange, textWarnings.refused);
    const issues = real.map((path) => ({ field: fieldOf(path), issue: 'REAL_CARD_REFUSED' }));
    return { kind: 'invalid-fields', reason: textWarnings.refused.text, issues };
  }
  warn(context.exchange, textWarnings.masked);
  return value;
}

/** The name of a field in a response: without the part of the request that it is in. */
function fieldOf(path: string): string {
  return path.replace(/^(?:query|body)\.?/, '');
}

function warn(exchange: Exchange, warning: Warning): void {
  exchange.warnings = [...exchange.warnings, warning];
}

/** Records the purchase and the card of a write. */
function notePurchase({ exchange, params, content: { body }, isSecret }: RequestContext): void {
  if (exchange.operation === undefined) return;
  // An intent hashes the last four digits. They could be found by trying all values, so a secret body has no intent.
  exchange.intent = isSecret ? undefined : intentOf(exchange.operation, params, body);
  exchange.cardId = cardIdOf(params, body);
}

/** The most levels of nesting. Bodies of the service have fewer, and more could exhaust the stack of a reader. */
const maxDepth = 32;

/** UTF-16 starts like this too, but has a zero byte next to each character. */
const startsAsJson = /^\s*[[{]/;

/** Decodes and parses a body once. */
class BodyReader implements ReceivedBody {
  readonly bytes: Body;
  readonly #text: string | undefined;
  #parsed: ParsedBody | undefined;

  constructor(bytes: Body) {
    this.bytes = bytes;
    this.#text = typeof bytes === 'string' ? '' : decode(bytes);
  }

  /**
   * Redaction finds card data in JSON and in malformed JSON. In any other body it could miss some, so only the length
   * is kept.
   */
  get journalText(): string | undefined {
    const { bytes } = this;
    if (typeof bytes === 'string' || bytes.byteLength === 0) return undefined;
    const text = this.#text;
    return text !== undefined && startsAsJson.test(text) && !text.includes('\0')
      ? text
      : `(${bytes.byteLength} bytes that are not JSON)`;
  }

  /** Lengthened ids are replaced by the stored ones. */
  get parsed(): ParsedBody {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  get uncheckedValue(): unknown {
    if (typeof this.bytes === 'string') return undefined;
    return this.parsed.ok ? this.parsed.value : undefined;
  }

  #parse(): ParsedBody {
    const parsed = parseJson(this.#text);
    return parsed.ok && this.#text !== undefined && mayContainLongId(this.#text)
      ? { ok: true, value: restoreIds(parsed.value) }
      : parsed;
  }
}

/** The body for an operation that accepts none. */
const absentBody = new BodyReader(new Uint8Array());

/** Whether a type is `application/json`, with any parameters. */
function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && mediaType(contentType) === 'application/json';
}

/**
 * Whether a type is that of a form. An absent type counts too: one client sends its token request without one
 * (contract.md §14.6).
 */
export function isFormType(contentType: string | undefined): boolean {
  return (
    contentType === undefined || mediaType(contentType) === 'application/x-www-form-urlencoded'
  );
}

function mediaType(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const byteOrderMark = '\ufeff';

/** Decodes a body; `undefined` if it is not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength === 0) return '';
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON. An empty body is `{}`: several clients send none if no field is required (contract.md §14.4). `null`
 * counts as absent everywhere, also as the whole body (§14.4, §14.9).
 */
function parseJson(sent: string | undefined): ParsedBody {
  if (sent === undefined) return { ok: false, reason: 'The body is not UTF-8.' };
  const text = sent.startsWith(byteOrderMark) ? sent.slice(1) : sent;
  if (text.trim() === '') return { ok: true, value: {} };
  if (isTooDeep(text)) {
    return { ok: false, reason: `The body nests deeper than ${maxDepth} levels.` };
  }
  let value: unknown;
  try {
    value = text.includes('null') ? JSON.parse(text, nullAsAbsent) : JSON.parse(text);
  } catch {
    return { ok: false, reason: 'The body is not JSON.' };
  }
  return { ok: true, value: value === undefined ? {} : value };
}

function nullAsAbsent(_key: string, value: unknown): unknown {
  return value === null ? undefined : value;
}

function isTooDeep(text: string): boolean {
  // Fast path: nearly every body has too few brackets to nest that deep.
  if (countBrackets(text, maxDepth) <= maxDepth) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Counts opening brackets, up to one more than `enough`. */
function countBrackets(text: string, enough: number): number {
  let count = 0;
  for (const bracket of ['{', '[']) {
    let at = text.indexOf(bracket);
    while (at !== -1 && count <= enough) {
      count++;
      at = text.indexOf(bracket, at + 1);
    }
  }
  return count;
}
