/** Preloaded into a server whose memory is measured: tells what its heap holds once what nobody uses is collected. */
import { collect } from './worker-link.ts';

process.on('message', () => {
  collect();
  process.send?.(process.memoryUsage().heapUsed);
});
// Whoever asks does not keep the server.
process.channel?.unref();
