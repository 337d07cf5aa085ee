#include "tests/fault/driver/invariants.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/ports/records/settlement_records.hpp"

namespace tideover::fault {
namespace {

struct Attempt {
  std::int64_t number = 0;
  std::string state;
  std::string key;
  std::int64_t cents = 0;
  std::string id;
  std::string pending_entry;
  std::string rail;
};

struct Settlement {
  std::string status;
  std::int64_t advance_cents = 0;
  std::optional<std::int64_t> funded_cents;
  std::string confirm_key;
};

bool is_paid(const std::string& state) {
  return state == "accepted" || state == "settled";
}

/// Whether the bank knows the attempt by this key. Also by one that only begins so: what is not derived from the
/// attempt alone must be found by what it does, not by how it looks.
bool is_key_of(const std::string& attempt_key, const std::string& key) {
  return key.starts_with(attempt_key);
}

/// What an errand is called in the books.
struct Names {
  const char* purpose;
  const char* cause;
  const char* paid;
  const char* rejected;
  const char* unknown;
};

Names names_of(Errand errand) {
  if (errand == Errand::confirm)
    return {"advance", "disbursement", "settlement.funded", "funding.rejected", "funding_unknown"};
  return {"residual", "payout", "payout.paid", "payout.rejected", "payout_unknown"};
}

std::vector<Attempt> attempts_of(sql::Session& session, const std::string& settlement, const char* purpose) {
  std::vector<Attempt> attempts;
  for (const sql::Row& row :
       session.query("SELECT number, state, rail_key, cents, id, pending_entry_id, rail FROM disbursement_attempts "
                     "WHERE settlement_id = ? AND purpose = ? ORDER BY number",
                     settlement, purpose))
    attempts.push_back(
        {row.integer(0), row.text(1), row.text(2), row.integer(3), row.text(4), row.text(5), row.text(6)});
  return attempts;
}

template <class... Arguments>
std::int64_t number(sql::Session& session, sql::Sql query, const Arguments&... arguments) {
  return session.first([](const sql::Row& row) { return row.integer(0); }, query, arguments...).value_or(0);
}

std::vector<RailPayment> payments_of(Banks& banks, const std::vector<Attempt>& attempts) {
  std::vector<RailPayment> paid;
  for (const auto& payment : banks.payments())
    if (std::any_of(attempts.begin(), attempts.end(),
                    [&](const Attempt& attempt) { return is_key_of(attempt.key, payment.key); }))
      paid.push_back(payment);
  return paid;
}

std::int64_t open_tasks(sql::Session& session, const std::string& id, const char* kind) {
  return number(session, "SELECT COUNT(*) FROM tasks WHERE status = 'open' AND object_id = ? AND kind = ?", id, kind);
}

/// Each attempt has its number, its amount and its ledger entries, and none is left open. Numbers have no gap, unless
/// the journal brought one back: a database that lost attempts gets only the one that may have been
/// paid.
template <class Claim>
void check_attempts(sql::Session& session, const std::string& id, const std::vector<Attempt>& attempts,
                    std::int64_t owed, const Claim& claim) {
  const bool is_adopted =
      number(session, "SELECT COUNT(*) FROM audit_rows WHERE object_id = ? AND operation = 'take up'", id) > 0;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const std::int64_t before = i == 0 ? 0 : attempts[i - 1].number;
    claim(attempts[i].number > before, "I7 an attempt number is used twice");
    claim(attempts[i].number == before + 1 || is_adopted, "I7 attempt numbers have a gap");
    claim(i + 1 == attempts.size() || attempts[i].state == "rejected",
          "I7 a new attempt behind one that is not rejected");
    claim(attempts[i].cents == owed, "I7 an attempt of another amount");
    const bool open = attempts[i].state == "manual";
    const auto resolved = [&](const char* phase) {
      return number(session, "SELECT COUNT(*) FROM ledger_transactions WHERE resolves = ? AND phase = ?",
                    attempts[i].pending_entry, phase);
    };
    claim(number(session, "SELECT COUNT(*) FROM ledger_transactions WHERE id = ? AND phase = 'pending'",
                 attempts[i].pending_entry) == 1,
          "I5 an attempt without its pending entry");
    claim(resolved("posted") == (is_paid(attempts[i].state) ? 1 : 0), "I5 posted entries do not fit the attempt");
    claim(resolved("voided") == (attempts[i].state == "rejected" ? 1 : 0), "I5 voided entries do not fit the attempt");
    claim(open || attempts[i].state == "rejected" || is_paid(attempts[i].state),
          "I2 LEFT OPEN: no worker has it and none will take it");
  }
}

/// Events, tasks and audit rows fit the attempts.
template <class Claim>
void check_trail(sql::Session& session, const std::string& id, const Settlement& settlement,
                 const std::vector<Attempt>& attempts, const std::vector<std::string>& events, Errand errand,
                 const Fate& fate, const Claim& claim) {
  const Names names = names_of(errand);
  const bool of_advance = errand == Errand::confirm, waits = fate.state == "manual";
  const auto won = std::count_if(attempts.begin(), attempts.end(), [](const auto& a) { return is_paid(a.state); });
  const auto rejected =
      std::count_if(attempts.begin(), attempts.end(), [](const auto& a) { return a.state == "rejected"; });
  const auto events_named = [&](const char* kind) { return std::count(events.begin(), events.end(), kind); };
  claim(events_named(names.paid) == (fate.funded ? 1 : 0), "I8 EVENT: not exactly one that tells of the payment");
  claim(events_named(names.rejected) == rejected, "I8 EVENT: not exactly one for each rejection");
  claim(!waits || open_tasks(session, id, names.unknown) == 1, "I8 handed over to an operator without an open task");
  // What the journal brought back after the database had lost it was claimed by a request that is lost too.
  const std::int64_t adopted =
      of_advance ? settlement.confirm_key == ports::kAnyKey
                 : number(session, "SELECT COUNT(*) FROM audit_rows WHERE object_id = ? AND operation = 'take up'", id);
  const std::int64_t claimed_before = of_advance ? 0 : 1, recorded_before = of_advance ? 0 : 1;  // by the confirm
  claim(number(session, "SELECT COUNT(*) FROM audit_rows WHERE object_id = ? AND outcome = 'claimed'", id) + adopted >=
            static_cast<std::int64_t>(attempts.size()) + claimed_before,
        "I12 an attempt without its audit row");
  claim(number(session,
               "SELECT COUNT(*) FROM audit_rows WHERE object_id = ? AND operation <> 'POST /v1/claims/adjudications' "
               "AND outcome IN ('ok', 'rail_rejected', 'accepted', 'settled', 'rejected')",
               id) >= won + rejected + recorded_before,
        "I12 an outcome without its audit row");
}

}  // namespace

Fate fate_of(sql::Session& session, Banks& banks, const std::string& id, const std::vector<std::string>& events,
             Errand errand) {
  const Names names = names_of(errand);
  const bool of_advance = errand == Errand::confirm;
  Fate fate;
  const auto claim = [&](bool holds, const char* what) {
    if (!holds) fate.violations.emplace_back(what);
  };
  const auto settlement = session.first(
      [](const sql::Row& row) {
        return Settlement{row.text(0), row.integer(1), row.optional_integer(2), row.text(3)};
      },
      "SELECT status, advance_cents, funded_cents, confirm_key FROM settlements WHERE id = ?", id);
  if (!settlement) {
    fate.violations.emplace_back("I11 the settlement is gone");
    return fate;
  }
  const auto attempts = attempts_of(session, id, names.purpose);
  fate.attempts = attempts.size();
  fate.state = attempts.empty() ? "none" : attempts.back().state;
  // What the errand is to pay; and, of a payout, what the books say is still owed.
  const std::int64_t owed = of_advance ? settlement->advance_cents
                                       : number(session,
                                                "SELECT CAST(COALESCE(SUM(residual_cents), 0) AS SIGNED) FROM "
                                                "reconciliation_records WHERE settlement_id = ?",
                                                id);
  const std::int64_t due =
      of_advance ? 0 : number(session, "SELECT residual_due_cents FROM settlements WHERE id = ?", id);

  const auto paid = payments_of(banks, attempts);
  fate.payments = paid.size();

  claim(paid.size() <= 1, "I1 FUNDED TWICE: the bank paid more than once");
  const std::size_t won = static_cast<std::size_t>(
      std::count_if(attempts.begin(), attempts.end(), [](const auto& a) { return is_paid(a.state); }));
  const bool waits = fate.state == "manual";
  fate.funded = of_advance ? settlement->status == "funded" : won > 0;
  claim(won <= 1, "I2 more than one attempt counts as paid");
  if (!paid.empty()) {
    const auto mine = std::find_if(attempts.begin(), attempts.end(),
                                   [&](const Attempt& attempt) { return is_key_of(attempt.key, paid.front().key); });
    claim(is_paid(mine->state) || mine->state == "manual",
          "I2 PAID BUT FORGOTTEN: the bank paid, the attempt says otherwise");
    claim(paid.front().rail == mine->rail, "I3 the bank of another rail paid");
    claim(paid.front().amount == mine->cents, "I3 the bank paid another amount");
    claim(paid.front().account == fingerprint_of("tok_ok"), "I3 the bank paid another account");
  }
  claim(!fate.funded || paid.size() == 1, "I3 BOOKED BUT NOT PAID: funded without a payment");
  claim(fate.funded == (won == 1), "I3 settlement and attempt disagree about being funded");
  if (of_advance) {
    claim(fate.funded == settlement->funded_cents.has_value(), "I6 funded and funded_amount disagree");
    claim(!fate.funded || settlement->funded_cents == settlement->advance_cents, "I6 funded_amount is not the advance");
  } else {
    claim(settlement->status == "funded", "I7 a payout has changed its settlement");
    claim(due == (fate.funded || waits ? 0 : owed), "I6 what is owed does not fit the payouts");
    claim(fate.state != "rejected" || open_tasks(session, id, "payout_failed") == 1,
          "I8 a refused payout without an open task");
  }

  check_attempts(session, id, attempts, owed, claim);
  claim(
      number(session,
             "SELECT COUNT(*) FROM ledger_transactions WHERE settlement_id = ? AND cause_kind = ? AND phase = 'posted'",
             id, names.cause) == (fate.funded ? 1 : 0),
      "I5 LEDGER: posted advances do not fit the payment");

  check_trail(session, id, *settlement, attempts, events, errand, fate, claim);
  return fate;
}

std::vector<std::string> broken_books(sql::Session& session, Banks& banks) {
  std::vector<std::string> broken;
  const auto none = [&](std::int64_t count, const char* what) {
    if (count != 0) broken.push_back(what + (": " + std::to_string(count)));
  };
  none(number(session,
              "SELECT COUNT(*) FROM (SELECT 1 AS one FROM ledger_entries GROUP BY tenant, transaction_id HAVING "
              "SUM(cents) <> 0) AS torn"),
       "I4 ledger transactions that do not sum to zero");
  none(number(session,
              "SELECT CAST(COALESCE(SUM(e.cents), 0) AS SIGNED) FROM ledger_entries e JOIN ledger_transactions t ON "
              "t.tenant = e.tenant AND t.id = "
              "e.transaction_id WHERE t.phase = 'posted'"),
       "I4 the posted ledger does not sum to zero");
  none(number(session,
              "SELECT COUNT(*) FROM ledger_transactions t LEFT JOIN settlements s ON s.id = t.settlement_id "
              "WHERE t.settlement_id IS NOT NULL AND (s.id IS NULL OR s.tenant <> t.tenant)"),
       "I14 ledger transactions of another tenant's settlement");
  none(number(session,
              "SELECT COUNT(*) FROM disbursement_attempts a LEFT JOIN settlements s ON s.tenant = a.tenant AND s.id = "
              "a.settlement_id "
              "WHERE s.id IS NULL"),
       "I14 attempts without their settlement");
  // Principal recovered, its loss and what is still owed make up every advance (I15).
  none(number(session,
              "SELECT COUNT(*) FROM reconciliation_records WHERE payer_payment_cents <> recovered_cents + fee_cents + "
              "residual_cents - residual_loss_cents"),
       "I15 reconciliations that do not add up");

  std::set<std::string> keys;
  for (const sql::Row& row : session.query("SELECT rail_key FROM disbursement_attempts")) keys.insert(row.text(0));
  for (const auto& payment : banks.payments())
    if (const auto behind = keys.upper_bound(payment.key);
        behind == keys.begin() || !is_key_of(*std::prev(behind), payment.key))
      broken.push_back("I2 PAID BUT FORGOTTEN: the bank paid a key that no attempt has");
  return broken;
}

}  // namespace tideover::fault
