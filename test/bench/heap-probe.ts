/**
 * Preloaded into a server whose memory is measured: tells what is left once what nobody uses is collected, on
 * the heap and in buffers beside it.
 */
import { collect } from './worker-link.ts';

process.on('message', () => {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  process.send?.(heapUsed + arrayBuffers);
});
// Whoever asks does not keep the server.
process.channel?.unref();
