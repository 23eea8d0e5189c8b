/** What cannot be written: whoever read it has gone, as with `--help | head`, or the disk is full. */
import type { Writable } from 'node:stream';

/** A terminal that was closed says EIO. What was still to say to those who have gone is lost, no more. */
const goneReader: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);

/** Listens for what could not be written; tells the first time, unless the reader has gone. */
export function onUnwritten(
  tell: (why: string) => void,
): (error: Readonly<NodeJS.ErrnoException>) => void {
  let isTold = false;
  return ({ code, message }) => {
    if (isTold || goneReader.has(code)) return;
    isTold = true;
    tell(code ?? message);
  };
}

/** Node 20 throws from a stream what it cannot write to a file; this tells its listeners, as later ones do. */
export function tellListeners(stream: Writable): void {
  /* oxlint-disable no-underscore-dangle -- the name that Node gives it */
  const write = stream._write.bind(stream);
  stream._write = (chunk, encoding, done) => {
    try {
      write(chunk, encoding, done);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
