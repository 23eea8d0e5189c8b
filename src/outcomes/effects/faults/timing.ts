/** Faults of timing: the response is complete and correct, and late. */
import { bodyFault } from './body.ts';
import type { Fault } from './fault.ts';

export const slowFirstByte: Fault = async (transport, reply, params) => {
  await transport.pause(params.ms('delay'));
  return transport.send(reply);
};

/** How many standard deviations the 99th percentile lies from the median. */
const p99Deviations = 2.326;

/** Waits for a delay from a log-normal distribution: most delays are short, a few are very long. */
export const varyingDelay: Fault = async (transport, reply, params) => {
  const medianMs = params.ms('p50');
  const spread = Math.log(Math.max(1, params.ms('p99') / Math.max(1, medianMs))) / p99Deviations;
  // The Box-Muller transform: two uniform draws give one normal draw.
  const deviation =
    Math.sqrt(-2 * Math.log(1 - params.draw('radius'))) *
    Math.cos(2 * Math.PI * params.draw('angle'));
  await transport.pause(Math.min(medianMs * Math.exp(spread * deviation), 10 * params.ms('p99')));
  return transport.send(reply);
};

/** Sends a few bytes at a time. An idle timer of the client never fires; a deadline does. */
export const slowDribble = bodyFault((transport, reply, params) =>
  transport.sendSlowly(reply, Math.max(1, params.count('chunkBytes')), params.ms('gap')),
);

/** Sends the whole response with "Connection: close" and closes late. A client that waits for the end hangs. */
export const slowClose: Fault = (transport, reply, params) =>
  transport.sendAndLinger(reply, params.ms('linger'));
