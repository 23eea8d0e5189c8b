/** The export format: one merchant's world as one plain JSON document. */
import { z } from '@hono/zod-openapi';
import { boundedList } from '../../documents/bounded-list.ts';
import { onFirstUse } from '../../shared/lazy.ts';
import { endOfTimeMs } from '../../domain/calendar.ts';
import type { Transfer } from '../../domain/money/ledger.ts';
import { expectationsWith } from '../../scenarios/expect.ts';
import type { ClockState } from '../time/clock.ts';
import type { StreamState } from '../random/dice.ts';
import type { StreamStates } from '../random/streams.ts';
import type { Origin, WorldState } from '../world-state.ts';
import { count, counter, objectSchema, id, instant, type JsonRecord } from './schema-helpers.ts';
import { recordSchemas } from './record-schemas.ts';
import { ruleSchemas } from './rule-schemas.ts';
import type { Authorization, Capture, Card, Payment, Refund, Sale } from '../../domain/records.ts';

export const exportFormat = 'card-vault-sandbox/world';
export const exportVersion = 1;

/** A record with its positions in the orders of creation and update, so that paging continues. */
export interface SerializedRow<T> {
  readonly createdSeq: number;
  readonly updatedSeq: number;
  readonly record: T;
}

export interface SerializedTable<T> {
  /** The last assigned position. */
  readonly lastSeq: number;
  readonly rows: readonly SerializedRow<T>[];
}

/** A used request id, hashed. Its request body is not exported: see `writeWorld`. */
export interface SerializedRequestId {
  readonly key: string;
  readonly untilMs: number;
  readonly subject: string;
}

export interface Records {
  readonly cards: SerializedTable<Card>;
  readonly payments: SerializedTable<JsonRecord<Payment>>;
  readonly sales: readonly JsonRecord<Sale>[];
  readonly authorizations: readonly Authorization[];
  readonly captures: readonly JsonRecord<Capture>[];
  readonly refunds: readonly Refund[];
}

/**
 * One merchant's exported world, without its journal and snapshots: a JSON document from which `import` continues. Its
 * other members are for `import` only.
 */
export interface WorldExport {
  readonly format: typeof exportFormat;
  readonly version: typeof exportVersion;
  /** The package that wrote it. Other versions read it too, but may respond with other texts. */
  readonly writtenBy: string;
}

/** The whole document. */
export interface WorldDocument extends WorldExport, Omit<WorldState, 'requestIds'> {
  readonly records: Records;
  /** Oldest first. */
  readonly transfers: readonly Transfer[];
  readonly requestIds: {
    readonly dropped: number;
    readonly settled: readonly SerializedRequestId[];
  };
}

function tableOf<T>(record: z.ZodType<T>): z.ZodType<SerializedTable<T>> {
  const seq = z.int().min(1);
  return objectSchema<SerializedTable<T>>({
    lastSeq: counter,
    rows: boundedList(
      z.array(objectSchema<SerializedRow<T>>({ createdSeq: seq, updatedSeq: seq, record })),
    ),
  });
}

/** The schema of an export. */
export const worldSchema = onFirstUse(() => {
  const form = recordSchemas();
  const rules = ruleSchemas();
  const word = z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1);

  /** A stream of zeros draws only zeros, so the search for an unused id would never end. */
  const stream: z.ZodType<StreamState> = z
    .tuple([word, word, word, word])
    .refine((words) => words.some((one) => one !== 0), 'cannot be all zeros');

  // Times are written with four digits for the year.
  const shownTime = instant.min(Date.parse('0000-01-01T00:00:00Z')).max(endOfTimeMs);

  const clock: z.ZodType<ClockState> = z.union([
    objectSchema<Extract<ClockState, { readonly frozen: true }>>({
      frozen: z.literal(true),
      atMs: shownTime,
    }),
    objectSchema<Extract<ClockState, { readonly frozen: false }>>({
      frozen: z.literal(false),
      atMs: shownTime,
      aheadMs: z.number(),
    }),
  ]);

  const requestId = objectSchema<SerializedRequestId>({ key: id, untilMs: instant, subject: id });

  return objectSchema<WorldDocument>({
    format: z.literal(exportFormat),
    version: z.literal(exportVersion),
    writtenBy: z.string(),
    origin: objectSchema<Origin>({ seed: id, merchant: id }),
    clock,
    streams: objectSchema<StreamStates>({
      card: stream,
      payment: stream,
      transaction: stream,
      debug: stream,
      nonce: stream,
    }),
    records: objectSchema<Records>({
      cards: tableOf(form.card),
      payments: tableOf(form.payment),
      sales: boundedList(z.array(form.sale)),
      authorizations: boundedList(z.array(form.authorization)),
      captures: boundedList(z.array(form.capture)),
      refunds: boundedList(z.array(form.refund)),
    }),
    transfers: boundedList(z.array(form.transfer)),
    scheduledEvents: boundedList(z.array(rules.due)),
    timeline: boundedList(z.array(rules.timeline)),
    missed: boundedList(z.array(rules.missed)),
    givenCards: boundedList(z.array(z.tuple([z.string(), id]))),
    scenarioStartMs: instant.optional(),
    expect: expectationsWith(instant).optional(),
    dealtCards: boundedList(z.array(z.tuple([z.string(), count]))),
    ruleBook: rules.ruleBook,
    longIds: boundedList(z.array(id)).optional(),
    requestIds: objectSchema<WorldDocument['requestIds']>({
      dropped: count,
      settled: boundedList(z.array(requestId)),
    }),
  });
});
