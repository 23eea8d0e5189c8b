#!/usr/bin/env bash
# A shop's payment tests. Run them with `bash shop.sh`; they need curl only.
set -euo pipefail

base=${VAULT_URL:-http://localhost:3000}
payment='{"intent":"sale","payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card":{"number":"4417119669820331","type":"visa","expire_month":"11","expire_year":"2031"}}]},"transactions":[{"amount":{"total":"30.11","currency":"USD"},"invoice_number":"INV-7"}]}'

# The client id is the merchant, and each merchant has a world of its own: no test sees another.
open_shop() {
  merchant="curl-$1-$$"
  local token
  token=$(curl -sS -u "$merchant:any-secret" -d grant_type=client_credentials "$base/v1/oauth2/token")
  bearer=$(sed -E 's/.*"access_token":"([^"]+)".*/\1/' <<<"$token")
}

# Prints headers and body.
pay() {
  curl -sS -i "$base/v1/payments/payment" -H "Authorization: Bearer $bearer" \
    -H 'Content-Type: application/json' -H "PayPal-Request-Id: $1" -d "$payment"
}

# What only the tests call, never the shop.
sandbox() {
  curl -sS --fail "$base/_sandbox/$1?merchant=$merchant" -H 'Content-Type: application/json' -d "$2"
}

holds() {
  grep -q "$2" <<<"$1" || { echo "not ok: there is no $2 in $1"; exit 1; }
}

open_shop pays
answer=$(pay order-1)
holds "$answer" '^HTTP/1.1 201'
holds "$answer" '"state":"completed"'
echo 'ok pays'

open_shop declined
sandbox rules '{"op":"payment.create","outcome":"decline-insufficient-funds"}' >/dev/null
answer=$(pay order-1)
holds "$answer" '^HTTP/1.1 400'
holds "$answer" '"name":"INSTRUMENT_DECLINED"'
echo 'ok is declined'

open_shop lost
sandbox rules '{"op":"payment.create","outcome":"reset-after-commit"}' >/dev/null
if pay order-1 2>/dev/null; then echo 'not ok: an answer came'; exit 1; fi
answer=$(pay order-1)
holds "$answer" '^HTTP/1.1 201'
holds "$answer" '^Sandbox-Replayed: true'
holds "$(sandbox verdict '{}')" '"passed":true'
echo 'ok charges once when the answer is lost'

open_shop alone
id=$(pay order-1 | sed -nE 's/.*"id":"(PAY-[^"]+)","create_time.*/\1/p')
status() {
  curl -sS -o /dev/null -w '%{http_code}' "$base/v1/payments/payment/$id" -H "Authorization: Bearer $1"
}
[ "$(status "$bearer")/$(status sandbox.curl-other)" = 200/404 ]
echo 'ok is alone'
