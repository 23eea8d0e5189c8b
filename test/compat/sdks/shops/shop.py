"""A shop that retries once after a lost answer, or that pays from two processes at once.

Usage: shop.py <url> <merchant> same-id|new-id|double-click|two-sellers
"""

import http.client
import json
import multiprocessing
import sys
import urllib.error
import urllib.request
import uuid

url, merchant, habit = sys.argv[1:]
card = {"number": "4417119669820331", "type": "visa", "expire_month": "11", "expire_year": "2031"}


def pay(request_id, description="a hat"):
    transaction = {"amount": {"total": "30.11", "currency": "USD"}, "custom": "order-7"}
    payment = {
        "intent": "sale",
        "payer": {"payment_method": "credit_card", "funding_instruments": [{"credit_card": card}]},
        "transactions": [{**transaction, "description": description}],
    }
    headers = {
        "Authorization": f"Bearer sandbox.{merchant}",
        "Content-Type": "application/json",
        "PayPal-Request-Id": request_id,
    }
    data = json.dumps(payment).encode()
    request = urllib.request.Request(url + "/v1/payments/payment", data, headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def pay_at_once(descriptions):
    with multiprocessing.get_context("fork").Pool(len(descriptions)) as processes:
        return processes.starmap(pay, [(str(uuid.uuid4()), text) for text in descriptions], 1)[0]


first_id = str(uuid.uuid4())
if habit == "double-click":
    answer = pay_at_once(["a hat", "a hat"])
elif habit == "two-sellers":
    answer = pay_at_once(["seller A", "seller B"])
else:
    try:
        answer = pay(first_id)
    except (http.client.HTTPException, ConnectionError, urllib.error.URLError):
        answer = pay(first_id if habit == "same-id" else str(uuid.uuid4()))
print(answer["transactions"][0]["related_resources"][0]["sale"]["state"])
