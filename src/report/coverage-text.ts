/** Coverage for people. */
import { findOutcome } from '../outcomes/catalogue.ts';
import { coverageReading, type Coverage } from './coverage.ts';

const mostShown = 10;

/** How much was tried, and what to try next, those first that risk the most money. */
export function coverageText(coverage: Coverage): string {
  const { percent, tried, missing, unused } = coverageReading(coverage);
  const shown = missing.slice(0, mostShown);
  const width = Math.max(...shown.map(({ operation }) => operation.length), 0);
  return [
    `${percent} % of what is worth trying was tried: ${tried.length} of ${tried.length + missing.length} outcomes on the operations that were asked.`,
    ...(shown.length === 0 ? [] : ['', 'Never tried, the most valuable first:']),
    ...shown.map(({ operation, outcome }) => {
      const wire = findOutcome(outcome)?.wire ?? '';
      return `  ${operation.padEnd(width)}  ${outcome}: ${wire}`;
    }),
    ...(missing.length > mostShown ? [`  and ${missing.length - mostShown} more`] : []),
    ...(unused.length === 0 ? [] : ['', `Never asked: ${unused.join(', ')}.`]),
  ].join('\n');
}
