/** Sales and refunds that were pending when the verdict was asked for. */
import type { Verdict } from '../contract/control/types.ts';
import { formatMinor, type Money } from '../domain/money/money.ts';
import type { World } from '../world/world.ts';
import type { Evidence } from './evidence/evidence.ts';
import { createdIds } from './evidence/exchange-results.ts';

type WirePending = NonNullable<Verdict['pending']>[number];

const most = 100;

/** Lists what is pending of the sales and refunds that requests in the journal made, and what each becomes. */
export function findPending(world: World, evidence: Evidence): WirePending[] {
  const { sales, refunds } = evidence.records;
  const pendingSales = evidence.charges.flatMap(({ id }): WirePending[] => {
    const [now, later] = [world.sales.get(id), sales.get(id)];
    if (now?.settlement !== 'pending' || later === undefined) return [];
    const { settlement: becomes } = later;
    return becomes === 'reversed' ? [] : [{ id, kind: 'sale', amount: toWire(now), becomes }];
  });
  const pendingRefunds = evidence
    .of('sale.refund', 'capture.refund')
    .flatMap(createdIds)
    .flatMap((id): WirePending[] => {
      const [now, later] = [world.refunds.get(id), refunds.get(id)];
      if (now?.settlement !== 'pending' || later === undefined) return [];
      return [{ id, kind: 'refund', amount: toWire(now), becomes: later.settlement }];
    });
  return [...pendingSales, ...pendingRefunds].slice(0, most);
}

function toWire({
  amount: { minor, currency },
}: {
  readonly amount: Money;
}): WirePending['amount'] {
  return { total: formatMinor(minor, currency), currency };
}
