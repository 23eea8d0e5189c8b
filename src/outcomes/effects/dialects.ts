/** The same response, written as a later version of the service or another serialiser might write it. */
import type { DialectName } from '../outcome.ts';
import type { OutcomeParams } from '../decide/params.ts';
import { lengthenId } from './long-id-dialect.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface DialectContext {
  readonly params: OutcomeParams;
  /** A draw in [0, 1) that is the same for the same request and word. */
  readonly draw: (word: string) => number;
  /** When the response is written, on the merchant's clock. */
  readonly nowMs: number;
}

interface DialectResult {
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

type Dialect = (body: Json, context: DialectContext) => DialectResult;

/** Optional fields that the service omits. Another serialiser writes them as null. */
const optionalFields = ['external_customer_id', 'reason_code', 'failure_reason', 'custom'];

/** Fields whose values are enumerations, each with a value that no document names. */
const enumFields: Readonly<Record<string, string>> = { state: 'in_review', type: 'newbrand' };

const dialects: Readonly<Record<DialectName, Dialect>> = {
  'unknown-field': (body) => ({
    body: mapObjects(body, (object) => ({
      ...object,
      x_next_year: { since: 'v1.99', beta: true },
    })),
  }),
  'unknown-enum': (body, { params }) => ({
    body:
      params.text('path') === ''
        ? mapObjects(body, (object) =>
            mapFields(object, (key, value) =>
              typeof value === 'string' ? (enumFields[key] ?? value) : value,
            ),
          )
        : setValueAt(body, params.text('path'), params.text('value')),
  }),
  'shuffled-keys': (body, { draw }) => ({
    body: mapObjects(body, (object) =>
      Object.fromEntries(
        Object.entries(object)
          .map(([key, value]) => ({ key, value, rank: draw(key) }))
          .toSorted((a, b) => a.rank - b.rank)
          .map(({ key, value }) => [key, value]),
      ),
    ),
  }),
  'null-for-absent': (body) => ({
    body: mapObjects(body, (object) =>
      'id' in object
        ? {
            ...object,
            ...Object.fromEntries(
              optionalFields.filter((key) => !(key in object)).map((key) => [key, null]),
            ),
          }
        : object,
    ),
  }),
  /** The service understands long ids that a client sends back. */
  'longer-ids': (body) => ({ body: lengthenIds(body) }),
  'extra-links': (body) => ({
    body: mapObjects(body, (object) => {
      const { links } = object;
      if (!Array.isArray(links) || links.length === 0) return object;
      const extra: Json = {
        href: 'https://developer.example.com/help',
        rel: 'help',
        method: 'GET',
      };
      return { ...object, links: [extra, ...links.toReversed()] };
    }),
  }),
  'numbers-as-strings': (body) => ({
    body: mapObjects(body, (object) =>
      mapFields(object, (_key, value) => (typeof value === 'number' ? String(value) : value)),
    ),
  }),
  'other-time-precision': (body) => ({
    body: mapObjects(body, (object) =>
      mapFields(object, (_key, value) =>
        typeof value === 'string' ? switchPrecision(value) : value,
      ),
    ),
  }),
  'clock-ahead': (body, context) => skewTimes(body, context, 1),
  'clock-behind': (body, context) => skewTimes(body, context, -1),
  'deprecation-headers': (body) => ({
    body,
    headers: { Deprecation: '@1893456000', Sunset: 'Tue, 01 Jan 2030 00:00:00 GMT' },
  }),
};

function lengthenIds(body: Json, isLong?: (id: string) => boolean): Json {
  return mapObjects(body, (object) =>
    mapFields(object, (key, value) =>
      typeof value === 'string' ? lengthenId(key, value, isLong) : value,
    ),
  );
}

/** Lengthens the ids in a JSON response that earlier responses have shown so, because a record has one id. */
export function keepLongIds(body: string, longIds: ReadonlySet<string>): string {
  const parsed: Json = JSON.parse(body);
  return JSON.stringify(lengthenIds(parsed, (id) => longIds.has(id)));
}

/** Writes a JSON response in a dialect. */
export function applyDialect(name: DialectName, body: string, context: DialectContext) {
  const parsed: Json = JSON.parse(body);
  const rewritten = dialects[name](parsed, context);
  return { body: JSON.stringify(rewritten.body), headers: rewritten.headers ?? {} };
}

function mapObjects(value: Json, change: (object: { [key: string]: Json }) => Json): Json {
  if (Array.isArray(value)) return value.map((one) => mapObjects(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(mapFields(value, (_key, member) => mapObjects(member, change)));
}

function mapFields(
  object: { readonly [key: string]: Json },
  change: (key: string, value: Json) => Json,
): { [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(key, value)]),
  );
}

function setValueAt(body: Json, path: string, value: string): Json {
  const [step, ...rest] = path.split(/[.[\]]+/).filter((part) => part !== '');
  if (step === undefined) return value;
  const inner = rest.join('.');
  if (Array.isArray(body)) {
    return body.map((one, at) => (String(at) === step ? setValueAt(one, inner, value) : one));
  }
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, step)) return body;
  return mapFields(body, (key, member) =>
    key === step ? setValueAt(member, inner, value) : member,
  );
}

/** Times that the service takes from its own clock. Agreed times such as `valid_until` stay unchanged. */
const clockFields = new Set(['create_time', 'update_time']);

function skewTimes(body: Json, { params, nowMs }: DialectContext, sign: 1 | -1): DialectResult {
  const byMs = sign * params.ms('skew');
  return {
    body: mapObjects(body, (object) =>
      mapFields(object, (key, value) =>
        clockFields.has(key) && typeof value === 'string' ? shiftTime(value, byMs) : value,
      ),
    ),
    headers: { Date: new Date(nowMs + byMs).toUTCString() },
  };
}

function shiftTime(time: string, byMs: number): string {
  const text = new Date(Date.parse(time) + byMs).toISOString();
  return time.includes('.') ? text : `${text.slice(0, 19)}Z`;
}

function switchPrecision(text: string): string {
  const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(text);
  return time === null ? text : time[2] === undefined ? `${time[1]}.000Z` : `${time[1]}Z`;
}
