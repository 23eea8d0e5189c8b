/** The zoo: right clients that no verdict may blame, and wrong ones that each verdict must find. */
import { describe, expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { forcible, operationsOf, quickParams } from '../forcing/catalogue/request-plans.ts';
import { findOutcome } from '../../../src/outcomes/catalogue.ts';
import { onTestTime } from '../verdict/support/payment-attempts.ts';
import type { Forced } from './zoo/client.ts';
import { rightClients } from './zoo/right/right-clients.ts';
import { ShopCode } from './zoo/shop-code.ts';
import type { Shop } from '../../support/transports.ts';

/** `ZOO=all` runs each right client with every outcome of the operations that its own outcomes name. */
const isFull = process.env['ZOO'] === 'all';

function outcomesFor(meets: readonly Forced[]): readonly Forced[] {
  if (!isFull) return meets;
  const ops = new Set(meets.map(({ op }) => op));
  const all = forcible
    .filter(({ effect, id }) => effect.kind !== 'refuse-connections' && id !== 'real-card-refused')
    .flatMap((outcome) =>
      operationsOf(outcome)
        .filter((op) => ops.has(op))
        .flatMap((op): Forced[] => [
          { op, outcome: outcome.id },
          { op, outcome: outcome.id, times: 9 },
          { op, outcome: outcome.id, nth: 2 },
        ]),
    );
  return [...meets, ...all];
}

function force({ merchant }: Shop, { outcome, ...rule }: Forced): void {
  const found = findOutcome(outcome);
  const isHang = found?.effect.kind === 'fault' && found.effect.fault === 'hang';
  const params = found === undefined || isHang ? {} : quickParams(found);
  merchant.force({ ...rule, per: 'merchant', outcome: { outcome, with: params } });
}

function nameOf({ op, outcome, times = 1, nth }: Forced): string {
  return `${outcome} on ${op}${times > 1 ? ` ×${times}` : ''}${nth === undefined ? '' : `, request ${nth}`}`;
}

const notTheirs = /not the client's doing|could not prevent this duplicate/;

onEveryTransport(
  'a right client',
  (transport) => {
    describe.each(Object.entries(rightClients).flatMap(([, clients]) => Object.entries(clients)))(
      '%s',
      (_, { meets, run }) => {
        const cases: (Forced | undefined)[] = [undefined, ...outcomesFor(meets)];
        it.each(
          cases.map(
            (forced) => [forced === undefined ? 'nothing' : nameOf(forced), forced] as const,
          ),
        )('is not blamed with %s', async (__, forced) => {
          const shop = transport.shop();
          if (forced !== undefined) force(shop, forced);
          const beliefs = (await run(new ShopCode(shop))) ?? {};
          const { findings, reasons } = await shop.merchant.verdict({
            beliefs,
            allowUnfired: true,
          });
          const blamed = findings.filter(
            ({ severity, what, remedy }) =>
              !['low', 'info'].includes(severity) && !notTheirs.test(what + remedy),
          );
          const words = blamed.map(({ rule, severity, what }) => `${severity} ${rule}: ${what}`);
          expect(words, words.join(' | ')).toEqual([]);
          expect(reasons.filter(({ kind }) => kind !== 'finding')).toEqual([]);
        });
      },
    );
  },
  { ...onTestTime, limits: { maxMerchants: 20_000 } },
);
