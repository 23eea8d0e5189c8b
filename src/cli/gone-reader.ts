/**
 * Whoever read our output has gone, as with `card-vault-sandbox --help | head` or with a terminal that was closed: what
 * is still to say is lost, no more.
 */
export function forgiveGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
