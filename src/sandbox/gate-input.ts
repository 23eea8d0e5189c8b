/** Reads what `release` and `waitForHeld` are given, and explains what is wrong with it. */
import type { z } from '@hono/zod-openapi';
import { gateInputs } from '../contract/control/inputs.ts';
import { GateError } from '../scenarios/scenario-error.ts';
import { didYouMean, unknownKey } from '../shared/did-you-mean.ts';
import { describeValue, isSignal } from '../shared/unknown-value.ts';
import type { ReleaseOrder } from '../world/gates/gates.ts';

/** How many requests to wait for, and how long. */
export interface HeldWaitOptions {
  /** How many requests must be held. Default: all that the gates can hold. */
  readonly times?: number | undefined;
  /** Real time after which the wait fails, in milliseconds. Default 4,000, at most 240,000. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait when it aborts. `null` means no signal, as in `fetch`. */
  readonly signal?: AbortSignal | null | undefined;
}

/** Reads the order of a release. */
export function readOrder(order: unknown): ReleaseOrder {
  const read = gateInputs().release.safeParse({ order });
  if (read.success) return read.data.order;
  const near = typeof order === 'string' ? didYouMean(order, ['arrival', 'reverse']) : '';
  throw new GateError([
    `release: ${read.error.issues[0]?.message}, got ${describeValue(order)}.${near}`,
  ]);
}

/** Reads the options of a wait. */
export function readHeldWait(options: unknown): z.output<ReturnType<typeof gateInputs>['wait']> & {
  readonly signals: readonly AbortSignal[];
} {
  if (typeof options !== 'object' || options === null) {
    throw new GateError([
      `waitForHeld: must be an object such as { times: 2 }, got ${describeValue(options)}.`,
    ]);
  }
  const { signal, ...rest }: { readonly signal?: unknown } = options;
  if (signal !== undefined && signal !== null && !isSignal(signal)) {
    throw new GateError(['waitForHeld signal: must be an AbortSignal.']);
  }
  const read = gateInputs().wait.safeParse(rest);
  if (read.success) return { ...read.data, signals: isSignal(signal) ? [signal] : [] };
  throw new GateError(
    read.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `waitForHeld ${key}: ${unknownKey(key, waitKeys())}`)
        : `${['waitForHeld', ...issue.path].join(' ')}: ${issue.message.replace(/\.?$/, '.')}`,
    ),
  );
}

/** A call in process also takes a signal, which an HTTP request cannot carry. */
function waitKeys(): string[] {
  return [...Object.keys(gateInputs().wait.shape), 'signal'];
}
