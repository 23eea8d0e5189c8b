/** Write errors of stdout: the reader has gone, as with `--help | head`, or the disk is full. */
import type { Writable } from 'node:stream';

/** A pipe without a reader reports EPIPE, a closed terminal EIO. Neither is a failure of the command. */
const readerGone: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);

/** Makes a listener that reports the first write error, unless the reader has gone. */
export function onWriteError(
  report: (why: string) => void,
): (error: Readonly<NodeJS.ErrnoException>) => void {
  let isReported = false;
  return ({ code, message }) => {
    if (isReported || readerGone.has(code)) return;
    isReported = true;
    report(code ?? message);
  };
}

/** Makes write errors of a file reach the error listeners. Node 20 throws them instead. */
export function emitWriteErrors(stream: Writable): void {
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
