/** The answer is whole and right, after a delay drawn from a log-normal spread: most are short, a few are very long. */
import type { Fault } from './fault.ts';

/** How many standard deviations the 99th percentile lies from the middle. */
const p99Deviations = 2.326;

export const varyingDelay: Fault = async (wire, reply, params) => {
  const middleMs = params.ms('p50');
  const spread = Math.log(Math.max(1, params.ms('p99') / Math.max(1, middleMs))) / p99Deviations;
  // Box and Muller: two even draws make one of the normal spread.
  const deviation =
    Math.sqrt(-2 * Math.log(1 - params.draw('radius'))) *
    Math.cos(2 * Math.PI * params.draw('angle'));
  await wire.pause(Math.min(middleMs * Math.exp(spread * deviation), 10 * params.ms('p99')));
  return wire.send(reply);
};
