/**
 * Receives the body of a request, and reads params, query and body by the schemas of the declaration. No
 * reason quotes a value of the client.
 */
import type { z } from '@hono/zod-openapi';
import type { JsonOperation } from '../../contract/service/operations.ts';
import { readShape } from '../../contract/shape.ts';
import { textWarnings, warnOfCard } from '../../guard/real-data-warnings.ts';
import type { Warning } from '../../journal/entry.ts';
import { cardIdOf, intentOf } from '../../journal/purchase-key.ts';
import { restoreIds } from '../../outcomes/effects/long-id-dialect.ts';
import { maskFreeText } from '../../redaction/free-text.ts';
import { wait, type Steps } from '../../shared/steps.ts';
import { readQuery } from '../../transport-port/request-target.ts';
import { isBodyEncoded, type Transport } from '../../transport-port/transport.ts';
import type { AuthenticatedContext, ReceivedBody, RequestContext } from '../context.ts';
import { absentBody, BodyReader, isJsonType } from '../body-reader.ts';
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
function maskContent<T extends object>(context: AuthenticatedContext, content: T): T | Refusal {
  const { textMasking, journal } = context.world;
  const { value, masked } = maskFreeText(content, textMasking);
  if (masked.length === 0) return content;
  const real = maskFreeText(content, journal.masking).hidden;
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
