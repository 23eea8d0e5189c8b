/**
 * The money of several merchants stays correct, whatever is forced on their requests and clocks.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { dayMs } from '../../support/purchases.ts';
import { ForcedHistory, histories, type HistoryEvent } from './forced-history.ts';
import {
  changeFaults,
  effectsBetween,
  faultsIn,
  recordsToKeep,
  newPaymentFaults,
  type Books,
} from './money-rules.ts';
import { runsFor } from '../support/own-transport.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

const booksOf = (shop: Shop): Books => {
  const { records, transfers, clock } = worldDocumentOf(shop.merchant);
  return { records, transfers, clock };
};

/** Plays an event and checks all invariants. Ignores what others did since `before`. */
async function playAndCheck(
  history: ForcedHistory,
  historyEvent: HistoryEvent,
  before: Books,
): Promise<Books> {
  const { merchant } = history.shop;
  const heard = history.heard.length;
  await history.do(historyEvent);
  const after = booksOf(history.shop);
  const faults = [...faultsIn(after), ...changeFaults(before, after)];
  expect(faults, JSON.stringify(historyEvent)).toEqual([]);
  if (historyEvent.ask === 'wait' || history.heard.length === heard) return after;
  // A response is recorded before its client receives it, and a broken connection before it breaks.
  const { entries: requests } = merchant.journal();
  const entry = requests.at(-1);
  const twice = entry?.outcomes.some(({ id }) => id === 'executed-twice-by-proxy') === true;
  if (entry?.committed !== true) {
    expect([after.records, after.transfers], JSON.stringify(entry)).toEqual([
      recordsToKeep(entry, before.records),
      before.transfers,
    ]);
  }
  expect(newPaymentFaults(before, after)).toEqual([]);
  expect(effectsBetween(before, after)).toBeLessThanOrEqual(twice ? 2 : 1);
  return after;
}

onEveryTransport(
  'the money of merchants with random forced outcomes',
  (transport) => {
    it('stays correct after every event and settles in the end', () =>
      fc.assert(
        fc.asyncProperty(histories(18), histories(18), async (one, other) => {
          const [left, right] = [
            new ForcedHistory(transport.shop()),
            new ForcedHistory(transport.shop()),
          ];
          let [mine, theirs] = [booksOf(left.shop), booksOf(right.shop)];
          for (let at = 0; at < Math.max(one.length, other.length); at++) {
            const [historyEvent, neighbours] = [one[at], other[at]];
            if (historyEvent !== undefined) mine = await playAndCheck(left, historyEvent, mine);
            if (neighbours !== undefined) theirs = await playAndCheck(right, neighbours, theirs);
          }
          // After a year everything has settled, and a second year changes nothing.
          const rest = [400, 400].map((days) => {
            left.shop.merchant.clock.advance(days * dayMs);
            return booksOf(left.shop);
          });
          expect(rest.flatMap(faultsIn)).toEqual([]);
          expect(rest[1]?.transfers).toEqual(rest[0]?.transfers);
          expect(worldDocumentOf(left.shop.merchant).scheduledEvents).toEqual([]);
        }),
        runsFor(transport.name, 30),
      ));
  },
  { baseUrl: 'https://sandbox.test' },
);
