/** A query as a list of conditions. Each one can tell what it found in an entry. */
import type { z } from '@hono/zod-openapi';
import type { ExchangeMatchSchema, JournalQuerySchema } from '../../contract/control/inputs.ts';
import type { Entry } from '../entry.ts';
import { redactOptional } from '../../redaction/redact.ts';
import { showNone, type Masking } from '../../redaction/hide-card-numbers.ts';

/**
 * Conditions as a caller writes them: times as text or milliseconds, a status as number or class.
 */
export type ExchangeQuery = z.input<ExchangeMatchSchema>;
/** Conditions after validation. */
export type ReadQuery = z.output<JournalQuerySchema>;

/** `unknown` if the journal does not contain the deciding value. */
export type MatchResult = 'meets' | 'misses' | 'unknown';

export interface QueryCondition {
  readonly name: string;
  readonly wanted: string;
  readonly match: (entry: Entry) => MatchResult;
  /** The entry's value for this condition, as text. */
  readonly actual: (entry: Entry) => string;
}

type Plain = string | number | boolean | undefined;

/** The conditions of a query about a journal with this masking. An entry must meet all of them. */
export function conditionsOf(query: ReadQuery, masking: Masking): QueryCondition[] {
  const conditions: QueryCondition[] = [];
  const add = (
    name: string,
    wanted: Plain,
    actual: (entry: Entry) => Plain,
    holds: (entry: Entry) => boolean = (entry) => actual(entry) === wanted,
  ): void => {
    if (wanted === undefined) return;
    conditions.push({
      name,
      wanted: String(wanted),
      match: (entry) => (holds(entry) ? 'meets' : 'misses'),
      actual: (entry) => String(actual(entry) ?? 'none'),
    });
  };
  const { operation, status, outcome, from, until } = query;
  add('operation', operation, operationOf, (entry) => isOperation(entry, operation));
  add('status', status, statusOf, (entry) => isStatus(entry, status));
  add('problem', query.problem, ({ problem }) => problem);
  add('outcome', outcome, outcomesOf, ({ outcomes }) => outcomes.some(({ id }) => id === outcome));
  const { warning } = query;
  add('warning', warning, warningsOf, ({ warnings }) =>
    warnings.some(({ kind }) => kind === warning),
  );
  // The journal redacts these values, with or without the last digits of a card number. The same
  // number must match both.
  const addRedacted = (
    name: string,
    text: string | undefined,
    actual: (entry: Entry) => string | undefined,
  ) => {
    const opaque = redactOptional(text, showNone);
    const wanted = redactOptional(text, masking);
    add(name, wanted, actual, (entry) => [wanted, opaque].includes(actual(entry)));
  };
  addRedacted('card', query.card, ({ cardId }) => cardId);
  addRedacted('intent', query.intent, ({ intent }) => intent);
  addRedacted('requestId', query.requestId, ({ requestId }) => requestId);
  add('subject', query.subject, ({ subject }) => subject);
  add('debugId', query.debugId, ({ debugId }) => debugId);
  add('from', timeOf(from), timeOfEntry, ({ atMs }) => from !== undefined && atMs >= from);
  add('until', timeOf(until), timeOfEntry, ({ atMs }) => until !== undefined && atMs <= until);
  add('replayed', query.replayed, ({ replayed }) => replayed);
  add('committed', query.committed, ({ committed }) => committed);
  add('concludes', query.concludes, ({ concludes }) => concludes);
  add('delivery', query.delivery, ({ delivery }) => delivery.state);
  return conditions;
}

/** Whether an entry meets all conditions; `unknown` if it misses none but one cannot be decided. */
export function matchEntry(entry: Entry, conditions: readonly QueryCondition[]): MatchResult {
  let result: MatchResult = 'meets';
  for (const condition of conditions) {
    const one = condition.match(entry);
    if (one === 'misses') return one;
    if (one === 'unknown') result = one;
  }
  return result;
}

function operationOf({ operation, method, path }: Entry): string {
  return operation ?? `${method} ${path}`;
}

function isOperation({ operation }: Entry, wanted: ReadQuery['operation']): boolean {
  if (operation === undefined || wanted === undefined) return false;
  return wanted.endsWith('.*') ? operation.startsWith(wanted.slice(0, -1)) : operation === wanted;
}

function statusOf({ status, problem }: Entry): string {
  if (status === 0) return 'not answered yet';
  return problem === undefined ? String(status) : `${status} ${problem}`;
}

function isStatus({ status }: Entry, wanted: string | undefined): boolean {
  return wanted?.endsWith('xx') === true
    ? String(status).startsWith(wanted.charAt(0))
    : String(status) === wanted;
}

function outcomesOf({ outcomes }: Entry): string | undefined {
  return outcomes.length === 0 ? undefined : outcomes.map(({ id }) => id).join(', ');
}

function warningsOf({ warnings }: Entry): string | undefined {
  return warnings.length === 0 ? undefined : warnings.map(({ kind }) => kind).join(', ');
}

function timeOf(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : timeText(atMs);
}

function timeOfEntry({ atMs }: Entry): string {
  return timeText(atMs);
}

function timeText(atMs: number): string {
  const time = new Date(atMs);
  return Number.isNaN(time.getTime()) ? `${atMs} ms` : time.toISOString();
}
