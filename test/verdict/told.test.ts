/** What a client was told of its money, and what it was not, whatever came as an answer. */
import { expect, it } from 'vitest';
import { see } from '../forcing/client.ts';
import { throughEveryDoor } from '../support/doors.ts';
import { foundIn } from './found.ts';
import { onTestTime, Till } from './tries.ts';

throughEveryDoor(
  'a charge whose answer could not be decoded',
  (door) => {
    it('is unknown to the client, as it is after a list that cannot be decoded either', async () => {
      const till = await Till.at(door.shop());
      till.meets('wrong-content-encoding');
      await till.pay({ key: 'a', invoice: 'A' });
      till.shop.merchant.force({ op: 'payment.list', outcome: 'wrong-content-encoding' });
      await see(till.shop, 'payment.list', {});
      expect(await foundIn(till.shop)).toContain('critical orphaned-charge');
      await see(till.shop, 'payment.list', {});
      expect(await foundIn(till.shop)).not.toContain('critical orphaned-charge');
    });
  },
  onTestTime,
);
