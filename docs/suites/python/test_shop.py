"""A shop's payment tests. Run them with `python3 -m unittest` or with `pytest`; nothing needs to be installed."""

import base64
import json
import os
import unittest
import urllib.error
import urllib.request
import uuid

BASE = os.environ.get("VAULT_URL", "http://localhost:3000")

PAYMENT = {
    "intent": "sale",
    "payer": {
        "payment_method": "credit_card",
        "funding_instruments": [{"credit_card": {
            "number": "4417119669820331", "type": "visa", "expire_month": "11", "expire_year": "2031",
        }}],
    },
    "transactions": [{"amount": {"total": "30.11", "currency": "USD"}, "invoice_number": "INV-7"}],
}


def call(method, path, authorization=None, body=None, **headers):
    """Sends JSON, or a form where the body is text. Gives the status, the headers and the answer."""
    kind = "application/x-www-form-urlencoded" if isinstance(body, str) else "application/json"
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    headers["Content-Type"] = kind
    if authorization:
        headers["Authorization"] = authorization
    request = urllib.request.Request(BASE + path, text and text.encode(), headers, method=method)
    try:
        response = urllib.request.urlopen(request, timeout=10)
    except urllib.error.HTTPError as refusal:
        response = refusal
    with response:
        return response.status, response.headers, json.load(response)


class Shop(unittest.TestCase):
    def setUp(self):
        # The client id is the merchant, and each merchant has a world of its own: no test sees another.
        self.merchant = f"python-{uuid.uuid4()}"
        basic = base64.b64encode(f"{self.merchant}:any-secret".encode()).decode()
        _, _, token = call("POST", "/v1/oauth2/token", f"Basic {basic}", "grant_type=client_credentials")
        self.bearer = f"Bearer {token['access_token']}"

    def pay(self, **headers):
        return call("POST", "/v1/payments/payment", self.bearer, PAYMENT, **headers)

    def sandbox(self, verb, body):
        """What only the tests call, never the shop."""
        _, _, answer = call("POST", f"/_sandbox/{verb}?merchant={self.merchant}", body=body)
        return answer

    def test_pays(self):
        status, _, payment = self.pay()
        self.assertEqual(status, 201)
        sale = payment["transactions"][0]["related_resources"][0]["sale"]
        self.assertEqual(sale["state"], "completed")

    def test_is_declined(self):
        self.sandbox("rules", {"op": "payment.create", "outcome": "decline-insufficient-funds"})
        status, _, refusal = self.pay()
        self.assertEqual((status, refusal["name"]), (400, "INSTRUMENT_DECLINED"))

    def test_charges_once_when_the_answer_is_lost(self):
        self.sandbox("rules", {"op": "payment.create", "outcome": "reset-after-commit"})
        key = {"PayPal-Request-Id": str(uuid.uuid4())}
        with self.assertRaises(OSError):
            self.pay(**key)
        status, headers, _ = self.pay(**key)
        self.assertEqual((status, headers["Sandbox-Replayed"]), (201, "true"))
        self.assertTrue(self.sandbox("verdict", {})["passed"])

    def test_is_alone(self):
        _, _, payment = self.pay()
        path = f"/v1/payments/payment/{payment['id']}"
        self.assertEqual(call("GET", path, self.bearer)[0], 200)
        self.assertEqual(call("GET", path, "Bearer sandbox.python-other")[0], 404)


if __name__ == "__main__":
    unittest.main()
