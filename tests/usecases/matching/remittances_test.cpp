// Remittances: unbalanced, repeated, corrected, denied, or reduced by adjustments
// (core/docs/contract.md#reconciliation).
#include <set>
#include <string>
#include <vector>

#include "tests/usecases/matching/matching_world.hpp"

using namespace tideover;
using domain::FinalStatus;
using domain::MatchState;
using domain::Money;
using tests::MatchingWorld;
using tests::why;
using ClaimState = domain::RemittanceClaimRecord::State;

BOOST_FIXTURE_TEST_SUITE(matching, MatchingWorld)

BOOST_AUTO_TEST_CASE(an_unbalanced_remittance_is_held) {
  const auto settlement = funded("CLM-1");
  auto draft = remittance_of({paid("CLM-1", 79'000)}, "T1");
  draft.payment_amount = Money::cents(79'001);
  const auto remittance = arrives(draft);
  BOOST_TEST(tasks("remittance_unbalanced").size() == 1u);
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::reviewed);  // none of its claims count
  BOOST_TEST(arrives(money(79'001, "T1")).status == MatchState::unmatched);
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending);
  BOOST_TEST((again(remittance).claims.front().state == ClaimState::waiting));
}

BOOST_AUTO_TEST_CASE(a_corrected_remittance_closes_the_task_about_the_unbalanced_one) {
  const auto settlement = funded("CLM-1");
  auto draft = remittance_of({paid("CLM-1", 79'000)}, "T1");
  draft.payment_amount = Money::cents(79'001);
  arrives(draft);
  BOOST_TEST(tasks("remittance_unbalanced").size() == 1u);
  arrives(money(79'000, "T1"));
  draft.payment_amount = Money::cents(79'000);
  arrives(draft);
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled);
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_remittance_of_another_day_does_not_correct_an_unbalanced_one) {
  funded("CLM-1");
  auto draft = remittance_of({paid("CLM-1", 79'000)}, "T1");
  draft.payment_amount = Money::cents(79'001);
  arrives(draft);
  draft.payment_amount = Money::cents(79'002);
  arrives(draft);
  draft.payment_amount = Money::cents(79'000);
  draft.payment_date = clock.now().utc_date().plus(-40);
  arrives(draft);
  BOOST_TEST(tasks("remittance_unbalanced").size() == 2u);
  BOOST_TEST(tasks("trace_reused").size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_remittance_sent_again_with_its_payer_is_a_duplicate_and_matches_its_deposit) {
  const auto settlement = funded("CLM-1");
  auto draft = remittance_of({paid("CLM-1", 79'000)});
  draft.payer_id = "";
  const auto first = arrives(draft);
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
  arrives(money(79'000, ""));
  const int rows = audit_rows();
  draft.payer_id = "PAYER";
  BOOST_TEST(arrives(draft).id.text() == first.id.text());
  BOOST_TEST(!seen_before);
  BOOST_TEST(audit_rows() == rows + 1);
  BOOST_TEST(events("remittance.received") == 1);
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled);
  BOOST_TEST(tasks().empty());
  arrives(draft);
  BOOST_TEST(seen_before);
}

BOOST_AUTO_TEST_CASE(a_denial_without_money_needs_no_deposit) {
  const auto settlement = funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", 0, "4")}));
  const auto whole = reconciliation(settlement.id);
  BOOST_TEST(whole.status == FinalStatus::denied);
  BOOST_TEST(whole.shortfall_absorbed == Money::cents(65'280));
  BOOST_TEST(balance("loss_on_receivable") == Money::cents(64'000));
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::denied);
  BOOST_TEST(events("reconciliation.posted") == 1);
}

BOOST_AUTO_TEST_CASE(a_zero_payment_without_denial_status_is_not_denied) {
  const auto settlement = funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", 0, "1")}));
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled_short);
}

BOOST_AUTO_TEST_CASE(a_payment_reduced_by_provider_adjustments_is_posted_in_full) {
  const auto settlement = funded("CLM-1");
  auto draft = remittance_of({paid("CLM-1", 79'000)});
  draft.provider_adjustments.push_back({"WO", "", Money::cents(79'000)});
  draft.payment_amount = Money{};
  arrives(draft);
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled);
  BOOST_TEST(balance(payable()) == Money::cents(79'000 - 13'720));  // the practice owes what was withheld

  const auto other = funded("CLM-2");
  auto partly = remittance_of({paid("CLM-2", 79'000)}, "T2");
  partly.provider_adjustments.push_back({"WO", "", Money::cents(9'000)});
  partly.payment_amount = Money::cents(70'000);
  arrives(partly);
  arrives(money(70'000, "T2"));
  BOOST_TEST(reconciliation(other.id).status == FinalStatus::settled);
  BOOST_TEST(tasks("match_ambiguous").empty());
  BOOST_TEST(balance("suspense_unmatched") == Money{});
}

BOOST_AUTO_TEST_CASE(a_repeated_remittance_changes_nothing) {
  const auto settlement = funded("CLM-1");
  const auto draft = remittance_of({paid("CLM-1", 79'000)}, "T1");
  const auto first = arrives(draft);
  BOOST_TEST(!seen_before);
  arrives(money(79'000, "T1"));
  const auto before = books();
  auto same = draft;
  same.payer_id = "alias";  // an alias of the payer
  const auto second = arrives(same);
  BOOST_TEST(seen_before);
  BOOST_TEST(second.id == first.id);
  BOOST_TEST((books() == before));
  BOOST_TEST(events("remittance.received") == 1);
  BOOST_TEST(reconciliation(settlement.id).records.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_repeat_of_a_paid_remittance_has_its_provider_adjustments) {
  funded("CLM-1");
  auto draft = remittance_of({paid("CLM-1", 79'000)}, "T1");
  draft.provider_adjustments.push_back({"WO", "OLD-1", Money::cents(1'000)});
  draft.payment_amount = Money::cents(78'000);
  const auto first = arrives(draft);
  arrives(money(78'000, "T1"));
  const auto repeats = [&](const domain::ProviderAdjustment& adjustment) {
    auto sent = draft;
    sent.provider_adjustments = {adjustment};
    return arrives(sent).id == first.id && seen_before;
  };
  BOOST_TEST(repeats({"WO", "old 1", Money::cents(1'000)}));  // the same number in another form
  BOOST_TEST(repeats({"WO", "", Money::cents(1'000)}));       // a sender left it out
  BOOST_TEST(!repeats({"WO", "OLD-2", Money::cents(1'000)}));
  BOOST_TEST(!repeats({"72", "OLD-1", Money::cents(1'000)}));
  BOOST_TEST(!repeats({"WO", "OLD-1", Money::cents(2'000)}));
  auto without = draft;
  without.provider_adjustments.clear();
  BOOST_TEST((arrives(without).id != first.id));
}

BOOST_AUTO_TEST_CASE(a_remittance_with_one_corrected_detail_is_a_new_one) {
  auto draft = remittance_of({paid("CLM-1", 79'000)}, "T1");
  draft.claims.front().lines.emplace_back().cpt = "99213";
  std::set<std::string> seen_ids{arrives(draft).id.text()};
  const auto corrects = [&](const auto& detail) {
    auto corrected = draft;
    detail(corrected.claims.front(), corrected.claims.front().lines.front());
    return seen_ids.insert(arrives(corrected).id.text()).second;
  };
  BOOST_TEST(corrects([](auto&, auto& line) { line.units = "2"; }));
  BOOST_TEST(corrects([](auto&, auto& line) { line.submitted_cpt = "99214"; }));
  BOOST_TEST(corrects([](auto&, auto& line) { line.submitted_modifier = "25"; }));
  BOOST_TEST(corrects([](auto&, auto& line) { line.allowed_amount = Money::cents(80'000); }));
  BOOST_TEST(corrects([this](auto&, auto& line) { line.date_of_service = clock.now().utc_date(); }));
  BOOST_TEST(corrects([](auto& claim, auto&) { claim.patient_responsibility = Money::cents(1'000); }));
  BOOST_TEST(corrects([](auto& claim, auto&) { claim.patient_responsibility = Money{}; }),
             "zero differs from no amount");
  BOOST_TEST(!corrects([](auto&, auto&) {}));
}

BOOST_AUTO_TEST_CASE(a_second_payment_of_a_settled_claim_opens_a_task) {
  const auto settlement = funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", 79'000)}, "T1"));
  arrives(money(79'000, "T1"));
  const auto second = arrives(remittance_of({paid("CLM-1", 79'000)}, "T2"));
  const auto deposit = arrives(money(79'000, "T2"));
  BOOST_TEST((again(second).claims.front().state == ClaimState::waiting));
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
  BOOST_TEST(deposit.matched_amount == Money{});
  BOOST_TEST(balance("suspense_unmatched") == Money::cents(-79'000));
  BOOST_TEST(reconciliation(settlement.id).records.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_takeback_netted_against_an_unadvanced_claim_is_credited_to_the_provider) {
  const auto settlement = funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", 79'000)}, "T1"));
  arrives(money(79'000, "T1"));
  // A takeback that is netted against the payment of another claim.
  auto back = paid("CLM-1", -79'000, "22");
  back.charge_amount = Money::cents(-100'000);
  arrives(remittance_of({back, paid("CLM-9", 79'000)}, "T2"));
  BOOST_TEST(tasks().empty());
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::reversed);
  BOOST_TEST(balance("suspense_unmatched") == Money{});
  BOOST_TEST(balance(payable()) == Money::cents(-79'000));  // the residual was not paid out and is reversed
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::reversed);
}

BOOST_AUTO_TEST_CASE(the_answer_shows_each_payment_after_the_whole_file_is_posted) {
  const auto settlement = funded("CLM-1");
  arrives(money(79'000, "T1"));
  // The correction waits for the payment that it reverses, which follows later in the file.
  auto correction = remittance_of({paid("CLM-1", -79'000, "22", -100'000), paid("CLM-1", 79'000)}, "T2");
  const auto answer =
      (*post_remittance)(context("remittance"), {correction, remittance_of({paid("CLM-1", 79'000)}, "T1")},
                         [](const std::vector<usecases::PostedRemittance>& posted) {
                           std::string text;
                           for (const auto& one : posted)
                             text += std::string(name_of(domain::status_of(one.remittance))) + ' ';
                           return text;
                         });
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  BOOST_TEST(answer->body == "posted posted ");
}

BOOST_AUTO_TEST_CASE(only_a_processed_claim_is_settled) {
  for (const char* status : {"22", "23", "25", "9"}) {
    const std::string claim = std::string("CLM-") + status;
    const auto settlement = funded(claim);
    arrives(remittance_of({paid(claim, 0, status)}));
    BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending, status);
  }
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);  // 22, 23 and 25 move nothing; 9 is no known status
  BOOST_TEST(balance("loss_on_receivable") == Money{});
}

BOOST_AUTO_TEST_CASE(duplicates_are_detected_after_a_change_of_the_directory) {
  auto draft = remittance_of({paid("CLM-1", 79'000)}, "T1");
  draft.payer_id = "the insurer";
  auto deposit = money(79'000, "T9");
  deposit.payer_id = "the insurer";
  deposit.external_id = "bank-42";
  const auto said = arrives(draft);
  const auto came = arrives(deposit);
  payers.payers.emplace_back().payer_id = "PAYER";
  payers.payers.back().name = "The Insurer";
  payers.payers.back().aliases = {"the insurer"};
  BOOST_TEST(arrives(draft).id.text() == said.id.text());
  BOOST_TEST(seen_before);
  BOOST_TEST(arrives(deposit).id.text() == came.id.text());
}

BOOST_AUTO_TEST_CASE(a_corrected_claim_is_paid_if_its_reversal_comes_last) {
  funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", 79'000)}, "T1"));
  arrives(money(79'000, "T1"));
  arrives(remittance_of({paid("CLM-1", 80'000), paid("CLM-1", -79'000, "22", -100'000)}, "T2"));
  arrives(money(1'000, "T2"));
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::paid);
}

BOOST_AUTO_TEST_CASE(production_refuses_payments_of_a_test_file) {
  auto test = remittance_of({paid("CLM-1", 79'000)}, "T1");
  test.is_test = true;
  const auto post = [&] {
    return (*post_remittance)(context("remittance"), {remittance_of({paid("CLM-2", 100)}, "T2"), test},
                              [](const auto&) { return std::string(); });
  };
  caller.environment = domain::Environment::production;
  const auto refused = post();
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == domain::ErrorCode::invalid_payload));
  BOOST_TEST(refused.error().message.find("Payment 2 is from a test interchange (ISA15 is T)") != std::string::npos,
             refused.error().message);
  caller.environment = domain::Environment::sandbox;
  BOOST_TEST(bool(post()));
}

BOOST_AUTO_TEST_SUITE_END()
