"""Store a card, pay with it, refund the sale, delete the card. Standard library only, so it runs anywhere."""

import base64
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

base, client_id = sys.argv[1:]


def call(method, path, headers, data=None):
    request = urllib.request.Request(base + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            body = response.read()
            return response.status, json.loads(body) if body else None
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


basic = base64.b64encode(f"{client_id}:secret".encode()).decode()
form = urllib.parse.urlencode({"grant_type": "client_credentials"}).encode()
token_status, token = call("POST", "/v1/oauth2/token", {"Authorization": f"Basic {basic}"}, form)

headers = {
    "Authorization": f"{token['token_type']} {token['access_token']}",
    "Content-Type": "application/json",
}


def api(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return call(method, path, headers, data)


card_status, card = api("POST", "/v1/vault/credit-cards/", {
    "number": "4417119669820331",
    "type": "visa",
    "expire_month": 11,
    "expire_year": 2031,
    "external_customer_id": "cust-42",
})
payment_status, payment = api("POST", "/v1/payments/payment", {
    "intent": "sale",
    "payer": {
        "payment_method": "credit_card",
        "funding_instruments": [
            {"credit_card_token": {"credit_card_id": card["id"], "external_customer_id": "cust-42"}}
        ],
    },
    "transactions": [{"amount": {"total": "30.11", "currency": "USD"}}],
})
sale = payment["transactions"][0]["related_resources"][0]["sale"]
refund_path = f"/v1/payments/sale/{sale['id']}/refund"
refund_status, refund = api("POST", refund_path, {"amount": {"total": "10.11", "currency": "USD"}})
refused_status, refused = api("POST", refund_path, {"amount": {"total": "20.01", "currency": "USD"}})
delete_status, deleted = api("DELETE", f"/v1/vault/credit-cards/{card['id']}")

json.dump({
    "statuses": [
        token_status, card_status, payment_status, refund_status, refused_status, delete_status
    ],
    "number": card["number"],
    "sale": sale["state"],
    "refund": refund["amount"]["total"],
    "refused": refused["name"],
    "deleted": deleted,
}, sys.stdout)
