/** One client against one fault: one purchase, and what came of it. */
import type { Sandbox, Verdict, VerdictOptions } from '../../../../src/index.ts';
import { vaultedCard } from '../reference/reference-shop.ts';
import type { Fault } from './faults.ts';
import { MerchantTime } from '../reference/merchant-clock.ts';
import type { SetUp } from '../setups/set-up.ts';
import { hearWithin, type Told } from './client-result.ts';

/** Longer than anything that ends by itself. */
const patienceMs = 6_000;

export interface Cell {
  readonly told: Told;
  /** Payments that reached the server. */
  readonly tries: number;
  /** Sales in the ledger. */
  readonly charges: number;
  /** A try came before the time that the answer before it had asked for. */
  readonly early: boolean;
  /** Whether the fault came about. */
  readonly met: boolean;
  /** What the sandbox says of it, once it is told what the code believes. */
  readonly verdict: Verdict;
}

const order = 'order-1042';

/** What code holds to be true that was left with this. */
const beliefs = {
  paid: 'paid',
  refused: 'not-paid',
  error: 'unknown',
  waits: 'unknown',
} as const satisfies Record<Told['word'], NonNullable<VerdictOptions['beliefs']>[string]>;

/** Each cell has a merchant and a door of its own, so that no pool of connections is shared. */
export async function runCell(sandbox: Sandbox, setUp: SetUp, fault: Fault): Promise<Cell> {
  const clientId = `${setUp.name}-${fault.outcome}-${fault.note ?? ''}`.replaceAll(/[^\w-]/g, '');
  const merchant = sandbox.merchant(clientId);
  const door = await sandbox.listen({ port: 0 });
  const { transfers: before } = merchant.ledger();
  merchant.force(fault.rule);
  const till = {
    url: door.url,
    clientId,
    secret: 'any',
    cardId: vaultedCard,
    order,
    clock: new MerchantTime(merchant),
  };
  const told = await hearWithin(patienceMs, () => setUp.buy(till));
  const { transfers } = merchant.ledger();
  const { entries: requests } = merchant.journal({ operation: 'payment.create' });
  const cell = {
    told,
    tries: requests.length,
    charges: transfers.length - before.length,
    early: cameEarly(
      requests.map(({ atMs }) => atMs),
      fault.retryAfterMs ?? 0,
    ),
    met: merchant.unfired().length === 0,
    verdict: await merchant.verdict({ beliefs: { [order]: beliefs[told.word] } }),
  };
  await door.close();
  return cell;
}

/** A tenth less than asked for is a rounding and no haste. */
function cameEarly(timesMs: readonly number[], waitMs: number): boolean {
  return timesMs.some((atMs, at) => at > 0 && atMs - (timesMs[at - 1] ?? 0) < 0.9 * waitMs);
}
