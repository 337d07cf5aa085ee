#!/usr/bin/env python3
"""Walks the whole money path against a running sandbox service and shows every request and answer.

Standard library only. Exits with 1 and a sentence as soon as an answer is not what the path needs.
"""
import argparse
import base64
import datetime
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import queue
import re
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

events = queue.Queue()


class Receiver(http.server.BaseHTTPRequestHandler):
    """The webhook endpoint of the billing platform: keeps what arrives, answers 200."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        events.put((self.headers["Service-Signature"], body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def signature_is_valid(header, body, secret):
    fields = dict(part.split("=", 1) for part in header.split(","))
    expected = hmac.new(secret.encode(), fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, fields["v1"])


def fail(sentence):
    print(f"\nIt did not work: {sentence}")
    sys.exit(1)


def expect(condition, sentence):
    if not condition:
        fail(sentence)


class Api:
    def __init__(self, url):
        self.url = url
        self.token = None

    def call(self, method, path, body=None, key=None, hide=()):
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        data = None
        print(f"\n> {method} {path}" + (f"   (Idempotency-Key: {key})" if key else ""))
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
            shown = {name: "..." if name in hide else value for name, value in body.items()}
            print("  " + json.dumps(shown, indent=2).replace("\n", "\n  "))
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        value = json.loads(text)
        shown = {name: "..." if name in hide else item for name, item in value.items()}
        print(f"< {status}\n  " + json.dumps(shown, indent=2).replace("\n", "\n  "))
        expect(status == 200, f"{method} {path} answered {status}.")
        return value


def near_today(text):
    """The samples' dates, moved by whole weeks so that the payment was within the last seven days."""
    weeks = (datetime.datetime.now(datetime.timezone.utc).date() - datetime.date(2025, 3, 28)).days // 7
    shift = datetime.timedelta(weeks=weeks)
    for pattern, form in (
            (r"\b2025-\d\d-\d\d\b", "%Y-%m-%d"), (r"\b2025\d{4}\b", "%Y%m%d"), (r"\b2503\d\d\b", "%y%m%d")):
        moved = lambda found: (datetime.datetime.strptime(found[0], form) + shift).strftime(form)
        text = re.sub(pattern, moved, text)
    return text


def heading(text):
    print(f"\n\n=== {text}")


def log_in(api, client_id):
    heading("1. A token")
    api.token = api.call("POST", "/v1/oauth/token", {
        "client_id": client_id, "client_secret": os.environ["TIDEOVER_CLIENT_SECRET"],
        "grant_type": "client_credentials"}, hide=("client_secret", "access_token"))["access_token"]


def register_endpoint(api):
    """The registered webhook endpoint, whose receiver runs in this process."""
    heading("2. Where to tell us: a webhook endpoint for reconciliation.posted")
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    return api.call("POST", "/v1/webhooks/endpoints", {
        "url": f"http://127.0.0.1:{receiver.server_port}/tideover", "events": ["reconciliation.posted"]},
        hide=("secret",))


def find_payer(api):
    heading("3. Which payer? The lookup knows its id")
    found = api.call("GET", "/v1/metadata/payers?" + urllib.parse.urlencode({"q": "sample payer", "limit": 1}))["data"]
    expect(found, "the payer lookup found nothing.")


def advance_claims(api, samples):
    """Reviews and funds the sample claims. Settlement ids by claim identifier, of those that were advanced."""
    settlements = {}
    claims = json.loads(near_today((samples / "claims.json").read_text()))
    for letter, claim, rail in zip("abc", claims, ("RTP", "SAME_DAY", "FUTURE_DATE")):
        name = claim["claim_identifier"]
        heading(f"4{letter}. Claim {name}: review, terms, funding over {rail}")
        review = api.call("POST", "/v1/claims/reviews", claim, key=f"review-{name}")
        terms = api.call("POST", "/v1/claims/adjudications", {
            "authorization_id": review["authorization_id"], "funding": {"rail": rail},
            "payout_account_token": "tok_ok"}, key=f"adjudication-{name}")
        if terms["decision"] != "approved":
            expect(review["denial_predicted"], f"{name} was not approved although no denial is predicted.")
            print(f"\n  {name} is not advanced: {', '.join(r['code'] for r in review['denial_reasons'])}.")
            continue
        funded = api.call("POST", f"/v1/settlements/{terms['settlement_id']}/confirm", key=f"confirm-{name}")
        expect(funded["status"] == "funded", f"{name} was not funded.")
        settlements[name] = terms["settlement_id"]
    return settlements


def receive_payment(api, samples, settlements):
    heading("5. Weeks later: the payer's money arrives at the bank, then its remittance (X12 835)")
    deposit = json.loads(near_today((samples / "deposit.json").read_text()))
    api.call("POST", "/v1/deposits", deposit, key="deposit-1")
    remittance = near_today((samples / "remittance.835").read_text()).encode()
    print("\n  " + remittance.decode().strip().replace("\n", "\n  "))
    posted = api.call("POST", "/v1/remittances", {
        "format": "x12_835", "payload": base64.b64encode(remittance).decode()}, key="remittance-1")
    expect(posted["claims"]["matched"] == len(settlements), "not every advanced claim was matched.")


def reconciliations(api, settlements):
    """The ids of the reconciliations of the settlements."""
    heading("6. How each advance ended")
    return {api.call("GET", f"/v1/settlements/{settlement}/reconciliation")["id"]
            for settlement in settlements.values()}


def check_ledger(api):
    heading("7. The ledger: every cent has its place")
    balances = api.call("GET", "/v1/ledger/balances?limit=100")["data"]
    total = 0
    for row in balances:
        cents = round(row["posted"] * 100)
        total += cents
        print(f"  {row['account']:<60} {cents / 100:>12.2f}")
    print(f"  {'sum':<60} {total / 100:>12.2f}")
    expect(total == 0, "the ledger does not balance.")


def await_webhooks(api, endpoint, expected):
    heading("8. The webhooks that arrived")
    received = set()
    while received != expected:
        try:
            signature, body = events.get(timeout=20)
        except queue.Empty:
            fail("a reconciliation.posted webhook did not arrive within 20 seconds.")
        expect(signature_is_valid(signature, body, endpoint["secret"]), "a webhook's signature is not valid.")
        event = json.loads(body)
        print(f"\n< Service-Signature: {signature}   (valid)\n  " + json.dumps(event, indent=2).replace("\n", "\n  "))
        received.add(event["data"]["id"])
    # The receiver ends with this process.
    api.call("DELETE", "/v1/webhooks/endpoints/" + endpoint["id"])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--url", required=True)
    options.add_argument("--client-id", required=True)
    options.add_argument("--samples", required=True, type=pathlib.Path)
    arguments = options.parse_args()
    api = Api(arguments.url)

    log_in(api, arguments.client_id)
    endpoint = register_endpoint(api)
    find_payer(api)
    settlements = advance_claims(api, arguments.samples)
    receive_payment(api, arguments.samples, settlements)
    expected = reconciliations(api, settlements)
    check_ledger(api)
    await_webhooks(api, endpoint, expected)
    print(f"\nIt worked: {len(settlements)} advances were funded, paid back by the payer, settled to the cent "
          "and announced.")


if __name__ == "__main__":
    main()
