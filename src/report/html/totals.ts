/** Money of several merchants in one sum for each currency. */
import { formatMinor, isCurrency } from '../../domain/money/money.ts';
import type { Verdict } from '../verdicts.ts';

type Total = Verdict['totals'][number];

/** Sums what verdicts say; exact, since no fraction is ever made of it. */
export function summedTotals(verdicts: readonly Verdict[]): readonly Total[] {
  const sums = new Map<string, { charged: number; givenBack: number; net: number }>();
  for (const { currency, charged, givenBack, net } of verdicts.flatMap(({ totals }) => totals)) {
    const sum = sums.get(currency) ?? { charged: 0, givenBack: 0, net: 0 };
    sum.charged += minorOf(charged);
    sum.givenBack += minorOf(givenBack);
    sum.net += minorOf(net);
    sums.set(currency, sum);
  }
  return [...sums].flatMap(([currency, { charged, givenBack, net }]) => {
    if (!isCurrency(currency)) return [];
    const shown = (minor: number): string => formatMinor(minor, currency);
    return [{ currency, charged: shown(charged), givenBack: shown(givenBack), net: shown(net) }];
  });
}

/** A verdict writes each amount with all of its currency's decimals. */
function minorOf(amount: string): number {
  return Number(amount.replace('.', ''));
}
