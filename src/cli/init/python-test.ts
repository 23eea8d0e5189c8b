/** The text of the first test of a Python project. It needs pytest and nothing else. */
export const pythonTest =
  (): string => `"""A payment whose first answer is lost. The customer must pay once."""

import http.client
import json
import os
import urllib.error
import urllib.request

URL = os.environ.get("VAULT_URL", "http://localhost:3000")
MERCHANT = "pays-once"  # The client id. Each one has its own cards, rules and ledger.


def call(method, path, body=None, headers=None):
    request = urllib.request.Request(
        URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **(headers or {})},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


# Replace this function with your own code.
def pay(order):
    payment = {
        "intent": "sale",
        "payer": {
            "payment_method": "credit_card",
            "funding_instruments": [
                {
                    "credit_card": {
                        "number": "4111111111111111",
                        "type": "visa",
                        "expire_month": "11",
                        "expire_year": "2031",
                    }
                }
            ],
        },
        "transactions": [{"amount": {"total": "30.11", "currency": "USD"}, "custom": order}],
    }
    headers = {
        "Authorization": f"Bearer sandbox.{MERCHANT}",
        "PayPal-Request-Id": order,  # One id for each order. A retry with a new id charges twice.
    }
    for _ in range(2):
        try:
            return call("POST", "/v1/payments/payment", payment, headers)
        except (http.client.HTTPException, ConnectionError, urllib.error.URLError):
            continue
    raise RuntimeError("no answer")


def test_pays_once_though_the_answer_is_lost():
    call("POST", f"/_sandbox/reset?merchant={MERCHANT}")
    # The card is charged, but the client never receives the answer.
    rule = {"op": "payment.create", "outcome": "reset-after-commit"}
    call("POST", f"/_sandbox/rules?merchant={MERCHANT}", rule)
    assert pay("order-1")["transactions"][0]["related_resources"][0]["sale"]["state"] == "completed"
    # Judges what happened to the money, and fails if a customer paid twice.
    verdict = call("POST", f"/_sandbox/verdict?merchant={MERCHANT}", {})
    assert verdict["passed"], verdict["reasons"]
`;
