/**
 * Loaded into a server whose memory is measured. It reports what is left after a garbage collection, on
 * the heap and in buffers beside it.
 */
import { collect } from './worker-link.ts';

process.on('message', () => {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  process.send?.(heapUsed + arrayBuffers);
});
// The channel does not keep the server alive.
process.channel?.unref();
