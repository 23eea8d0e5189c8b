/** Whether this is `npm run test:all`, which takes the long walks too. */
export const isFullRun = process.env['PROPERTY_RUNS'] === 'all';

/**
 * How often a property is tried: `many` times in `npm run test:all`, a tenth of that in `npm test`.
 *
 * @example fc.assert(property, { numRuns: runs(200) })
 */
export function runs(many: number): number {
  return isFullRun ? many : Math.min(many, Math.max(5, Math.ceil(many / 10)));
}
