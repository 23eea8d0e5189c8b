/** What a client still sends of a body that nobody reads. */
import type { Readable } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';

/** How much of it is thrown away, and for how long, before the client is cut off. */
export interface Bounds {
  readonly bytes: number;
  readonly ms: number;
}

/** Enough for a client that sends far too much by mistake, and not for one that never ends. */
const patience: Bounds = { bytes: 67_108_864, ms: 10_000 };

/**
 * Throws it away until it ends or a bound is met: many clients look for an answer only once they have sent all, and one
 * whose connection is closed before that gets an error in its place.
 */
export function restGone(body: Readable, { bytes, ms }: Bounds = patience): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes;
    const onData = (chunk: Buffer): void => {
      left -= chunk.byteLength;
      if (left < 0) over();
    };
    const over = (): void => {
      clearTimeout(timer);
      body.off('data', onData).off('end', over).off('close', over);
      body.pause();
      resolve();
    };
    const timer = setTimeout(over, ms);
    if (body.destroyed) over();
    else body.on('data', onData).once('end', over).once('close', over).resume();
  });
}
