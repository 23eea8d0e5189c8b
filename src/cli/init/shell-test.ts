/** The text of the first test of a project without a known runner. It needs curl. */
export const shellTest = (): string => `#!/bin/sh
# A payment whose first answer is lost. The customer must pay once.
set -eu
url=\${VAULT_URL:-http://localhost:3000}
merchant=pays-once # The client id. Each one has its own cards, rules and ledger.

# Replace this function with a call of your own code.
pay() {
  curl -s "$url/v1/payments/payment" \\
    -H "Authorization: Bearer sandbox.$merchant" -H 'Content-Type: application/json' \\
    -H "PayPal-Request-Id: $1" \\
    -d '{"intent":"sale","payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card":{"number":"4111111111111111","type":"visa","expire_month":"11","expire_year":"2031"}}]},"transactions":[{"amount":{"total":"30.11","currency":"USD"},"custom":"'"$1"'"}]}'
}

curl -sf -X POST "$url/_sandbox/reset?merchant=$merchant" > /dev/null
# The card is charged, but the client never receives the answer.
curl -sf "$url/_sandbox/rules?merchant=$merchant" -H 'Content-Type: application/json' \\
  -d '{"op":"payment.create","outcome":"reset-after-commit"}' > /dev/null

# One id for each order. A retry with a new id charges twice.
answer=$(pay order-1 || pay order-1)
case "$answer" in
  *'"state":"completed"'*) echo "The order is paid." ;;
  *) echo "The order is not paid: $answer" && exit 1 ;;
esac

# Judges what happened to the money.
verdict=$(curl -sf -X POST "$url/_sandbox/verdict?merchant=$merchant")
case "$verdict" in
  *'"passed":true'*) echo "The customer paid once." ;;
  *) echo "$verdict" && exit 1 ;;
esac
`;
