import { findOutcome } from '../../../../src/outcomes/catalogue.ts';
import type { Shop } from '../../../support/transports.ts';
import { quickParams } from '../../forcing/catalogue/request-plans.ts';
import type { Forced } from './client.ts';

/** Forces what happens to a client. A hang keeps its own time, because only the client's clock ends it. */
export function force({ merchant }: Shop, { outcome, ...rule }: Forced): void {
  const found = findOutcome(outcome);
  const isHang = found?.effect.kind === 'fault' && found.effect.fault === 'hang';
  const params = found === undefined || isHang ? {} : quickParams(found);
  merchant.force({ ...rule, per: 'merchant', outcome: { outcome, with: params } });
}
