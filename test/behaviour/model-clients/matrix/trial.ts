/** Runs one client against one fault: one purchase and its results. */
import type { Sandbox, Verdict, VerdictOptions } from '../../../../src/index.ts';
import { vaultedCard } from '../reference/reference-shop.ts';
import type { Fault } from './faults.ts';
import { MerchantClock } from '../reference/merchant-clock.ts';
import type { SetUp } from '../setups/set-up.ts';
import { runPurchaseWithin, type ClientResult } from './client-result.ts';

/** Longer than any call that ends by itself. */
const patienceMs = 18_000;

export interface Trial {
  readonly result: ClientResult;
  /** How many requests to pay reached the server. */
  readonly tries: number;
  /** How many sales are in the ledger. */
  readonly charges: number;
  /** Whether an attempt came before the requested wait was over. */
  readonly isTooEarly: boolean;
  /** Whether the fault happened. */
  readonly hasMetFault: boolean;
  /** The verdict with the belief of the client. */
  readonly verdict: Verdict;
}

const order = 'order-1042';

/** The belief of merchant code after each result. */
const beliefs = {
  paid: 'paid',
  refused: 'not-paid',
  error: 'unknown',
  waits: 'unknown',
} as const satisfies Record<ClientResult['word'], NonNullable<VerdictOptions['beliefs']>[string]>;

/** Each trial has its own merchant and port, so that no connection pool is shared. */
export async function runTrial(
  sandbox: Sandbox,
  setUp: SetUp,
  fault: Fault,
  run: number,
): Promise<Trial> {
  const name = `${setUp.name}-${fault.outcome}-${fault.note ?? ''}-${run}`;
  const clientId = name.replaceAll(/[^\w-]/g, '');
  const merchant = sandbox.merchant(clientId);
  const transport = await sandbox.listen({ port: 0 });
  const { transfers: before } = merchant.ledger();
  merchant.force(fault.rule);
  const checkout = {
    url: transport.url,
    clientId,
    secret: 'any',
    cardId: vaultedCard,
    order,
    clock: new MerchantClock(merchant),
  };
  const result = await runPurchaseWithin(patienceMs, () => setUp.buy(checkout));
  const { transfers } = merchant.ledger();
  const { entries: requests } = merchant.journal({ operation: 'payment.create' });
  const cell = {
    result,
    tries: requests.length,
    charges: transfers.length - before.length,
    isTooEarly: isAnyTooEarly(
      requests.map(({ atMs }) => atMs),
      fault.retryAfterMs ?? 0,
    ),
    hasMetFault: merchant.unfired().length === 0,
    verdict: await merchant.verdict({ beliefs: { [order]: beliefs[result.word] } }),
  };
  await transport.close();
  return cell;
}

/** A wait that is up to a tenth shorter counts as rounding. */
function isAnyTooEarly(timesMs: readonly number[], waitMs: number): boolean {
  return timesMs.some((atMs, at) => at > 0 && atMs - (timesMs[at - 1] ?? 0) < 0.9 * waitMs);
}
