/** Merchants to whom something happened, for reports to tell of. */
import { createSandbox, type Merchant, type Sandbox, type Verdict } from '../../../src/index.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';

/** Texts that would be markup, commands or colours, were they not text. */
export const hostile = {
  markup: `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">`,
  attribute: `" onload="document.title='owned'" x='`,
  entity: '&lt;b&gt; &amp; ]]> -->',
  terminal: 'INV\u001b[31m\u0007\u202etxet',
  command: 'a\r\n::error::owned%0A::',
} as const;

export interface Happenings {
  readonly sandbox: Sandbox;
  /** The one that pays twice, the one that is careful, and the one whose texts are hostile. */
  readonly verdicts: readonly Verdict[];
}

/** Plays them; two runs give the same bytes but for what is played through real time. */
export async function playHappenings(): Promise<Happenings> {
  const start = '2026-05-06T07:08:09.000Z';
  const sandbox = createSandbox({
    seed: 'report',
    fixtures: 'empty',
    clock: { start, frozen: true },
  });
  const play = async (id: string, story: (till: Till) => Promise<void>): Promise<Verdict> => {
    const merchant = sandbox.merchant(id);
    await story(new Till(sandbox, merchant));
    return merchant.verdict();
  };
  return {
    sandbox,
    verdicts: [
      await play('careful', carefully),
      await play('careless', carelessly),
      await play('hostile', hostilely),
    ],
  };
}

/** The verdicts of those three, by themselves. */
export async function playThree(): Promise<readonly [Verdict, Verdict, Verdict]> {
  const { sandbox, verdicts } = await playHappenings();
  await sandbox.close();
  const [careful, careless, hostileOne] = verdicts;
  if (careful === undefined || careless === undefined || hostileOne === undefined) {
    throw new Error('Nothing was played.');
  }
  return [careful, careless, hostileOne];
}

/** The same verdict with one finding suppressed, and one that is not bad enough to fail. */
export function mixed(verdict: Verdict): Verdict {
  const [first, second, ...others] = verdict.findings;
  if (first === undefined || second === undefined) throw new Error('There are no findings.');
  return {
    ...verdict,
    findings: [{ ...first, suppressed: 'we know' }, { ...second, severity: 'medium' }, ...others],
  };
}

/** A lost answer, asked again with the same request id; a sale that is settled days later. */
async function carefully(till: Till): Promise<void> {
  const cardId = await till.store();
  till.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  await till.pay(cardId, { invoice_number: 'INV-100' }, 'one key for INV-100');
  till.merchant.clock.advance(1200);
  await till.pay(cardId, { invoice_number: 'INV-100' }, 'one key for INV-100');
  till.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
  const later = await till.pay(cardId, { invoice_number: 'INV-101' }, 'one key for INV-101');
  till.merchant.clock.advance(3 * 86_400_000);
  await till.look(later);
  till.merchant.force({ op: 'payment.create', outcome: 'error-503-before-commit' });
  await till.pay(cardId, { invoice_number: 'INV-102' }, 'one key for INV-102');
  till.merchant.clock.advance(4000);
  await till.pay(cardId, { invoice_number: 'INV-102' }, 'one key for INV-102');
}

/** A lost answer, asked again with another request id, twice. */
async function carelessly(till: Till): Promise<void> {
  const cardId = await till.store();
  till.merchant.force({
    op: 'payment.create',
    sequence: ['reset-after-commit', 'error-500-after-commit', 'ok'],
  });
  for (const key of ['first key', 'second key', 'third key']) {
    await till.pay(cardId, { description: 'two tickets' }, key);
    till.merchant.clock.advance(350);
  }
  till.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
  await till.pay(cardId, { description: 'a coat' }, 'key of the coat');
  till.merchant.force({ op: 'payment.create', outcome: 'decline-insufficient-funds' });
  await till.pay(cardId, { description: 'shoes' }, 'key of the shoes');
  till.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit', ttl: '1h' });
}

async function hostilely(till: Till): Promise<void> {
  const cardId = await till.store();
  for (const [name, text] of Object.entries(hostile)) {
    till.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    await till.pay(cardId, { description: text }, `first key of ${name}`);
    await till.pay(cardId, { description: text }, `second key of ${name}`);
  }
}

/** The requests of one merchant; what is lost is lost. */
class Till {
  readonly merchant: Merchant;
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox, merchant: Merchant) {
    this.#sandbox = sandbox;
    this.merchant = merchant;
  }

  async store(): Promise<string> {
    const stored = await this.#ask('/v1/vault/credit-cards', cardBody(), 'a key for the card');
    const card = (await stored?.json()) as { readonly id: string } | undefined;
    if (card === undefined) throw new Error('The card was not stored.');
    return card.id;
  }

  /** Gives the payment's id, where it came to be known. */
  async pay(cardId: string, transaction: object, key: string): Promise<string | undefined> {
    const body = paymentBody({ cardId, transaction: { ...transaction } });
    const answer = await this.#ask('/v1/payments/payment', body, key);
    return ((await answer?.json()) as { readonly id?: string } | undefined)?.id;
  }

  async look(paymentId: string | undefined): Promise<void> {
    await this.#ask(`/v1/payments/payment/${paymentId}`);
  }

  async #ask(path: string, body?: object, key?: string): Promise<Response | undefined> {
    const headers = {
      Authorization: `Bearer ${this.merchant.token}`,
      'Content-Type': 'application/json',
    };
    const init =
      body === undefined
        ? { headers }
        : {
            method: 'POST',
            headers: { ...headers, 'PayPal-Request-Id': key ?? '' },
            body: JSON.stringify(body),
          };
    return this.#sandbox.request(path, init).catch(() => undefined);
  }
}
