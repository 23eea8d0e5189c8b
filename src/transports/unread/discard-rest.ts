/** Discards the rest of a body that is not read. */
import type { Readable } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';

/** How much is discarded, and for how long, before the connection is cut off. */
export interface Bounds {
  readonly bytes: number;
  readonly ms: number;
}

/** Enough for a client that sends too much by mistake. */
const defaultBounds: Bounds = { bytes: 67_108_864, ms: 10_000 };

/**
 * Discards the rest of a body until it ends or exceeds a bound. Many clients read the answer only after they have sent
 * everything; if the connection closes before that, they report an error instead of the answer.
 */
export function discardRest(body: Readable, { bytes, ms }: Bounds = defaultBounds): Promise<void> {
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
