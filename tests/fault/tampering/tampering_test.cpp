// R34: ledger and audit trail are tamper-evident. See README.md.
#include <fstream>
#include <random>

#include "core/usecases/audit/note_checkpoint.hpp"
#include "core/usecases/audit/verify_audit.hpp"
#include "core/usecases/audit/verify_ledger.hpp"
#include "core/usecases/ledger/close_period.hpp"
#include "tests/fault/figure.hpp"
#include "tests/fault/tampering/intruder.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using tests::Intruder;
using tests::World;

namespace {

using Random = std::mt19937_64;

/// Money in every phase: funded, refused and tried again, unknown, paid back.
struct History : World {
  History() {
    using Answer = fakes::FakeRail::Answer;
    for (int n = 1; n <= 8; ++n) funded("CLM-" + std::to_string(n));
    const auto refused = adjudicate(review(draft("CLM-R")));
    same_day.script = {{Answer::reject, "R03"}};
    (void)try_confirm(refused.id);
    const auto unclear = adjudicate(review(draft("CLM-U")));
    same_day.script = {{Answer::time_out_accepted, ""}};
    (void)try_confirm(unclear.id);
    for (int n = 1; n <= 6; ++n) {
      domain::Deposit deposit;
      deposit.payer_id = "PAYER";
      deposit.amount = domain::Money::cents(79'000);
      deposit.received_date = clock.now().utc_date();
      deposit.trace_number = "T" + std::to_string(n);
      BOOST_REQUIRE(bool((*post_deposit)(context("deposit"), deposit, [](const auto&) { return std::string(); })));
      if (n > 4) continue;
      domain::RemittanceClaim paid;
      paid.claim_identifier = "CLM-" + std::to_string(n);
      paid.status = "1";
      paid.charge_amount = domain::Money::cents(100'000);
      paid.paid_amount = deposit.amount;
      domain::RemittanceDraft remittance;
      remittance.payer_id = "PAYER";
      remittance.trace_number = deposit.trace_number;
      remittance.payment_amount = deposit.amount;
      remittance.claims = {paid};
      BOOST_REQUIRE(
          bool((*post_remittance)(context("remittance"), {remittance}, [](const auto&) { return std::string(); })));
    }
    usecases::NoteCheckpoint note(*sql, checkpoints, clock, {});
    BOOST_REQUIRE(bool(note.now()));
    verify();
  }

  std::filesystem::path database() const { return folder / "tideover.db"; }
  bool ledger_holds() const { return holds(usecases::VerifyLedger(*sql, checkpoints)()); }
  bool audit_holds() const { return holds(usecases::VerifyAudit(*sql, checkpoints)()); }
  static bool holds(const domain::Result<usecases::Verification>& found) {
    BOOST_REQUIRE_MESSAGE(found, "the verification did not get through");
    return found->holds();
  }
};

/// One thing that an intruder does, by seed. Says what, in words; empty when the schema refused it.
class Deed {
 public:
  Deed(Intruder& intruder, World& world, std::uint64_t seed) : intruder_(intruder), world_(world), random_(seed) {}

  std::string commit() {
    table_ = kTables[pick(3)];
    switch (pick(6)) {
      case 0:
        return table_ == "ledger_entries" ? flip() : remove();
      case 1:
        return insert();
      case 2:
        return table_ == "ledger_entries" ? flip() : swap();
      case 3:
        return table_ == "ledger_entries" ? remove() : cut();
      case 4:
        return table_ == "ledger_entries" ? flip() : rewrite();
      default:
        return flip();
    }
  }
  bool in_ledger() const { return table_ != "audit_rows"; }

 private:
  static constexpr const char* kTables[] = {"ledger_transactions", "ledger_entries", "audit_rows"};

  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  std::int64_t rows() { return intruder_.number("SELECT COUNT(*) FROM " + table_); }
  std::string key() const {
    return table_ == "ledger_entries" ? "tenant, transaction_id, position" : "chain, position";
  }
  std::string any_row() {
    const auto row = std::to_string(pick(static_cast<std::size_t>(rows())));
    return "(" + key() + ") = (SELECT " + key() + " FROM " + table_ + " ORDER BY " + key() + " LIMIT 1 OFFSET " + row +
           ")";
  }
  std::string done(const std::string& sql, int least = 1) { return intruder_.run(sql) >= least ? sql : ""; }

  std::string flip() {
    const auto columns = intruder_.texts("SELECT name FROM pragma_table_info('" + table_ + "')");
    const auto& column = columns[pick(columns.size())];
    const auto place = std::to_string(1 + pick(3));
    const auto letter = std::string(1, "~^|"[pick(3)]);
    // A bit of a hash, a character of a text, a unit of a number; NULL becomes a text.
    return done("UPDATE OR ROLLBACK " + table_ + " SET " + column + " = CASE typeof(" + column +
                ") WHEN 'integer' THEN " + column + (pick(2) == 0 ? " + " : " - ") + place +
                " WHEN 'blob' THEN CAST(CASE substr(" + column +
                ", 1, 1) WHEN x'00' THEN x'01' ELSE x'00' END || substr(" + column +
                ", 2) AS BLOB) WHEN 'null' THEN 'x' ELSE substr(" + column + ", 1, " + place + ") || '" + letter +
                "' || substr(" + column + ", " + place + " + 2) END WHERE " + any_row());
  }
  std::string remove() { return done("DELETE FROM " + table_ + " WHERE " + any_row()); }
  std::string insert() {
    if (table_ == "ledger_entries")
      return done(
          "INSERT INTO ledger_entries SELECT tenant, transaction_id, position + 100, account, cents FROM "
          "ledger_entries WHERE " +
          any_row());
    // A gap in the middle, and a copy of some row under another id in it.
    const auto place = std::to_string(2 + pick(static_cast<std::size_t>(rows() - 2)));
    const auto source = any_row();
    std::string columns;
    for (const auto& column : intruder_.texts("SELECT name FROM pragma_table_info('" + table_ + "')"))
      columns += (columns.empty() ? "" : ", ") + (column == "position"   ? place
                                                  : column == "id"       ? "'forged'"
                                                  : column == "resolves" ? "NULL"
                                                                         : column);
    if (intruder_.run("CREATE TEMP TABLE forged AS SELECT " + columns + " FROM " + table_ + " WHERE " + source) < 0)
      return "";
    intruder_.run("UPDATE " + table_ + " SET position = -position WHERE position >= " + place);
    intruder_.run("UPDATE " + table_ + " SET position = 1 - position WHERE position < 0");
    const int inserted = intruder_.run("INSERT INTO " + table_ + " SELECT * FROM forged");
    intruder_.run("DROP TABLE temp.forged");
    return inserted == 1 ? "a copy of a row inserted into " + table_ + " at " + place : "";
  }
  std::string swap() {
    const auto rows_there = static_cast<std::size_t>(rows());
    const auto first = 1 + pick(rows_there);
    auto second = 1 + pick(rows_there - 1);
    if (second >= first) ++second;
    const auto one = std::to_string(first), two = std::to_string(second);
    intruder_.run("UPDATE " + table_ + " SET position = -1 WHERE position = " + one);
    intruder_.run("UPDATE " + table_ + " SET position = " + one + " WHERE position = " + two);
    return done("UPDATE " + table_ + " SET position = " + two + " WHERE position = -1") + " of position " + one;
  }
  std::string cut() {
    return done("DELETE FROM " + table_ + " WHERE position > " +
                std::to_string(rows() - 1 - static_cast<std::int64_t>(pick(5))));
  }
  /// Changes a row and computes every later hash again, as an intruder who knows the program can.
  std::string rewrite() {
    const auto from = static_cast<std::int64_t>(1 + pick(static_cast<std::size_t>(rows())));
    const std::string what = done("UPDATE " + table_ + " SET at = at + 1 WHERE position = " + std::to_string(from));
    const bool ledger = in_ledger();
    const auto chain = intruder_.texts("SELECT chain FROM " + table_ + " LIMIT 1").front();
    ports::ChainHead before{chain, from - 1, ""};
    if (from > 1)
      before = world_.seen([&](const ports::Records& records) { return link_at(records, ledger, chain, from - 1); });
    for (;;) {
      const auto next =
          world_.seen([&](const ports::Records& records) { return computed_behind(records, ledger, before); });
      if (next.position == 0) return what + ", hashes computed again";
      intruder_.set_hash(table_, chain, next.position, next.hash);
      before = next;
    }
  }
  static ports::ChainHead link_at(const ports::Records& records, bool ledger, const std::string& chain,
                                  std::int64_t position) {
    const ports::ChainHead before{chain, position - 1, ""};
    const auto hash =
        ledger ? records.ledger().links(before, 1).front().hash : records.audit().links(before, 1).front().hash;
    return {chain, position, hash};
  }
  static ports::ChainHead computed_behind(const ports::Records& records, bool ledger, const ports::ChainHead& before) {
    ports::ChainHead next{before.chain, 0, ""};
    const auto take = [&](const auto& links) {
      if (!links.empty()) next = {before.chain, links.front().position, links.front().computed};
    };
    ledger ? take(records.ledger().links(before, 1)) : take(records.audit().links(before, 1));
    return next;
  }

  Intruder& intruder_;
  World& world_;
  Random random_;
  std::string table_;
};

std::uint64_t first_seed() {
  const char* given = std::getenv("TIDEOVER_SEED");
  return given ? std::stoull(given) : 1;
}

constexpr const char* kPublishFive =
    "INSERT INTO events SELECT tenant, row_number() OVER (ORDER BY id), id, kind, data, created_at FROM outbox ORDER "
    "BY "
    "id LIMIT 5; DELETE FROM outbox WHERE id IN (SELECT id FROM events)";

/// Changes the rows of a history by `deed`, after `preparation`: the verification names the broken rule.
void check_named(const std::string& deed, const std::string& rule, const std::string& preparation = "") {
  History history;
  Intruder intruder(history.database());
  if (!preparation.empty()) intruder.run(preparation);
  BOOST_REQUIRE_MESSAGE(history.ledger_holds(), "broken before: " << deed);
  BOOST_REQUIRE_MESSAGE(intruder.run(deed) >= 1, "nothing was changed by: " << deed);
  intruder.run("COMMIT");
  const auto found = usecases::VerifyLedger(*history.sql, history.checkpoints)();
  BOOST_REQUIRE(bool(found));
  BOOST_TEST(std::any_of(found->first_breaches.begin(), found->first_breaches.end(),
                         [&](const auto& breach) { return breach.where == rule; }),
             "not found: " << deed);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tampering)

BOOST_AUTO_TEST_CASE(every_change_past_the_service_is_found) {
  History history;
  Intruder intruder(history.database());
  const std::size_t promised = test::cases(1000, 50'000);
  std::size_t found = 0, refused = 0;
  for (std::uint64_t seed = first_seed(); found < promised; ++seed) {
    Deed deed(intruder, history, seed);
    const std::string what = deed.commit();
    if (what.empty()) {
      ++refused;
      BOOST_REQUIRE_MESSAGE(refused < promised, "the schema refuses nearly everything: nothing is tried");
    } else if (deed.in_ledger() ? !history.ledger_holds() : !history.audit_holds()) {
      ++found;
    } else {
      BOOST_FAIL("not found, TIDEOVER_SEED=" << seed << ": " << what);
    }
    intruder.put_back();
  }
  BOOST_TEST(history.ledger_holds());
  BOOST_TEST(history.audit_holds());
  test::survived("R34  flip, delete, insert, swap, cut, rewrite:", found, promised, "found, 0 missed");
}

// What no hash covers: each of these breaks exactly the rule that ties the tables together.
BOOST_AUTO_TEST_CASE(missing_and_surplus_rows_between_the_tables_are_named) {
  constexpr const char* kEvents = "every change has its event, and every event its change";
  constexpr const char* kRecord =
      "every change of a settlement, a deposit, a remittance, an import or a task has an audit row";
  const std::string paid = "(SELECT settlement_id FROM disbursement_attempts WHERE state = 'accepted' LIMIT 1)";
  const std::vector<std::pair<std::string, std::string>> deeds{
      {"DELETE FROM outbox WHERE id = (SELECT id FROM outbox WHERE kind = 'settlement.funded' LIMIT 1)", kEvents},
      {"DELETE FROM outbox WHERE id = (SELECT id FROM outbox WHERE kind = 'deposit.received' LIMIT 1)", kEvents},
      {"INSERT INTO outbox SELECT id || 'x', tenant, kind, data, created_at, resource_version FROM outbox WHERE kind = "
       "'reconciliation.posted' LIMIT 1",
       kEvents},
      {"UPDATE outbox SET kind = 'funding.rejected' WHERE id = (SELECT id FROM outbox WHERE kind = 'review.completed' "
       "LIMIT 1)",
       kEvents},
      {"UPDATE deposits SET status = 'returned' WHERE id = (SELECT id FROM deposits LIMIT 1)",
       "a returned deposit is booked back, in full, and no other deposit is"},
      {"DELETE FROM events WHERE sequence = 3", "a tenant's events are numbered without a gap"},
      {"INSERT INTO outbox SELECT id, tenant, kind, body, created_at, 1 FROM events WHERE sequence = 1",
       "a published event has left the outbox"},
      {"INSERT INTO deliveries (tenant, event_id, endpoint_id, attempts, state, next_try_at, last_status, last_error, "
       "manual) VALUES ('t', 'gone', 'e', 0, 'waiting', 0, 0, '', 0)",
       "a delivery has its event"},
      {"DELETE FROM audit_rows WHERE object_id = " + paid, kRecord},
      {"DELETE FROM audit_rows WHERE outcome = 'claimed' AND object_id = " + paid, kRecord},
      {"DELETE FROM audit_rows WHERE object_id = (SELECT id FROM deposits LIMIT 1)", kRecord},
      {"DELETE FROM audit_rows WHERE object_id = (SELECT id FROM remittances LIMIT 1)", kRecord},
  };
  for (const auto& [deed, rule] : deeds) {
    // A few events are published, as the dispatcher does it.
    const bool is_about_events = deed.find("events") != std::string::npos;
    check_named(deed, rule, is_about_events ? kPublishFive : "");
  }
}

// A second attempt beside one that may still pay.
BOOST_AUTO_TEST_CASE(an_attempt_after_one_that_was_not_rejected_is_named) {
  for (const std::string state : {"unknown", "accepted"})
    check_named(
        "INSERT INTO disbursement_attempts (tenant, settlement_id, purpose, number, id, state, rail, rail_key, cents, "
        "effective_date, request_key, sent_by, epoch, rail_reference, reason_code, reason, pending_entry_id, "
        "resolve_tries, next_resolve_at, created_at, updated_at) SELECT tenant, settlement_id, purpose, number + 1, "
        "'trf_forged', 'intent', rail, 'forged', cents, effective_date, '', '', 1, '', '', '', 'ltx_forged', 0, 0, 0, "
        "0 FROM disbursement_attempts WHERE purpose = 'advance' AND state = '" +
            state + "' LIMIT 1",
        "an advance has a further attempt only after the earlier ones were rejected");
}

// The allocation of remittances, broken on purpose.
BOOST_AUTO_TEST_CASE(an_allocation_that_contradicts_its_remittance_is_named) {
  const std::string first =
      " WHERE (remittance_id, number) = (SELECT remittance_id, number FROM allocations WHERE account = 'advance' LIMIT "
      "1)";
  const std::string row = "SELECT tenant, remittance_id, 1000 + number, 'payment', 0, 'carried', NULL, payer_id, '', ";
  const std::vector<std::pair<std::string, std::string>> deeds{
      {"UPDATE allocations SET account = 'payable'" + first, "a remittance carries and pays what its allocation says"},
      {"DELETE FROM allocations" + first, "a posted claim of a remittance is allocated to its settlement"},
      {"INSERT INTO allocations " + row +
           "100, 'carried_forward', NULL, NULL, NULL, NULL, NULL, posted_at, NULL, NULL FROM allocations" + first +
           " UNION ALL " +
           "SELECT tenant, remittance_id, 2000 + number, 'payment', 0, 'carried', NULL, payer_id, '', "
           "-101, 'balance_recovered', remittance_id, 1000 + number, NULL, NULL, NULL, posted_at, NULL, NULL FROM "
           "allocations" +
           first,
       "no forward balance is used beyond its amount"},
  };
  for (const auto& [deed, rule] : deeds) check_named(deed, rule);
}

// The bound of a loss, broken on purpose: a takeback that takes more than the advance and the fee from the funder.
BOOST_AUTO_TEST_CASE(a_settlement_that_loses_more_than_its_advance_and_fee_is_named) {
  const std::string last = " WHERE settlement_id = (SELECT settlement_id FROM reconciliation_records LIMIT 1)";
  const std::vector<std::pair<std::string, std::string>> deeds{
      {"UPDATE reconciliation_records SET absorbed_cents = 65281" + last,
       "no settlement loses more than its advance and its fee"},
      {"UPDATE reconciliation_records SET principal_loss_cents = 65281, recovered_cents = recovered_cents - 65281, "
       "payer_payment_cents = payer_payment_cents - 65281" +
           last,
       "no settlement loses more than its advance and its fee"},
      {"UPDATE reconciliation_records SET residual_cents = -1, recovered_cents = recovered_cents + residual_cents + 1" +
           last,
       "no residual is negative"},
      {"UPDATE settlements SET residual_due_cents = -1 WHERE id = (SELECT settlement_id FROM reconciliation_records "
       "LIMIT 1)",
       "a residual that was paid out and taken back by the payer has its task"},
      {"UPDATE disbursement_attempts SET purpose = 'residual', cents = 13721 "
       "WHERE settlement_id = (SELECT settlement_id FROM reconciliation_records LIMIT 1)",
       "payouts of a residual do not exceed the largest residual that the payer's payments gave"},
  };
  for (const auto& [deed, rule] : deeds) check_named(deed, rule);
}

// Each rule about payouts to practices, broken on purpose.
BOOST_AUTO_TEST_CASE(a_changed_amount_of_a_practice_is_named) {
  const std::string first = " WHERE transaction_id = (SELECT transaction_id FROM payables LIMIT 1)";
  const std::string attempt =
      "INSERT INTO disbursement_attempts (tenant, settlement_id, purpose, number, id, state, rail, rail_key, cents, "
      "effective_date, request_key, sent_by, epoch, rail_reference, reason_code, reason, pending_entry_id, "
      "resolve_tries, next_resolve_at, created_at, updated_at) SELECT tenant, payee_npi, 'payable', 1, 'trf_forged', "
      "'accepted', 'RTP', 'forged', cents + 1, 0, '', '', 1, '', '', '', transaction_id, 0, 0, 0, 0 FROM payables";
  const std::vector<std::pair<std::string, std::string>> deeds{
      {"UPDATE payables SET cents = cents + 1" + first,
       "the amounts that are due to a practice are what the ledger owes it"},
      {"UPDATE payables SET payout_id = 'trf_forged'" + first,
       "a settlement has the amount of its residual that is due, not held and not in a payout"},
      {"UPDATE payables SET transaction_id = 'ltx_forged'" + first,
       "every amount that is due to a practice has its ledger entry or its payout"},
      {attempt + first, "a payout to a practice pays what it covers and does not carry forward"},
      {attempt + first, "an attempt that was paid has its posted transaction"},
  };
  for (const auto& [deed, rule] : deeds) check_named(deed, rule);
}

// Each rule about the recourse policy, broken on purpose.
BOOST_AUTO_TEST_CASE(a_forged_decision_of_the_recourse_policy_is_named) {
  const std::string decision =
      "INSERT INTO recourse_entries (tenant, id, kind, event, settlement_id, allocation_number, payer_id, payee_npi, "
      "cents, usual_future_cents, usual_reserve_cents, usual_funder_cents, advance_cents, paid_out_cents, owed_cents, "
      "carried_cents, in_reserve_cents, future_cents, reserve_cents, funder_cents, reasons, problem, "
      "moved_future_cents, moved_reserve_cents, moved_funder_cents, held_cents, relief_cents, rule_id, rule_rev, "
      "rules_version, rules_sha256, posted_at) SELECT tenant, 'ltx_forged', 'event', 'short_payment', id, 0, '', '', "
      "1, "
      "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', -9999999, 0, 9999999, 0, 0, '', 0, '', '', 0 FROM settlements LIMIT 1";
  const std::vector<std::pair<std::string, std::string>> deeds{
      {decision, "a decision of the recourse policy that moves money is booked, and moves nothing in all"},
      {decision, "the funder loses no more than the record of its settlement: others bear at most its principal loss"},
      {"UPDATE ledger_transactions SET cause_kind = 'recourse' WHERE cause_kind = 'reconciliation'",
       "a movement of the recourse policy in the ledger has its decision, with the same amounts"},
      {"UPDATE portfolio SET cents = cents + 1 WHERE measure = 'owed'",
       "a practice is owed, and its reserve holds, what the ledger says"},
  };
  for (const auto& [deed, rule] : deeds) check_named(deed, rule);
}

// A closed month, changed on purpose: its closing balances, its days, or a transaction in it.
BOOST_AUTO_TEST_CASE(a_changed_closed_period_is_named) {
  constexpr const char* kSums = "the closing balances of a closed period are the sums of its transactions";
  constexpr const char* kDays = "closed periods follow each other, and the tenant has the last closed day";
  constexpr const char* kDigest = "a closed period has the digest of its closing balances";
  const std::vector<std::pair<std::string, std::string>> deeds{
      {"UPDATE ledger_closings SET posted_cents = posted_cents + 1 WHERE account = 'funding_cash'", kSums},
      {"UPDATE ledger_closings SET posted_cents = posted_cents + 1 WHERE account = 'funding_cash'", kDigest},
      {"DELETE FROM ledger_closings WHERE account = 'fee_income'", kSums},
      {"UPDATE ledger_transactions SET effective_on = effective_on + 30 WHERE cause_kind = 'deposit'", kSums},
      {"UPDATE ledger_periods SET balances_sha256 = 'x'", kDigest},
      {"UPDATE ledger_periods SET last_day = last_day - 1", kDays},
      {"UPDATE tenants SET closed_through = NULL WHERE closed_through IS NOT NULL", kDays},
  };
  for (const auto& [deed, rule] : deeds) {
    History history;
    history.clock.advance_days(15);
    usecases::ClosePeriod periods(*history.sql, history.ids);
    BOOST_REQUIRE(bool(periods.close(history.context("close"), "2026-11", [](const auto&) { return std::string(); })));
    Intruder intruder(history.database());
    BOOST_REQUIRE(history.ledger_holds());
    BOOST_REQUIRE_MESSAGE(intruder.run(deed) >= 1, "nothing was changed by: " << deed);
    const auto found = usecases::VerifyLedger(*history.sql, history.checkpoints)();
    BOOST_REQUIRE(bool(found));
    BOOST_TEST(std::any_of(found->first_breaches.begin(), found->first_breaches.end(),
                           [&, named = rule](const auto& breach) { return breach.where == named; }),
               "not found: " << deed);
  }
}

BOOST_AUTO_TEST_CASE(a_payment_that_is_not_in_the_rail_journal_is_named) {
  History history;
  BOOST_TEST(History::holds(usecases::VerifyLedger(*history.sql, history.checkpoints, history.own_witness())()));
  Intruder intruder(history.database());
  intruder.run(
      "UPDATE disbursement_attempts SET rail_key = 'never journalled' WHERE id = (SELECT id FROM disbursement_attempts "
      "WHERE state = 'accepted' LIMIT 1)");
  intruder.run("COMMIT");
  const auto found = usecases::VerifyLedger(*history.sql, history.checkpoints, history.own_witness())();
  BOOST_REQUIRE(bool(found));
  BOOST_REQUIRE(found->breaches == 1);
  BOOST_TEST(found->first_breaches.front().where == "a payment that this node sent is in its rail journal");
  BOOST_TEST(history.ledger_holds());  // no other check can tell
  auto elsewhere = history.own_witness();
  elsewhere.node = "node-b";
  BOOST_TEST(History::holds(usecases::VerifyLedger(*history.sql, history.checkpoints, elsewhere)()));
}

BOOST_AUTO_TEST_CASE(the_first_broken_position_is_named) {
  History history;
  Intruder intruder(history.database());
  intruder.run("UPDATE audit_rows SET outcome = 'ok!' WHERE position = 5");
  const auto found = usecases::VerifyAudit(*history.sql, history.checkpoints)();
  BOOST_REQUIRE(bool(found));
  BOOST_REQUIRE(found->breaches == 1);
  const auto id = intruder.texts("SELECT id FROM audit_rows WHERE position = 5").front();
  BOOST_TEST(found->first_breaches.front().where == "audit chain node/0, position 5 (audit row " + id + ")");
  intruder.put_back();
}

BOOST_AUTO_TEST_CASE(a_signed_note_that_was_changed_is_not_believed) {
  History history;
  std::filesystem::path file = history.folder / "checkpoints";
  std::string line;
  {
    std::ifstream in(file);
    std::getline(in, line);
  }
  const auto digit = line.find(" 1");  // some digit inside what is signed
  line[digit + 1] = '2';
  std::ofstream(file) << line << '\n';
  BOOST_TEST(!history.audit_holds());
  BOOST_TEST(!history.ledger_holds());
  std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(an_older_state_restored_on_purpose_verifies_after_a_checkpoint_of_it) {
  History history;
  Intruder intruder(history.database());
  intruder.run("DELETE FROM audit_rows WHERE position > 10");
  BOOST_TEST(!history.audit_holds());
  usecases::NoteCheckpoint note(*history.sql, history.checkpoints, history.clock, {});
  BOOST_REQUIRE(bool(note.now(ports::Checkpoint::Kind::restored)));
  BOOST_TEST(history.audit_holds());
  intruder.run("DELETE FROM audit_rows WHERE position > 9");
  BOOST_TEST(!history.audit_holds());
  intruder.put_back();
}

BOOST_AUTO_TEST_SUITE_END()
