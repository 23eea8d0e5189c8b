/** Sales and refunds that were pending when the verdict was asked for. */
import type { Verdict } from '../contract/control/types.ts';
import type { World } from '../world/world.ts';
import type { Evidence } from './evidence/evidence.ts';
import { createdIds } from './evidence/exchange-results.ts';
import { moneyToWire } from './to-wire.ts';

type WirePending = NonNullable<Verdict['pending']>[number];

/** Lists what is pending of the sales and refunds that requests in the journal made, and what each becomes. */
export function findPending(world: World, evidence: Evidence): WirePending[] {
  const { sales, refunds } = evidence.records;
  const pending: WirePending[] = [];
  for (const { id, amount } of evidence.pendingCharges) {
    const becomes = sales.get(id)?.settlement;
    if (becomes === undefined || becomes === 'reversed') continue;
    pending.push({ id, kind: 'sale', amount: moneyToWire(amount), becomes });
  }
  for (const entry of evidence.of('sale.refund', 'capture.refund')) {
    for (const id of createdIds(entry)) {
      const later = refunds.get(id);
      const now = refunds === world.refunds ? later : world.refunds.get(id);
      if (now?.settlement !== 'pending' || later === undefined) continue;
      pending.push({
        id,
        kind: 'refund',
        amount: moneyToWire(now.amount),
        becomes: later.settlement,
      });
    }
  }
  return pending;
}
