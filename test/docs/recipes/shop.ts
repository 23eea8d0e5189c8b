/** The shop under test. In your tests, your own code stands here: all it needs is a `fetch`, or a base URL. */
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

/** `patienceMs` is how long it waits for an answer. */
export function openShop(fetch: typeof globalThis.fetch, clientId: string, patienceMs = 2_000) {
  let token: string | undefined;

  async function signIn(): Promise<string> {
    const answer = await fetch(`${base}/v1/oauth2/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${clientId}:secret`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    // A 200 of the token endpoint has it, says the contract.
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
        // The same for each try: this is what keeps the buyer from paying twice.
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
        // No answer does not say that nothing happened.
        const answer = await ask(order).catch(() => undefined);
        if (answer === undefined || answer.status >= 500) continue;
        if (answer.status === 401) {
          token = undefined;
          continue;
        }
        if (answer.status !== 201) return 'declined';
        // And a 201 has a sale, where the intent was one.
        const { transactions } = (await answer.json()) as Payment;
        return transactions[0].related_resources[0].sale.state === 'completed' ? 'paid' : 'unknown';
      }
      return 'unknown';
    },
  };
}
