// Deposits and remittances with unknown, wrong or late data: no advance is matched wrongly, and every unmatched cent
// has a task.
#include <regex>

#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::PaidClaim;
using tests::ProposalWorld;
using tests::Remittance;
using tests::why;

namespace {

PaidClaim taken_back(const char* name, std::int64_t cents) {
  return {name, -cents, -100'000, std::nullopt, "22"};
}

/// States, postings and accounts, without the match steps.
std::string story(ProposalWorld& world) {
  static const std::regex by(" by [a-z_]+");
  return std::regex_replace(world.ends(), by, "") + " | " + world.postings() + " | " + world.holdings();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(doubtful_money)

BOOST_AUTO_TEST_CASE(the_payer_of_a_deposit_identifies_the_payer_of_its_remittance) {
  for (const char* status : {"1", "2"}) {
    std::string known;
    for (const char* payer : {"OTHER", ""}) {
      ProposalWorld world;
      world.fund({"A"});
      world.arrives(Cash{"D1", 4'000, "T1", 0, "OTHER"});
      world.arrives(Remittance{"N1", "T1", {{"A", 4'000, 100'000, std::nullopt, status}}, 0, payer});
      world.arrives(Remittance{"N2", "T2", {{"A", 79'000}}});
      world.arrives(Cash{"D2", 79'000, "T2"});
      BOOST_TEST(world.postings() == "A 790.00 settled");
      if (known.empty()) known = story(world);
      BOOST_TEST(story(world) == known);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_remittance_of_an_unknown_payer_decides_on_no_advance) {
  ProposalWorld world;
  world.know_payer();
  world.fund({"A"});
  world.arrives(Remittance{"N1", "", {{"A", 0, 100'000, std::nullopt, "4"}}, 0, ""});
  BOOST_TEST(world.ends() == "A pending; match_ambiguous about N1");
  world.arrives(Remittance{"N2", "T2", {{"A", 79'000}}, 0, ""});
  world.arrives(Cash{"D2", 79'000, "T2", 0, ""});
  BOOST_TEST(world.postings() == "A -");
  const auto named = world.decide(world.task_about("N2"), domain::kAssignPayer, "PAYER");
  BOOST_REQUIRE_MESSAGE(named, why(named));
  BOOST_TEST(world.postings() == "A 790.00 settled");
  BOOST_TEST(world.balance("suspense_unmatched") == domain::Money{});
}

BOOST_AUTO_TEST_CASE(undoing_a_match_removes_the_payer_that_the_deposit_gave_its_remittance) {
  ProposalWorld world;
  world.fund({"A"});
  world.arrives(Remittance{"N1", "T1", {{"A", 79'000}}, 0, ""});
  world.arrives(Cash{"D1", 79'001, "T1"});
  const auto task = world.task_about("D1");
  BOOST_REQUIRE(bool(world.accept(task, world.proposal_of(task, {"N1"}))));
  BOOST_TEST(world.postings() == "A 790.00 settled");
  BOOST_REQUIRE(bool(world.undo(task)));
  const auto remittance = world.seen([&](const ports::Records& records) {
    return records.remittances().find(world.caller.tenant, world.remittances["N1"]);
  });
  BOOST_TEST(remittance->draft.payer_id == "");
}

BOOST_AUTO_TEST_CASE(a_takeback_waits_with_its_remittance_for_the_payment) {
  ProposalWorld world;
  world.fund({"A"});
  world.fund({"B"});
  world.arrives(Remittance{"N2", "T2", {taken_back("A", 60'000), {"B", 80'000}}});
  world.arrives(Cash{"D2", 20'000, "T2"});
  BOOST_TEST(world.ends() == "D2 partly_matched; A pending; B pending; match_ambiguous about N2");
  world.arrives(Remittance{"N1", "T1", {{"A", 60'000}}});
  world.arrives(Cash{"D1", 60'000, "T1"});
  BOOST_TEST(world.postings() == "A 600.00 settled_short, -600.00 reversed; B 800.00 settled");
  BOOST_TEST(world.ends() == "D1 matched; D2 matched; A reversed by trace_number; B settled by trace_number");
}

BOOST_AUTO_TEST_CASE(a_correction_before_its_payment_counts_as_one_payment) {
  ProposalWorld world;
  world.fund({"A"});
  world.arrives(Remittance{"N2", "T2", {taken_back("A", 60'000), {"A", 80'000}}});
  world.arrives(Cash{"D2", 20'000, "T2"});
  BOOST_TEST(world.ends() == "D2 matched; A partial by trace_number");
  world.arrives(Remittance{"N1", "T1", {{"A", 60'000}}});
  world.arrives(Cash{"D1", 60'000, "T1"});
  BOOST_TEST(world.postings() == "A -600.00 partial, 800.00 partial, 600.00 settled");
  BOOST_TEST(world.ends() == "D1 matched; D2 matched; A settled by trace_number");
}

BOOST_AUTO_TEST_CASE(a_deposit_matched_by_amount_moves_to_the_remittance_that_fits_it) {
  std::string remittance_first;
  for (const bool money_first : {false, true}) {
    ProposalWorld world;
    world.arrives(Cash{"D0", 160'000, "", -40});  // the same amount on another day
    world.fund({"A"});
    world.fund({"B"});
    world.fund({"C", 200'000});
    const Remittance remittance{"N1", "T1", {{"B", 60'000}, {"STRANGER", 100'000, 120'000}}};
    if (!money_first) world.arrives(remittance);
    world.arrives(Cash{"D1", 160'000, ""});
    if (money_first) {
      BOOST_TEST(world.postings() == "A -; B -; C 1600.00 settled");
      world.arrives(remittance);
    }
    BOOST_TEST(world.postings().find("B 600.00 settled_short") != std::string::npos, world.postings());
    world.arrives(Cash{"D2", 160'000, "", 1});
    BOOST_TEST(
        world.ends().find(
            "D0 unmatched; D1 matched; D2 matched; A pending; B settled_short by amount_and_date; C settled") == 0u,
        world.ends());
    if (remittance_first.empty()) remittance_first = world.holdings();
    BOOST_TEST(world.holdings() == remittance_first);
  }
}

BOOST_AUTO_TEST_CASE(a_denial_stands_when_the_deposit_moves_to_another_remittance) {
  std::string in_order;
  for (const bool denial_first : {false, true}) {
    ProposalWorld world;
    const Remittance denial{"N0", "T0", {{"A", 0, 100'000, std::nullopt, "4"}}},
        other{"N2", "T2", {{"B", 60'000}, {"STRANGER", 20'000, 120'000}}};
    world.fund({"A"});
    if (denial_first) {
      world.arrives(Cash{"D1", 80'000, ""});
      BOOST_TEST(world.postings() == "A 800.00 settled");
      world.arrives(denial);
      world.fund({"B"});
      world.arrives(other);
    } else {
      world.fund({"B"});
      world.arrives(other);
      world.arrives(Cash{"D1", 80'000, ""});
      world.arrives(denial);
    }
    if (in_order.empty()) in_order = world.holdings();
    BOOST_TEST(world.holdings() == in_order);
    BOOST_TEST(world.ends().find("A denied") != std::string::npos, world.ends());
  }
}

BOOST_AUTO_TEST_CASE(a_deposit_that_two_advances_may_claim_opens_a_task) {
  ProposalWorld world;
  world.fund({"A"});
  world.arrives(Cash{"D1", 80'000, ""});
  world.fund({"B"});
  world.arrives(Cash{"D2", 80'000, "", 1});
  BOOST_TEST(world.postings() == "A 800.00 settled; B 800.00 settled");
  world.arrives(Remittance{"N1", "T1", {{"STRANGER", 80'000, 120'000}}});
  BOOST_TEST(world.ends().find("match_ambiguous about N1") != std::string::npos, world.ends());
  BOOST_TEST(world.postings() == "A 800.00 settled; B 800.00 settled");
}

BOOST_AUTO_TEST_CASE(only_a_known_payer_moves_the_status_of_a_claim) {
  ProposalWorld world;
  world.know_payer();
  const auto settlement = world.terms_of({"A"});
  world.arrives(Remittance{"N1", "T1", {{"A", 0, 100'000, std::nullopt, "4"}}, 0, ""});
  BOOST_TEST((world.claim_status("A").status == domain::ClaimStatus::reviewed));
  BOOST_REQUIRE(bool(world.decide(world.task_about("N1"), domain::kAssignPayer, "PAYER")));
  BOOST_TEST((world.claim_status("A").status == domain::ClaimStatus::denied));
  BOOST_TEST((tests::refusal_of(world.try_confirm(settlement)) == domain::ErrorCode::invalid_state));
}

BOOST_AUTO_TEST_CASE(undoing_a_charge_leaves_the_deposit_with_its_remittance) {
  ProposalWorld world;
  world.fund({"A"});
  world.fund({"B"});
  world.arrives(Cash{"D1", 150'000, "T1"});
  world.fund({"E"});
  world.arrives(Remittance{"N1", "T1", {{"A", 79'000}, taken_back("E", 9'000)}});
  world.arrives(Remittance{"N2", "T1", {{"B", 80'000}}});
  const auto held = story(world);
  const auto task = world.task_about("N1");
  for (int round = 0; round < 2; ++round) {
    const auto written_off = world.decide(world.task_about("N1"), domain::kAcceptShort, "missing");
    BOOST_REQUIRE_MESSAGE(written_off, why(written_off));
    BOOST_TEST(world.balance("suspense_unmatched") == domain::Money{});
    if (round > 0) break;
    BOOST_REQUIRE(bool(world.undo(task)));
    BOOST_TEST(world.balance("suspense_unmatched") == domain::Money::cents(-70'000));
    BOOST_TEST(world.proposed(world.task_about("N1")) == "50 D1: amount_differs");
  }
}

BOOST_AUTO_TEST_CASE(a_task_about_the_payers_own_number_closes_with_its_advance) {
  ProposalWorld world;
  const auto settlement = world.terms_of({"A"});
  world.arrives(Cash{"D1", 5'000, "T1"});
  world.arrives(Remittance{"N1", "T1", {{"X-77", 5'000, 110'000, std::nullopt, "1", "A"}}});
  BOOST_TEST(world.ends().find("match_ambiguous about N1") != std::string::npos, world.ends());
  BOOST_REQUIRE(
      bool(world.cancel_settlement(world.context("cancel"), settlement.text(), [](const auto&) { return ""; })));
  BOOST_TEST(world.ends().find("match_ambiguous") == std::string::npos, world.ends());
  BOOST_TEST(world.balance("suspense_unmatched") == domain::Money{});
}

BOOST_AUTO_TEST_CASE(a_held_remittance_is_not_corrected_by_other_claims_of_its_payment) {
  for (const bool held_first : {true, false}) {
    ProposalWorld world;
    world.fund({"A"});
    world.fund({"B"});
    const Remittance held{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "ACH", 100},
        other{"N2", "T1", {{"B", 80'000}}};
    world.arrives(held_first ? held : other);
    world.arrives(held_first ? other : held);
    BOOST_TEST(world.ends().find("remittance_unbalanced about N1") != std::string::npos, world.ends());
    BOOST_TEST(world.ends().find("trace_reused about " + std::string(held_first ? "N2" : "N1")) != std::string::npos,
               world.ends());
  }
  // A remittance of the same claims does.
  ProposalWorld world;
  world.fund({"A"});
  world.arrives(Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "ACH", 100});
  world.arrives(Remittance{"N2", "T1", {{"A", 79'000}}});
  BOOST_TEST(world.ends() == "A pending");
}

BOOST_AUTO_TEST_CASE(a_forward_balance_of_an_unknown_payer_opens_a_task) {
  for (const char* money_of : {"", "PAYER"}) {
    ProposalWorld world;
    world.fund({"A"});
    world.arrives(Cash{"D1", 79'000, "T1"});
    world.arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
    Remittance withholds{"N2", "T2", {{"STRANGER", 100'000, 120'000}}, 0, ""};
    withholds.adjustments = {{"FB", 50'000}};
    world.arrives(withholds);
    world.arrives(Cash{"D2", 50'000, "T2", 0, money_of});
    Remittance carries_forward{"N3", "T3", {{"STRANGER", 10'000, 120'000}}, 0, ""};
    carries_forward.adjustments = {{"FB", -50'000}};
    world.arrives(carries_forward);
    world.arrives(Cash{"D3", 60'000, "T3", 0, money_of});
    const bool asks = world.ends().find("match_ambiguous about N3") != std::string::npos;
    BOOST_TEST(asks == (*money_of == '\0'), world.ends());
    if (!asks) BOOST_TEST(world.balance("suspense_unmatched") == domain::Money{}, world.holdings());
  }
}

BOOST_AUTO_TEST_CASE(claims_without_a_charge_are_not_summed_as_parts) {
  ProposalWorld world;
  world.fund({"A", 100'000, "PAYER", {"99213"}});
  domain::RemittanceDraft draft;
  draft.payer_id = "PAYER";
  draft.trace_number = "T1";
  draft.payment_date = world.clock.now().utc_date();
  constexpr int kClaims = 2000;
  for (int i = 0; i < kClaims; ++i) {
    auto& claim = draft.claims.emplace_back();
    claim.claim_identifier = "A";
    claim.status = "1";
    claim.paid_amount = domain::Money::cents(1);
    auto& line = claim.lines.emplace_back();
    line.cpt = "99213";
    line.charge_amount = domain::Money::cents(100'000);
  }
  draft.payment_amount = domain::Money::cents(kClaims);
  world.arrives(Cash{"D1", kClaims, "T1"});
  const auto answer =
      (*world.post_remittance)(world.context("remittance"), {draft}, [](const auto&) { return std::string(); });
  BOOST_REQUIRE(bool(answer));
  BOOST_TEST(world.postings() == "A -");
  BOOST_TEST(world.ends().find("match_ambiguous") != std::string::npos, world.ends());
}

BOOST_AUTO_TEST_CASE(an_unbalanced_takeback_stays_held_when_its_payer_is_assigned) {
  ProposalWorld world;
  world.fund({"A"});
  world.arrives(Cash{"D1", 79'000, "T1"});
  world.arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  Remittance back{"N2", "T2", {taken_back("A", 79'000)}, 0, "", "", 0, "ACH", 10'000};
  back.adjustments = {{"FB", -69'000}};
  world.arrives(back);
  const auto before = world.holdings();
  back.payer = "PAYER";
  world.arrives(back);
  BOOST_TEST(world.holdings() == before);
  BOOST_TEST(world.ends().find("remittance_unbalanced about N2") != std::string::npos, world.ends());
}

BOOST_AUTO_TEST_CASE(a_takeback_without_money_under_a_known_trace_number_opens_a_task) {
  ProposalWorld world;
  world.fund({"A"});
  world.arrives(Cash{"D1", 79'000, "T1"});
  world.arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  Remittance back{"N2", "T2", {taken_back("A", 10'000)}};
  back.adjustments = {{"FB", -10'000}};
  world.arrives(back);
  BOOST_TEST(world.ends().find("trace_reused") == std::string::npos, world.ends());
  back.name = "N3";
  back.claims[0] = taken_back("A", 9'000);
  back.adjustments = {{"FB", -9'000}};
  world.arrives(back);
  BOOST_TEST(world.ends().find("trace_reused about N3") != std::string::npos, world.ends());
}

BOOST_AUTO_TEST_SUITE_END()
