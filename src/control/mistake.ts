/** What is wrong with a control call, and how it is said: one class, one function that writes the body. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { controlProblems, type ControlProblemKind } from '../contract/control-problems.ts';
import { ArgumentMistake } from '../outcomes/argument-mistake.ts';
import { ClockMistake } from '../world/clock.ts';
import { WaitEnded } from '../journal/mistakes.ts';
import { SnapshotMistake } from '../world/snapshots.ts';
import { callOf } from './declared-call.ts';
import { MerchantMistake } from './verbs.ts';

interface MistakeDetail {
  /** `query.<name>`, `body.<key>`, a header or a path. */
  readonly place?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
  readonly nearest?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Everything that is wrong with a document, where it is one. */
  readonly mistakes?: readonly NamedMistake[] | undefined;
}

/** One of several mistakes. */
export interface NamedMistake {
  readonly message: string;
  readonly place?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
  readonly nearest?: string | undefined;
}

/** A control call that cannot be carried out. Thrown by whoever notices, answered in one place. */
export class ControlMistake extends Error {
  readonly kind: ControlProblemKind;
  readonly detail: MistakeDetail;

  constructor(kind: ControlProblemKind, message: string, detail: MistakeDetail = {}) {
    super(message);
    this.name = 'ControlMistake';
    this.kind = kind;
    this.detail = detail;
  }
}

/** Answers with a mistake; whatever is none is a bug of ours. */
export function refuse(error: unknown, c: Context): Response {
  const mistake = asMistake(error, c);
  const { status } = controlProblems[mistake.kind];
  return c.json(refusalBody(mistake), status, { ...mistake.detail.headers });
}

/** What a mistake looks like in an answer. */
export function refusalBody({ kind, message, detail }: ControlMistake) {
  const { headers: _, ...named } = detail;
  return { error: kind, message, ...named };
}

function asMistake(error: unknown, c: Context): ControlMistake {
  if (error instanceof ControlMistake) return error;
  if (error instanceof ClockMistake) return new ControlMistake('clock-refused', error.message);
  if (error instanceof WaitEnded) return new ControlMistake('wait-ended', error.message);
  if (error instanceof MerchantMistake) return new ControlMistake('merchants-full', error.message);
  if (error instanceof HTTPException) return unreadable(error.status, callOf(c).types);
  if (error instanceof ArgumentMistake) {
    const { message, place, allowed, nearest } = error;
    return new ControlMistake('invalid-body', message, {
      place: `body.${place}`,
      allowed,
      nearest,
    });
  }
  if (error instanceof SnapshotMistake) {
    const { kind, message, allowed, nearest } = error;
    return new ControlMistake(kind, message, { place: snapshotPlaces[kind], allowed, nearest });
  }
  const fault = error instanceof Error ? error.message : String(error);
  return new ControlMistake('internal-error', `A bug of this sandbox: ${fault}`);
}

const snapshotPlaces = {
  'invalid-name': 'body.name',
  'snapshots-full': 'query.merchant',
  'unknown-snapshot': 'path.name',
} as const satisfies Record<SnapshotMistake['kind'], string>;

/** The framework's own refusals: a body of another type, or one that is not JSON. */
function unreadable(status: number, types: readonly string[]): ControlMistake {
  return status === 415
    ? new ControlMistake(
        'unsupported-media-type',
        `Send the body as ${types.join(' or ')}, and say so in the header Content-Type (curl: -H "content-type: application/json").`,
        { place: 'header Content-Type', allowed: types },
      )
    : new ControlMistake(
        'malformed-json',
        'The body is not JSON. /docs/control shows one that is for every call.',
        { place: 'body' },
      );
}
