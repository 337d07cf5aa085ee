// What practices are owed, by payer: residuals, claims without an advance, forward balances and payouts.
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/payouts/pay_practices.hpp"
#include "core/usecases/reconciliation/read_ledger.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::Remittance;

namespace {

constexpr const char* kNorth = "1234567893";
constexpr const char* kSouth = "1234567802";

struct PayeeWorld : tests::ProposalWorld {
  usecases::ReadLedger ledger{*store};

  /// "1234567893 PAYER 137.20 sending 0.00 carried 0.00; ..."
  std::string payees(const std::string& after = "", std::size_t limit = 100) {
    std::vector<std::string> lines;
    const auto found = ledger.payees(caller.tenant, after, limit);
    BOOST_REQUIRE(bool(found));
    for (const auto& payee : *found)
      for (const auto& amounts : payee.payers)
        lines.push_back((payee.payee_npi.empty() ? "-" : payee.payee_npi) + ' ' + amounts.payer_id + ' ' +
                        format_money(amounts.owed) + " sending " + format_money(amounts.sending) + " carried " +
                        format_money(amounts.carried));
    return joined(lines);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(payees_of_a_tenant, PayeeWorld)

BOOST_AUTO_TEST_CASE(each_practice_has_its_amounts_by_payer) {
  fund({"A", 100'000, "PAYER", {}, kNorth});
  fund({"B", 100'000, "OTHER", {}, kNorth});
  fund({"C", 100'000, "PAYER", {}, kSouth});
  BOOST_TEST(payees() == "");
  arrives(Remittance{"N1", "T1", {{"A", 79'000}, {"C", 80'000}}});
  arrives(Cash{"D1", 159'000, "T1"});
  arrives(Remittance{"N2", "T2", {{"B", 80'000}}, 0, "OTHER"});
  arrives(Cash{"D2", 80'000, "T2", 0, "OTHER"});
  const std::string both =
      "1234567802 PAYER 147.20 sending 0.00 carried 0.00; 1234567893 OTHER 147.20 sending 0.00 carried 0.00; "
      "1234567893 PAYER 137.20 sending 0.00 carried 0.00";
  BOOST_TEST(payees() == both);
  BOOST_TEST(payees("", 1) == both.substr(0, both.find(';')));
  BOOST_TEST(payees(kSouth, 1) == both.substr(both.find(';') + 2));
  BOOST_TEST(payees(kNorth) == "");

  // A takeback that is carried forward: the practice owes the residual, and the payer has yet to withhold the payment.
  arrives(Remittance{"N3", "T3", {{"A", -79'000, -100'000, std::nullopt, "22"}}, 0, "PAYER", "", -79'000});
  BOOST_TEST(payees(kSouth) ==
             "1234567893 OTHER 147.20 sending 0.00 carried 0.00; 1234567893 PAYER 0.00 sending 0.00 carried 790.00");
}

BOOST_AUTO_TEST_CASE(a_payout_is_no_longer_owed_and_its_return_is_owed_again) {
  fund({"A", 100'000, "PAYER", {}, kNorth});
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(Cash{"D1", 79'000, "T1"});
  usecases::PayResidual pay{*store, *disburse, ids, true};
  BOOST_REQUIRE(bool(pay(
      context("pay"), settlements.at("A").text(), [](const auto&) { return ""; }, [](const auto&) { return ""; })));
  BOOST_TEST(payees() == "1234567893 PAYER 0.00 sending 0.00 carried 0.00");
}

BOOST_AUTO_TEST_CASE(a_release_that_its_practice_got_is_not_undone_at_the_cost_of_another) {
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    records.clients().set_payout_account(caller.tenant, domain::Sensitive(std::string("tok_ok")));
    return {};
  })));
  fund({"A", 100'000, "PAYER", {}, kNorth});
  fund({"C", 100'000, "PAYER", {}, kSouth});
  arrives(Cash{"D1", 84'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"A", 79'000, 110'000}, {"STRANGER", 5'000, 120'000}}});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(decide(task, domain::kRelease)));
  usecases::PayPractice pay{*store, *disburse, ids, true};
  BOOST_REQUIRE(bool(pay(
      context("pay"), kNorth, [](const auto&) { return ""; }, [](const auto&) { return ""; })));
  arrives(Remittance{"N2", "T2", {{"C", 99'000}}});
  arrives(Cash{"D2", 99'000, "T2"});
  for (const auto& due : {kNorth, kSouth})
    BOOST_TEST_MESSAGE(due << ' ' << format_money(seen([&](const ports::Records& records) {
                         return records.payees().due(caller.tenant, due);
                       })));
  BOOST_TEST(tests::refusal_of(undo(task)) == domain::ErrorCode::invalid_state);
}

BOOST_AUTO_TEST_CASE(money_of_no_known_practice_has_a_row_of_its_own) {
  arrives(Cash{"D1", 50'000, "T9"});
  after_days(8);
  BOOST_REQUIRE(bool(decide(task_about("D1"), domain::kRelease)));
  BOOST_TEST(payees() == "- PAYER 500.00 sending 0.00 carried 0.00");
  BOOST_TEST(payees("-") == "");
}

BOOST_AUTO_TEST_SUITE_END()
