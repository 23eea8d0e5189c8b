/** A world for tests of the domain: accepted changes are committed at once. */
import { pay, type PaymentDraft } from '../../../src/domain/payment/payment.ts';
import type { Change } from '../../../src/domain/ports.ts';
import type { RefusalKind, Result } from '../../../src/domain/refusals.ts';
import { CardGuard } from '../../../src/guard/card-guard.ts';
import { World } from '../../../src/world/world.ts';

/** An empty world with a frozen clock. */
export function openTill(atMs = Date.parse('2026-05-06T07:08:09.123Z')): World {
  return new World('shop', {
    seed: 'test',
    policy: { allowPastExpiry: false, ownerCheck: 'strict' },
    clock: { atMs, frozen: true },
    realNowMs: () => 0,
    maxRecords: 100,
    maxRequestIds: 100,
    journal: {},
    guard: new CardGuard('off'),
  });
}

/** Commits what the domain planned; returns the id of its record. */
export function commit(world: World, result: Result<Change>): string {
  if (!result.ok) throw new Error(result.refusal.reason);
  world.commit(result.value);
  return result.value.subject;
}

/** Why the domain refused. */
export function refusalKind(result: Result<unknown>): RefusalKind {
  if (result.ok) throw new Error('The domain accepted it.');
  return result.refusal.kind;
}

/** The invalid fields with their issues. */
export function wrongFields(result: Result<unknown>): readonly (readonly [string, string])[] {
  if (result.ok) throw new Error('The domain accepted it.');
  return result.refusal.issues?.map(({ field, issue }) => [field, issue] as const) ?? [];
}

/** Pays with a raw card; returns the id of the sale or authorization. */
export function payInto(
  world: World,
  intent: PaymentDraft['intent'],
  total: string,
  currency = 'USD',
): string {
  const draft: PaymentDraft = {
    intent,
    instrument: {
      kind: 'card',
      card: {
        number: '4417119669820331',
        brand: 'visa',
        expireMonth: 11,
        expireYear: 2031,
        cvv: undefined,
        firstName: undefined,
        lastName: undefined,
        billingAddress: undefined,
      },
    },
    amount: { total, currency, details: undefined },
    items: undefined,
    notes: {
      referenceId: undefined,
      description: undefined,
      noteToPayee: undefined,
      custom: undefined,
      invoiceNumber: undefined,
      shippingAddress: undefined,
    },
  };
  const payment = world.payments.get(commit(world, pay(world, draft)));
  const made = payment?.related.first;
  if (made === undefined) throw new Error('The payment has no sale or authorization.');
  return made.id;
}
