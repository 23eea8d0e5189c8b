/** A small shop. Replace it with your code: all it needs is a `fetch` or a base URL. */
export function openShop({ fetch, clientId, baseUrl = 'https://api.sandbox.paypal.com' }) {
  const pay = (order) =>
    fetch(`${baseUrl}/v1/payments/payment`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer sandbox.${clientId}`,
        'Content-Type': 'application/json',
        'PayPal-Request-Id': order, // the same for every attempt
      },
      body: JSON.stringify({
        intent: 'sale',
        payer: {
          payment_method: 'credit_card',
          funding_instruments: [
            {
              credit_card: {
                number: '5555555555554444',
                type: 'mastercard',
                expire_month: '11',
                expire_year: '2031',
              },
            },
          ],
        },
        transactions: [{ amount: { total: '30.11', currency: 'USD' }, custom: order }],
      }),
    });
  return {
    /** Pays an order, tries once more if the answer is lost, and returns the state of the sale. */
    async buy(order) {
      const answer = await pay(order).catch(() => pay(order));
      const { transactions } = await answer.json();
      return transactions[0].related_resources[0].sale.state;
    },
  };
}
