/** Exports a merchant with one record of every kind, and changes the export in invalid ways. */
import { expect } from 'vitest';
import { createSandbox, ExportError, type WorldExport } from '../../../src/index.ts';
import { TestTransport, testNow } from '../../support/transports.ts';
import { authorize, capture, pay, sell, storeCard } from '../../support/purchases.ts';
import { busyScenario } from './merchant-history.ts';

/** The merchant's export as JSON text. */
export async function exportMerchant(): Promise<string> {
  const transport = new TestTransport('in process', {
    systemClock: { nowMs: () => Date.parse(testNow) },
  });
  await transport.open();
  const shop = transport.shop('shop');
  shop.merchant.playScenario({ ...busyScenario, rules: [] });
  const sale = await sell(shop, { cardId: await storeCard(shop) });
  await pay(shop, { transaction: { invoice_number: 'INV-1' } });
  await pay(shop, { transaction: { invoice_number: 'INV-2' } });
  await capture(shop, (await authorize(shop)).id, '1.00');
  await shop.ask('sale.refund', 201, { params: { sale_id: sale.id }, body: {} });
  shop.merchant.force({
    op: 'payment.create',
    match: { 'transactions[0].amount.total': { matches: '^1' } },
    outcome: 'sale-pending-then-completed',
  });
  await shop.ask('payment.list', 200);
  shop.merchant.clock.advance(3 * 86_400_000);
  const text = JSON.stringify(shop.merchant.export());
  await transport.close();
  return text;
}

/** The export with another value at a path; `undefined` removes the member. */
export function changeExport(text: string, path: string, value: unknown): unknown {
  const document: unknown = JSON.parse(text);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const parent = Object(at(document, steps));
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  return document;
}

export function valueIn(text: string, path: string): unknown {
  return at(JSON.parse(text), path.split('.'));
}

function at(document: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((part, step) => Reflect.get(Object(part), step), document);
}

/** The mistakes that an import reports. Also checks that the merchant stays unchanged. */
export function mistakesOf(document: unknown, limits = {}): readonly string[] {
  const sandbox = createSandbox({
    seed: 'test',
    fixtures: 'empty',
    clock: { start: testNow, frozen: true },
    limits,
  });
  const before = sandbox.export();
  const merchants = sandbox.merchants();
  for (const merchant of [sandbox, sandbox.merchant('new')]) {
    try {
      // What an untyped program could pass.
      merchant.import(document as WorldExport);
      throw new Error('It was taken.');
    } catch (mistake) {
      if (!(mistake instanceof ExportError)) throw mistake;
      expect(sandbox.export()).toEqual(before);
      expect(sandbox.merchants()).toEqual(merchants);
      if (merchant === sandbox) continue;
      return mistake.lines;
    }
  }
  return [];
}

/** The mistakes that an import reports with other values at some paths. */
export function mistakesAfterChanges(
  text: string,
  changes: Readonly<Record<string, unknown>>,
): readonly string[] {
  const spoiled = Object.entries(changes).reduce(
    (document, [path, value]) => JSON.stringify(changeExport(document, path, value)),
    text,
  );
  return mistakesOf(JSON.parse(spoiled));
}
