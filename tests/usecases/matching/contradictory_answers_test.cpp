// Answers whose signs contradict their status: which of them are posted, and which wait for a reviewer.
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::PaidClaim;
using tests::ProposalWorld;
using tests::Remittance;
using tests::why;

namespace {

constexpr std::int64_t kBilled = 100'000;

struct Contradictions : ProposalWorld {
  Contradictions() { fund({"A"}); }
  void pays(std::int64_t cents) {
    arrives(Remittance{"N0", "T0", {{"A", cents}}});
    arrives(Cash{"D0", cents, "T0"});
  }
  std::string status() { return std::string(name_of(claim_status("A").status)); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(contradictory_answers, Contradictions)

BOOST_AUTO_TEST_CASE(a_payment_on_a_negative_charge_waits_for_a_reviewer) {
  for (const char* status : {"1", "4", "19"}) {
    const std::string name = std::string("C") + status;
    fund({name});
    arrives(Remittance{"N" + name, "T" + name, {{name, 80'000, -kBilled, std::nullopt, status}}});
    arrives(Cash{"D" + name, 80'000, "T" + name});
    BOOST_TEST(reconciliation(settlements[name]).records.empty(), status);
    BOOST_TEST(name_of(claim_status(name).status) == "reviewed");
    const auto task = task_about("N" + name);
    const auto decided = accept(task, proposal_of(task, {name}));
    BOOST_REQUIRE_MESSAGE(decided, why(decided));
    const auto whole = reconciliation(settlements[name]);
    BOOST_TEST((whole.payer_payment == domain::Money::cents(80'000)));
    BOOST_TEST((whole.records.back().charge == domain::Money::cents(kBilled)));
  }
}

BOOST_AUTO_TEST_CASE(a_zero_payment_on_a_negative_charge_posts_nothing_and_opens_a_task) {
  arrives(Remittance{"N1", "", {{"A", 0, -kBilled}}});
  BOOST_TEST(postings() == "A -");
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
  pays(80'000);  // the next answer completes the settlement
  BOOST_TEST(postings() == "A 800.00 settled");
}

BOOST_AUTO_TEST_CASE(negative_amounts_are_posted_as_a_takeback_without_its_status) {
  pays(80'000);
  arrives(Remittance{"N1", "T1", {{"A", -80'000, -kBilled}}, 0, "PAYER", "", 0, "ACH", 0, {{"FB", -80'000}}});
  BOOST_TEST(postings() == "A 800.00 settled, -800.00 reversed");
  BOOST_TEST(status() == "reversed");
}

BOOST_AUTO_TEST_CASE(a_takeback_without_its_status_is_limited_to_the_paid_amount) {
  pays(60'000);
  arrives(Remittance{"N1", "T1", {{"A", -80'000, -kBilled}}, 0, "PAYER", "", 0, "ACH", 0, {{"FB", -80'000}}});
  BOOST_TEST(reconciliation(settlements["A"]).records.size() == 1u);
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_negative_payment_on_a_positive_charge_waits_for_a_reviewer) {
  pays(80'000);
  arrives(Remittance{"N1", "T1", {{"A", -80'000, kBilled}}, 0, "PAYER", "", 0, "ACH", 0, {{"FB", -80'000}}});
  BOOST_TEST(postings() == "A 800.00 settled");
  BOOST_TEST(status() == "paid");
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_reversal_with_a_positive_payment_is_not_posted) {
  pays(80'000);
  arrives(Remittance{"N1", "T1", {{"A", 80'000, -kBilled, std::nullopt, "22"}}});
  arrives(Cash{"D1", 80'000, "T1"});
  BOOST_TEST(postings() == "A 800.00 settled");
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_reversed_denial_with_its_correction_needs_no_reviewer) {
  arrives(Remittance{"N1", "", {{"A", 0, kBilled, std::nullopt, "4"}}});
  BOOST_TEST(postings() == "A 0.00 denied");
  arrives(Remittance{"N2", "T2", {{"A", 0, -kBilled, std::nullopt, "22"}, {"A", 80'000}}});
  arrives(Cash{"D2", 80'000, "T2"});
  BOOST_TEST(postings() == "A 0.00 denied, 800.00 settled");
  BOOST_TEST(tasks().empty());
  BOOST_TEST(status() == "paid");
}

BOOST_AUTO_TEST_SUITE_END()
