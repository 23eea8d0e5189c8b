/** Plays three merchants and returns their verdicts, as samples for reports. */
import { verdictHtml } from '../../../src/report/html/page.ts';
import { createSandbox, type Merchant, type Sandbox, type Verdict } from '../../../src/index.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';

/** Texts that a careless report would take for markup, commands or colours. */
export const hostile = {
  markup: `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">`,
  attribute: `" onload="document.title='owned'" x='`,
  entity: '&lt;b&gt; &amp; ]]> -->',
  terminal: 'INV\u001b[31m\u0007\u202etxet',
  command: 'a\r\n::error::owned%0A::',
} as const;

export interface SampleRun {
  readonly sandbox: Sandbox;
  /** `careful`, `careless` (charges twice) and `hostile` (sends hostile texts). */
  readonly verdicts: readonly Verdict[];
}

/** When and by which version the pages of these tests were made. */
export const made = { madeAt: '2026-05-06T07:08:09.000Z', version: '1.2.3' };

/** Plays the three merchants, and writes the page of their verdicts. */
export async function playPage(): Promise<{ readonly played: SampleRun; readonly page: string }> {
  const played = await playMerchants();
  const { sandbox, verdicts } = played;
  const page = await verdictHtml({ verdicts, coverage: sandbox.all.coverage(), ...made });
  return { played, page };
}

/** Plays the three merchants on a frozen clock, so that each run gives the same bytes. */
export async function playMerchants(): Promise<SampleRun> {
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
      await play('careful', playCareful),
      await play('careless', playCareless),
      await play('hostile', playHostile),
    ],
  };
}

/** The verdicts of the three merchants, after the sandbox is closed. */
export async function sampleVerdicts(): Promise<readonly [Verdict, Verdict, Verdict]> {
  const { sandbox, verdicts } = await playMerchants();
  await sandbox.close();
  const [careful, careless, hostileVerdict] = verdicts;
  if (careful === undefined || careless === undefined || hostileVerdict === undefined) {
    throw new Error('A sample verdict is missing.');
  }
  return [careful, careless, hostileVerdict];
}

/** The same verdict with its first finding suppressed and its second too mild to fail. */
export function withMixedFindings(verdict: Verdict): Verdict {
  const [first, second, ...others] = verdict.findings;
  if (first === undefined || second === undefined) throw new Error('There are no findings.');
  return {
    ...verdict,
    findings: [{ ...first, suppressed: 'we know' }, { ...second, severity: 'medium' }, ...others],
  };
}

/** Retries a lost answer with the same request id, and reads a sale that settles days later. */
async function playCareful(till: Till): Promise<void> {
  const cardId = await till.store();
  till.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  await till.pay(cardId, { invoice_number: 'INV-100' }, 'one key for INV-100');
  till.merchant.clock.advance(1200);
  await till.pay(cardId, { invoice_number: 'INV-100' }, 'one key for INV-100');
  till.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
  const later = await till.pay(cardId, { invoice_number: 'INV-101' }, 'one key for INV-101');
  till.merchant.clock.advance(3 * 86_400_000);
  await till.read(later);
  till.merchant.force({ op: 'payment.create', outcome: 'error-503-before-commit' });
  await till.pay(cardId, { invoice_number: 'INV-102' }, 'one key for INV-102');
  till.merchant.clock.advance(4000);
  await till.pay(cardId, { invoice_number: 'INV-102' }, 'one key for INV-102');
}

/** Retries a lost answer twice, each time with a new request id. */
async function playCareless(till: Till): Promise<void> {
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
  till.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
}

/** Pays twice for purchases with hostile descriptions. */
async function playHostile(till: Till): Promise<void> {
  const cardId = await till.store();
  for (const [name, text] of Object.entries(hostile)) {
    till.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    await till.pay(cardId, { description: text }, `first key of ${name}`);
    await till.pay(cardId, { description: text }, `second key of ${name}`);
  }
}

/** Sends the requests of one merchant and ignores lost answers. */
class Till {
  readonly merchant: Merchant;
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox, merchant: Merchant) {
    this.#sandbox = sandbox;
    this.merchant = merchant;
  }

  async store(): Promise<string> {
    const stored = await this.#send('/v1/vault/credit-cards', cardBody(), 'a key for the card');
    const card = (await stored?.json()) as { readonly id: string } | undefined;
    if (card === undefined) throw new Error('The card was not stored.');
    return card.id;
  }

  /** Returns the payment's id if the client received it. */
  async pay(cardId: string, transaction: object, key: string): Promise<string | undefined> {
    const body = paymentBody({ cardId, transaction: { ...transaction } });
    const answer = await this.#send('/v1/payments/payment', body, key);
    return ((await answer?.json()) as { readonly id?: string } | undefined)?.id;
  }

  async read(paymentId: string | undefined): Promise<void> {
    await this.#send(`/v1/payments/payment/${paymentId}`);
  }

  async #send(path: string, body?: object, key?: string): Promise<Response | undefined> {
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
