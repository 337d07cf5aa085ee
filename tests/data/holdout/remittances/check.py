#!/usr/bin/env python3
"""Checks the hold-out of remittance situations; README.md describes the format, the policy and the identity.

  check.py [FOLDER]            prints one message for each fault; exits with 1 if there is one
  check.py --freeze [FOLDER]   writes frozen.sha256 if it is absent and there is no other fault

The end state of each file is computed again from its allocation rows. All amounts are integer cents.
"""
import collections
import datetime
import hashlib
import json
import pathlib
import re
import sys

FILES, MIN_HARD, MIN_TASKS, MIN_SEVERAL = 60, 20, 15, 25
RECORD = "frozen.sha256"
KEYS = {
    "file": {"situation", "hard", "source", "practices", "payers", "advances", "other_claims", "events", "expected"},
    "expected": {"advances", "payable", "carried", "unmatched_money", "held_deposits", "matches", "allocation", "tasks",
                 "must_not"},
    "source": {"kind", "url"},
    "practice": {"id", "npi"},
    "payer": {"id", "name", "originators"},
    "advance": {"claim", "practice", "payer", "chart", "charge", "service_date", "expected", "advance", "fee",
                "funded_on"},
    "other claim": {"claim", "practice", "payer", "charge", "service_date"},
    "remittance": {"id", "type", "date", "payment_date", "payer", "originator", "trace", "method", "amount", "payee",
                   "claims", "provider_adjustments"},
    "claim": {"number", "payer_number", "status", "charge", "paid", "service_date", "npi", "adjustments"},
    "line": {"cpt", "charge", "paid", "adjustments"},
    "adjustment": {"group", "reason", "amount"},
    "provider adjustment": {"code", "reference", "amount", "npi"},
    "deposit": {"id", "type", "date", "amount", "payer", "originator", "trace", "addenda"},
    "deposit_returned": {"id", "type", "date", "of", "reason"},
    "payout": {"id", "type", "date", "practice", "payer", "amount"},
    "payout_returned": {"id", "type", "date", "of", "reason"},
    "advance_returned": {"id", "type", "date", "claim", "reason"},
    "decision": {"id", "type", "date", "about", "decide", "choice", "reason"},
    "clock": {"id", "type", "date"},
    "expected advance": {"claim", "status", "repaid", "fee", "loss"},
    "payable": {"practice", "payer", "owed", "paid_out"},
    "carried": {"payer", "practice", "amount"},
    "match": {"remittances", "deposits"},
    "allocation": {"event", "to", "amount"},
    "task": {"about", "decide"},
    "must_not": {"event", "with", "why"},
}
OPTIONAL = {"remittance": {"balances"}, "claim": {"lines"}, "decision": {"match", "claim"},
            "allocation": {"line", "plb", "claim", "practice", "payer"}, "must_not": {"line", "plb"}}
MONEY = {"charge", "expected", "advance", "fee", "amount", "paid", "repaid", "loss", "owed", "paid_out"}
DATES = {"date", "payment_date", "service_date", "funded_on"}
OPEN = {"pending", "partial"}
FINAL = {"settled", "settled_short", "settled_over", "denied", "reversed", "canceled"}
CLP_STATUS = {"1", "2", "3", "4", "19", "20", "21", "22", "23", "25"}
DECIDE = {"which advance", "which payer", "which remittance", "remittance missing", "money missing", "same trace",
          "same payment", "more than charge", "takeback beyond payments", "paid-out money taken back"}
CHOICES = {"accept", "accept_short", "accept_over"}


def half_even(numerator, denominator):
    quotient, rest = divmod(numerator, denominator)
    return quotient + (2 * rest > denominator or (2 * rest == denominator and quotient % 2))


def npi_is_valid(npi):
    if not re.fullmatch(r"[12][0-9]{9}", npi or ""):
        return False
    doubled = [int(c) * (2 if i % 2 else 1) for i, c in enumerate(reversed("80840" + npi))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def is_date(value):
    try:
        return value == datetime.date.fromisoformat(value).isoformat()
    except (TypeError, ValueError):
        return False


def shape_faults(kind, value):
    if not isinstance(value, dict):
        yield f"{kind} is no object"
        return
    for key in sorted(KEYS[kind] - value.keys()):
        yield f"{kind} lacks '{key}'"
    for key in sorted(value.keys() - KEYS[kind] - OPTIONAL.get(kind, set())):
        yield f"{kind} has the unknown key '{key}'"
    for key in (MONEY & value.keys() if kind != "file" else ()):
        if type(value[key]) is not int:
            yield f"{kind}: '{key}' is no integer: {value[key]!r}"
    for key in DATES & value.keys():
        if not is_date(value[key]):
            yield f"{kind}: '{key}' is no date: {value[key]!r}"


def parts(situation):
    """Every object of a situation with its kind."""
    yield "file", situation
    yield "source", situation["source"]
    for kind, key in (("practice", "practices"), ("payer", "payers"), ("advance", "advances"),
                      ("other claim", "other_claims")):
        yield from ((kind, item) for item in situation[key])
    for event in situation["events"]:
        yield (event.get("type") if event.get("type") in KEYS else "clock"), event
        for claim in event.get("claims", []):
            yield "claim", claim
            yield from (("adjustment", a) for a in claim["adjustments"])
            for line in claim.get("lines", []):
                yield "line", line
                yield from (("adjustment", a) for a in line["adjustments"])
        yield from (("provider adjustment", p) for p in event.get("provider_adjustments", []))
    expected = situation["expected"]
    yield "expected", expected
    for kind, key in (("expected advance", "advances"), ("payable", "payable"), ("carried", "carried"),
                      ("match", "matches"), ("allocation", "allocation"), ("task", "tasks"), ("must_not", "must_not")):
        yield from ((kind, item) for item in expected[key])


def repeated(values):
    return sorted(value for value, count in collections.Counter(values).items() if count > 1)


def id_faults(situation):
    ids = [e["id"] for e in situation["events"]]
    claims = [a["claim"] for a in situation["advances"]] + [c["claim"] for c in situation["other_claims"]]
    for name, values in (("event id", ids), ("claim", claims), ("practice", [p["id"] for p in situation["practices"]]),
                         ("payer", [p["id"] for p in situation["payers"]])):
        yield from (f"{name} {value} is not unique" for value in repeated(values))
    practices = {p["id"] for p in situation["practices"]}
    for claim in situation["advances"] + situation["other_claims"]:
        if claim["practice"] not in practices:
            yield f"claim {claim['claim']}: unknown practice {claim['practice']}"
    for event in situation["events"]:
        if "of" in event and event["of"] not in ids[:ids.index(event["id"])]:
            yield f"{event['id']}: '{event['of']}' is no earlier event"
        if event["type"] == "advance_returned" and event["claim"] not in claims:
            yield f"{event['id']}: unknown claim {event['claim']}"
        if event["type"] == "decision" and (event["decide"] not in DECIDE or event["choice"] not in CHOICES):
            yield f"{event['id']}: unknown decision"
    numbers = [p["npi"] for p in situation["practices"]] + [e["payee"] for e in situation["events"] if "payee" in e]
    numbers += [c["npi"] for e in situation["events"] for c in e.get("claims", []) if c["npi"] is not None]
    numbers += [p["npi"] for e in situation["events"] for p in e.get("provider_adjustments", [])]
    yield from (f"NPI {npi} is not valid" for npi in sorted({n for n in numbers if not npi_is_valid(n)}))


def terms_faults(situation):
    for a in situation["advances"]:
        terms = (half_even(a["charge"] * 80, 100), half_even(a["expected"] * 80, 100), half_even(a["advance"] * 2, 100))
        if terms != (a["expected"], a["advance"], a["fee"]):
            yield f"advance {a['claim']}: expected, advance and fee are not {terms}"


def claim_faults(event):
    for claim in event["claims"]:
        where = f"{event['id']}, claim {claim['number']}"
        if claim["status"] not in CLP_STATUS:
            yield f"{where}: unknown status {claim['status']}"
        if (claim["status"] == "22") != (claim["paid"] < 0):
            yield f"{where}: status 22 and a negative payment go together"
        lines = claim.get("lines", [])
        adjusted = sum(a["amount"] for part in [claim, *lines] for a in part["adjustments"])
        if claim["charge"] - adjusted != claim["paid"]:
            yield f"{where}: charge less adjustments is {claim['charge'] - adjusted}, paid is {claim['paid']}"
        for line in lines:
            if line["charge"] - sum(a["amount"] for a in line["adjustments"]) != line["paid"]:
                yield f"{where}: line {line['cpt']} does not balance"
        for key in ("charge", "paid"):
            if lines and sum(line[key] for line in lines) != claim[key]:
                yield f"{where}: '{key}' of the lines is not that of the claim"


def remittance_faults(situation):
    for event in (e for e in situation["events"] if e["type"] == "remittance"):
        yield from claim_faults(event)
        adjusted = sum(p["amount"] for p in event["provider_adjustments"])
        total = sum(c["paid"] for c in event["claims"]) - adjusted
        if (total == event["amount"]) != event.get("balances", True):
            yield f"{event['id']}: claims less provider adjustments are {total}, the amount is {event['amount']}"


def fits(row, target):
    """Whether an allocation row or match goes where must_not forbids it."""
    return target["with"] in ((row.get("claim"),) if row["to"] == "advance" else (row.get("practice"),))


class Book:
    """The events of a situation by id, and what of the money arrived."""

    def __init__(self, situation):
        self.events = {e["id"]: e for e in situation["events"]}
        self.expected = situation["expected"]
        self.advances = {a["claim"]: a for a in situation["advances"]}
        kind = collections.defaultdict(list)
        for event in situation["events"]:
            kind[event["type"]].append(event)
        self.returned = {e["of"] for e in kind["deposit_returned"]}
        self.canceled = {e["claim"] for e in kind["advance_returned"]}
        self.deposits = {e["id"]: e["amount"] for e in kind["deposit"] if e["id"] not in self.returned}
        self.short = {r for e in kind["decision"] if e["choice"] == "accept_short" for r in e["match"]["remittances"]}
        self.payouts = collections.Counter()
        for event in kind["payout"]:
            self.payouts[event["practice"], event["payer"]] += event["amount"]
        for event in kind["payout_returned"]:
            payout = self.events[event["of"]]
            self.payouts[payout["practice"], payout["payer"]] -= payout["amount"]
        self.rows = self.expected["allocation"]

    def sum_of(self, event_ids):
        return sum(r["amount"] for r in self.rows if r["event"] in event_ids)


def row_faults(book, event):
    """Each line and each provider adjustment of a posted remittance is in one row, with its amount."""
    rows = [r for r in book.rows if r["event"] == event["id"]]
    whole = [r for r in rows if "line" not in r and "plb" not in r]
    if len(rows) == 1 and whole and rows[0]["to"] == "unmatched":
        return  # the remittance is held as a whole
    if [r["to"] for r in whole] not in ([], ["carried"]) or (whole and whole[0]["amount"] != -event["amount"]):
        yield f"{event['id']}: a row names no line and no provider adjustment"
    amounts = {("line", i): c["paid"] for i, c in enumerate(event["claims"]) if c["paid"]}
    amounts |= {("plb", i): -p["amount"] for i, p in enumerate(event["provider_adjustments"])}
    named = [("line", r["line"]) if "line" in r else ("plb", r["plb"]) for r in rows if r not in whole]
    if sorted(named) != sorted(amounts):
        yield f"{event['id']}: its rows are of {sorted(named)}, its amounts of {sorted(amounts)}"
    elif event["id"] not in book.short:
        for key, row in zip(named, (r for r in rows if r not in whole)):
            if row["amount"] != amounts[key]:
                yield f"{event['id']}: the row of {key} is {row['amount']}, the remittance has {amounts[key]}"


def match_faults(book):
    matched = [i for m in book.expected["matches"] for i in m["remittances"] + m["deposits"]]
    yield from (f"{event} is matched twice" for event in repeated(matched))
    for match in book.expected["matches"]:
        remittances, deposits = match["remittances"], match["deposits"]
        bad = [i for i in remittances if book.events.get(i, {}).get("type") != "remittance"]
        bad += [i for i in deposits if i not in book.deposits]
        if bad:
            yield f"match of {bad}: no remittance, or no deposit whose money is there"
            continue
        announced = sum(book.events[r]["amount"] for r in remittances)
        money = sum(book.deposits[d] for d in deposits)
        if deposits and announced != money and not book.short & set(remittances):
            yield f"match of {remittances}: announces {announced}, its deposits are {money}"
        if not deposits and announced > 0:
            yield f"match of {remittances}: announces money and has no deposit"
        posted = book.sum_of(remittances)
        if posted != money:
            yield f"match of {remittances}: its rows are {posted}, its money is {money}"
        for remittance in remittances:
            yield from row_faults(book, book.events[remittance])
    for row in book.rows:
        if row["event"] not in matched and (row["to"] != "unmatched" or row["event"] not in book.deposits):
            yield f"row of {row['event']}: a row needs a matched remittance or an unmatched deposit"
    alone = [r["event"] for r in book.rows if r["event"] in book.deposits]
    for deposit, amount in book.deposits.items():
        if deposit in alone and (deposit in matched or book.sum_of([deposit]) != amount):
            yield f"{deposit}: its unmatched rows are not its amount, or it is matched as well"
    held = sum(a for d, a in book.deposits.items() if d not in matched and d not in alone)
    if held != book.expected["held_deposits"]:
        yield f"held deposits are {held}, not {book.expected['held_deposits']}"


def split(advance, paid):
    """The waterfall: advance, then fee, then residual."""
    repaid = min(paid, advance["advance"])
    fee = min(paid - repaid, advance["fee"])
    return repaid, fee, paid - repaid - fee


def status_fault(status, advance, rows):
    """Why the status cannot be that of an advance with these rows; None if it can."""
    paid = sum(r["amount"] for r in rows)
    due = advance["advance"] + advance["fee"]
    wrong = {
        "pending": bool(rows),
        "partial": paid <= 0,
        "settled": paid < due or paid > advance["expected"],
        "settled_over": paid <= advance["expected"],
        "settled_short": paid >= due,
        "denied": bool(rows),
        "reversed": not any(r["amount"] < 0 for r in rows),
    }
    return f"{status} does not fit payments of {paid}" if wrong[status] else None


def advance_faults(book, payable):
    listed = [a["claim"] for a in book.expected["advances"]]
    if sorted(listed) != sorted(book.advances):
        yield "the expected advances are not the advances"
        return
    for stated in book.expected["advances"]:
        claim, status, advance = stated["claim"], stated["status"], book.advances[stated["claim"]]
        rows = [r for r in book.rows if r["to"] == "advance" and r["claim"] == claim]
        if status not in OPEN | FINAL or (status == "canceled") != (claim in book.canceled):
            yield f"advance {claim}: status {status} is unknown, or the advance was returned"
            continue
        paid = sum(r["amount"] for r in rows)
        if paid < 0 or (status == "canceled" and rows):
            yield f"advance {claim}: its rows add up to {paid}"
            continue
        repaid, fee, residual = split(advance, paid)
        payable[advance["practice"], advance["payer"]] += residual
        loss = 0 if status in OPEN | {"canceled"} else advance["advance"] + advance["fee"] - repaid - fee
        if (repaid, fee, loss) != (stated["repaid"], stated["fee"], stated["loss"]):
            yield f"advance {claim}: repaid, fee and loss are {(repaid, fee, loss)}"
        fault = None if status == "canceled" else status_fault(status, advance, rows)
        if fault:
            yield f"advance {claim}: {fault}"


def end_faults(book):
    """Compares the end state of the allocation rows with the expected one, and checks the identity of the money."""
    payable, carried, unmatched = collections.Counter(), collections.Counter(), 0
    for row in book.rows:
        if row["to"] == "payable":
            payable[row["practice"], row["payer"]] += row["amount"]
        elif row["to"] == "carried":
            carried[row["payer"], row["practice"]] += row["amount"]
        elif row["to"] == "unmatched":
            unmatched += row["amount"]
        elif row["to"] != "advance" or row["claim"] not in book.advances:
            yield f"row of {row['event']}: unknown target"
            return
    yield from advance_faults(book, payable)
    expected = book.expected
    owed = {(p["practice"], p["payer"]): p["owed"] for p in expected["payable"]}
    if {k: v for k, v in payable.items() if v} != {k: v for k, v in owed.items() if v}:
        yield f"payable is {dict(payable)}"
    paid_out = {(p["practice"], p["payer"]): p["paid_out"] for p in expected["payable"]}
    if {k: v for k, v in book.payouts.items() if v} != {k: v for k, v in paid_out.items() if v}:
        yield f"paid out is {dict(book.payouts)}"
    balance = {(c["payer"], c["practice"]): c["amount"] for c in expected["carried"]}
    if {k: v for k, v in carried.items() if v} != balance:
        yield f"carried is {dict(carried)}"
    if unmatched != expected["unmatched_money"]:
        yield f"unmatched money is {unmatched}"
    money = sum(book.deposits.values())
    places = sum(a["repaid"] + a["fee"] for a in expected["advances"]) + sum(owed.values()) + sum(balance.values())
    places += expected["unmatched_money"] + expected["held_deposits"]
    if money != places:
        yield f"money in is {money}; repaid, fees, payable, carried, unmatched and held are {places}"


def answer_faults(situation, book):
    """Tasks and forbidden matches."""
    known = book.events.keys() | book.advances.keys() | {p["id"] for p in situation["practices"]}
    for task in book.expected["tasks"]:
        if not task["about"] or not set(task["about"]) <= known or not task["decide"] or set(task["decide"]) - DECIDE:
            yield f"task about {task['about']}: unknown subject or decision"
    if situation["hard"] and not book.expected["must_not"]:
        yield "a hard situation needs a tempting wrong match in 'must_not'"
    for wrong in book.expected["must_not"]:
        if wrong["event"] not in book.events or wrong["with"] not in known:
            yield f"must_not {wrong['event']} with {wrong['with']}: unknown"
        together = any({wrong["event"], wrong["with"]} <= set(m["remittances"] + m["deposits"])
                       for m in book.expected["matches"])
        rows = [r for r in book.rows if r["event"] == wrong["event"] and fits(r, wrong)]
        rows = [r for r in rows if all(r.get(key) == wrong[key] for key in ("line", "plb") if key in wrong)]
        if together or rows:
            yield f"must_not {wrong['event']} with {wrong['with']}: the expected result does it"


def situation_faults(situation):
    """Faults of one file; later checks need what earlier ones have checked."""
    try:
        found = [fault for kind, part in parts(situation) for fault in shape_faults(kind, part)]
        for event in situation["events"]:
            if event.get("type") not in KEYS:
                found.append(f"unknown event type {event.get('type')!r}")
        found = found or [*id_faults(situation), *terms_faults(situation), *remittance_faults(situation)]
        if not found:
            book = Book(situation)
            found = [*match_faults(book), *end_faults(book), *answer_faults(situation, book)]
    except (AttributeError, KeyError, TypeError) as fault:
        found = [f"has another shape: {fault!r}"]
    return found


def unique_keys(pairs):
    for key in repeated(key for key, _ in pairs):
        raise ValueError(f"the key '{key}' is repeated")
    return dict(pairs)


def read(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unique_keys), []
    except ValueError as fault:
        return None, [str(fault)]


def set_faults(names, situations):
    numbers = sorted(name[:2] for name in names)
    if numbers != [f"{n:02d}" for n in range(1, FILES + 1)]:
        yield f"{len(names)} files; there must be one for each number from 01 to {FILES}"
    yield from (f"{name}: the name must be NN_short_name.json" for name in names
                if not re.fullmatch(r"[0-9]{2}_[a-z0-9_]+\.json", name))
    claims = [a["claim"] for s in situations for a in s["advances"]]
    yield from (f"advance {claim} is in two files" for claim in repeated(claims))
    several = sum(sum(e["type"] == "remittance" for e in s["events"]) > 1 for s in situations)
    for name, count, least in (("hard", sum(s["hard"] for s in situations), MIN_HARD),
                               ("with a task", sum(bool(s["expected"]["tasks"]) for s in situations), MIN_TASKS),
                               ("with several remittances", several, MIN_SEVERAL)):
        if count < least:
            yield f"{count} situations are {name}; at least {least}"


def digests(folder, names):
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in [*names, "README.md"]}


def frozen_faults(folder, names):
    record = folder / RECORD
    if not record.is_file():
        yield f"{RECORD} is absent"
        return
    recorded = {name: digest for digest, name in (line.split("  ", 1) for line in record.read_text().splitlines())}
    now = digests(folder, names)
    yield from (f"{name}: frozen and gone" for name in sorted(recorded.keys() - now.keys()))
    yield from (f"{name}: not in {RECORD}" for name in sorted(now.keys() - recorded.keys()))
    yield from (f"{name}: frozen and changed; restore it" for name in sorted(now.keys() & recorded.keys())
                if now[name] != recorded[name])


def main(arguments):
    freeze = "--freeze" in arguments
    folder = pathlib.Path(next((a for a in arguments if not a.startswith("-")), pathlib.Path(__file__).parent))
    names, faults, situations = sorted(p.name for p in folder.glob("*.json")), [], []
    for name in names:
        situation, found = read(folder / name)
        found = found or situation_faults(situation)
        faults += [f"{name}: {fault}" for fault in found]
        if not found:
            situations.append(situation)
    if not faults:
        faults += set_faults(names, situations)
    if freeze and not faults and not (folder / RECORD).exists():
        lines = (f"{digest}  {name}\n" for name, digest in digests(folder, names).items())
        (folder / RECORD).write_text("".join(lines))
    faults += frozen_faults(folder, names)
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{len(names)} situations, 0 faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
