// Answers whose signs and status do not fit: what is posted without a reviewer, what waits for one, and what is no
// contradiction at all.
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::Notice;
using tests::PaidClaim;
using tests::ProposalWorld;
using tests::why;

namespace {

constexpr std::int64_t kBilled = 100'000;

struct Contradictions : ProposalWorld {
  Contradictions() { fund({"A"}); }
  void pays(std::int64_t cents) {
    arrives(Notice{"N0", "T0", {{"A", cents}}});
    arrives(Cash{"D0", cents, "T0"});
  }
  std::string status() { return std::string(name_of(claim_status("A").status)); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(contradictory_answers, Contradictions)

BOOST_AUTO_TEST_CASE(a_payment_on_a_charge_below_zero_waits_for_a_reviewer_who_may_post_it) {
  for (const char* status : {"1", "4", "19"}) {
    const std::string name = std::string("C") + status;
    fund({name});
    arrives(Notice{"N" + name, "T" + name, {{name, 80'000, -kBilled, std::nullopt, status}}});
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

BOOST_AUTO_TEST_CASE(a_payment_of_nothing_on_a_charge_below_zero_posts_nothing_and_is_told) {
  arrives(Notice{"N1", "", {{"A", 0, -kBilled}}});
  BOOST_TEST(postings() == "A -");
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
  pays(80'000);  // and the answer that follows ends the settlement
  BOOST_TEST(postings() == "A 800.00 settled");
}

BOOST_AUTO_TEST_CASE(a_takeback_that_does_not_say_so_is_posted_as_a_takeback_never_as_a_payment) {
  pays(80'000);
  arrives(Notice{"N1", "T1", {{"A", -80'000, -kBilled}}, 0, "PAYER", "", 0, "ACH", 0, {{"FB", -80'000}}});
  BOOST_TEST(postings() == "A 800.00 settled, -800.00 reversed");
  BOOST_TEST(status() == "reversed");
}

BOOST_AUTO_TEST_CASE(a_takeback_that_does_not_say_so_takes_back_no_more_than_was_paid) {
  pays(60'000);
  arrives(Notice{"N1", "T1", {{"A", -80'000, -kBilled}}, 0, "PAYER", "", 0, "ACH", 0, {{"FB", -80'000}}});
  BOOST_TEST(reconciliation(settlements["A"]).records.size() == 1u);
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(money_that_is_taken_back_of_a_charge_above_zero_waits_for_a_reviewer) {
  pays(80'000);
  arrives(Notice{"N1", "T1", {{"A", -80'000, kBilled}}, 0, "PAYER", "", 0, "ACH", 0, {{"FB", -80'000}}});
  BOOST_TEST(postings() == "A 800.00 settled");
  BOOST_TEST(status() == "paid");
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_reversal_that_pays_is_not_posted) {
  pays(80'000);
  arrives(Notice{"N1", "T1", {{"A", 80'000, -kBilled, std::nullopt, "22"}}});
  arrives(Cash{"D1", 80'000, "T1"});
  BOOST_TEST(postings() == "A 800.00 settled");
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_reversal_of_a_denial_beside_its_correction_is_no_second_decision) {
  arrives(Notice{"N1", "", {{"A", 0, kBilled, std::nullopt, "4"}}});
  BOOST_TEST(postings() == "A 0.00 denied");
  arrives(Notice{"N2", "T2", {{"A", 0, -kBilled, std::nullopt, "22"}, {"A", 80'000}}});
  arrives(Cash{"D2", 80'000, "T2"});
  BOOST_TEST(postings() == "A 0.00 denied, 800.00 settled");
  BOOST_TEST(tasks().empty());
  BOOST_TEST(status() == "paid");
}

BOOST_AUTO_TEST_SUITE_END()
