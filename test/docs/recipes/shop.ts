/** The shop under test. Replace it with your own code, which needs a `fetch` or a base URL. */
const base = 'https://api.sandbox.paypal.com';
const mostTries = 4;

export interface Order {
  readonly id: string;
  readonly total: string;
  readonly card?: string;
}

interface Payment {
  readonly transactions: readonly [
    { readonly related_resources: readonly [{ readonly sale: { readonly state: string } }] },
  ];
}

/** `patienceMs` is the longest wait for an answer. */
export function openShop(fetch: typeof globalThis.fetch, clientId: string, patienceMs = 2_000) {
  let token: string | undefined;

  async function signIn(): Promise<string> {
    const answer = await fetch(`${base}/v1/oauth2/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${clientId}:secret`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    // The contract says that a 200 of the token endpoint has it.
    const { access_token: fresh } = (await answer.json()) as { access_token: string };
    return fresh;
  }

  async function ask({ id, total, card = '4417119669820331' }: Order): Promise<Response> {
    token ??= await signIn();
    const number = { number: card, type: 'visa', expire_month: '11', expire_year: '2099' };
    return fetch(`${base}/v1/payments/payment`, {
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        // The same for each attempt: this prevents a double charge.
        'PayPal-Request-Id': id,
      },
      body: JSON.stringify({
        intent: 'sale',
        payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card: number }] },
        transactions: [{ amount: { total, currency: 'USD' }, invoice_number: id }],
      }),
    });
  }

  return {
    async pay(order: Order): Promise<'paid' | 'declined' | 'unknown'> {
      for (let tries = 1; tries <= mostTries; tries++) {
        // Without an answer, the payment may have happened.
        const answer = await ask(order).catch(() => undefined);
        if (answer === undefined || answer.status >= 500) continue;
        if (answer.status === 401) {
          token = undefined;
          continue;
        }
        if (answer.status !== 201) return 'declined';
        // A 201 for intent sale has a sale.
        const { transactions } = (await answer.json()) as Payment;
        return transactions[0].related_resources[0].sale.state === 'completed' ? 'paid' : 'unknown';
      }
      return 'unknown';
    },
  };
}
