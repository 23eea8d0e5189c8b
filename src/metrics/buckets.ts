/**
 * Upper bounds of the latency histogram, in seconds. They range from the sandbox's own time, a fraction of a
 * millisecond, to the delays that outcomes force.
 */
export const bucketsS = [
  0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  30, 60,
] as const;
