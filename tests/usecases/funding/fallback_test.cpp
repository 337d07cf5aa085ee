// `funding.fallback`: after a definite reject the next rail pays within the same confirm, once, and never after an
// unknown outcome.
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/rails/change_funding.hpp"
#include "core/usecases/request/tasks.hpp"
#include "tests/usecases/funding/funding_world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using domain::SettlementStatus;
using fakes::FakeRail;
using tests::detail_of;
using tests::FundingWorld;
using tests::refusal_of;

namespace {

struct FallbackWorld : FundingWorld {
  domain::Result<usecases::StoredResponse> try_terms(const std::string& identifier, std::vector<std::string> fallback,
                                                     std::optional<domain::Date> day = std::nullopt) {
    usecases::AdjudicationRequest request;
    request.authorization_id = review(draft(identifier)).authorization_id.text();
    request.rail = "SAME_DAY";
    request.desired_date = day;
    request.payout_account_token = domain::Sensitive<std::string>("tok_ok");
    request.fallback = std::move(fallback);
    return (*create_adjudication)(context("adjudicate"), request,
                                  [](const usecases::SettlementView& view) { return view.settlement.id.text(); });
  }
  domain::Settlement with_fallback(std::vector<std::string> fallback = {"RTP"},
                                   std::optional<domain::Date> day = std::nullopt) {
    const auto made = try_terms("CLM-1", std::move(fallback), day);
    BOOST_REQUIRE_MESSAGE(made, "the adjudication was refused: " << tests::why(made));
    return settlement(*domain::SettlementId::parse(made->body));
  }
  /// From now on requests are those of another tenant, which is strict.
  void be_strict() {
    const domain::Tenant tenant{ids.next<domain::TenantId>(), "strict", domain::ValidationProfile::strict,
                                domain::PostOn::deposit};
    caller.tenant = tenant.id;
    caller.profile = tenant.profile;
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      records.clients().insert_tenant(tenant, clock.now());
      return {};
    })));
  }
  /// What a comparison with a rail's statement opens when it shows another payment.
  void dispute(const domain::Settlement& terms) {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      usecases::open_task({records, caller.tenant, clock.now(), ids},
                          {domain::kRailDisagreement, terms.id.text(), "paid_not_booked"});
      return {};
    })));
  }
  void same_day_refuses() { same_day.script = {{FakeRail::Answer::reject, "R03"}}; }
  std::vector<domain::DisbursementAttempt> attempts(const domain::SettlementId& id) {
    return usecases::GetSettlement(*store)(caller.tenant, id.text())->attempts;
  }
  void check_paid_once_by_rtp(const domain::Settlement& terms) {
    const auto now = settlement(terms.id);
    BOOST_TEST(now.status == SettlementStatus::funded);
    BOOST_TEST(now.funding.rail == "RTP");
    BOOST_TEST(now.fallback.empty());
    BOOST_TEST(same_day.payment_count() == 0);
    BOOST_TEST(rtp.payment_count() == 1);
    BOOST_TEST(rtp.payments().begin()->second.amount == terms.terms.advance_amount);
    BOOST_TEST(balance(receivable(terms)) == terms.terms.advance_amount);
    BOOST_TEST(pending("funding_cash") == Money{});
    BOOST_TEST(events("funding.rejected") == 1);
    BOOST_TEST(events("settlement.funded") == 1);
    const auto made = attempts(terms.id);
    BOOST_REQUIRE(made.size() == 2u);
    BOOST_TEST(made[0].rail == "SAME_DAY");
    BOOST_TEST(made[0].state == AttemptState::rejected);
    BOOST_TEST(made[0].reason_code == "R03");
    BOOST_TEST(made[1].rail == "RTP");
    BOOST_TEST(made[1].state == AttemptState::accepted);
    BOOST_TEST(made[1].rail_key != made[0].rail_key);
    BOOST_TEST(journal.entries().size() == 2u);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(fallback, FallbackWorld)

BOOST_AUTO_TEST_CASE(after_a_reject_the_next_rail_pays_within_the_same_confirm) {
  const auto terms = with_fallback();
  BOOST_TEST(terms.fallback == std::vector<std::string>{"RTP"}, boost::test_tools::per_element());
  same_day_refuses();
  const auto confirmed = try_confirm(terms.id, "k1");
  BOOST_REQUIRE(confirmed);
  check_paid_once_by_rtp(terms);
  BOOST_TEST(answer_under("confirm " + terms.id.text(), "k1")->body == confirmed->body);
  const auto again = try_confirm(terms.id, "k1");
  BOOST_REQUIRE(again);
  BOOST_TEST(again->replayed);
  BOOST_TEST(again->body == confirmed->body);
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k2")) == ErrorCode::settlement_already_funded);
}

BOOST_AUTO_TEST_CASE(an_accepted_payment_uses_no_fallback) {
  const auto terms = with_fallback();
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  check_funded_once(terms);
  BOOST_TEST(rtp.calls().empty());
}

BOOST_AUTO_TEST_CASE(money_is_pending_once_between_the_reject_and_the_next_rail) {
  const auto terms = with_fallback();
  same_day_refuses();
  rtp.during_submit = [&] {
    BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::pending_submission);
    BOOST_TEST(pending("funding_cash") == -terms.terms.advance_amount);
    BOOST_TEST(!answer_under("confirm " + terms.id.text(), "k1").has_value());
    usecases::ChangeFunding change{*store, payers, rules, rails, ids, false};
    usecases::FundingChange to;
    to.rail = "SAME_DAY";
    BOOST_TEST(refusal_of(change(context("change"), terms.id.text(), to, [](const auto&) { return std::string(); })) ==
               ErrorCode::invalid_state);
  };
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k1")));
  check_paid_once_by_rtp(terms);
}

BOOST_AUTO_TEST_CASE(no_rail_follows_an_unknown_outcome) {
  const auto terms = with_fallback();
  same_day.script = {{FakeRail::Answer::time_out_lost}, {FakeRail::Answer::reject, "R03"}};
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
  BOOST_TEST(rtp.calls().empty());
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::unknown);
  // The rail drops repeats, so the resolver sends the key again and gets a refusal.
  resolve();
  BOOST_TEST(attempt(terms.id).state == AttemptState::rejected);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::rejected);
  BOOST_TEST(rtp.calls().empty());
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_rejected);
  // Only a new request goes on, and its reject is definite.
  same_day_refuses();
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  BOOST_TEST(rtp.payment_count() == 1);
  BOOST_TEST(same_day.payment_count() == 0);
  BOOST_TEST(attempts(terms.id).size() == 3u);
}

BOOST_AUTO_TEST_CASE(the_refusal_of_the_last_rail_is_the_response) {
  const auto terms = with_fallback();
  same_day_refuses();
  rtp.script = {{FakeRail::Answer::reject, "AC04"}};
  const auto refused = try_confirm(terms.id, "k1");
  BOOST_TEST(refusal_of(refused) == ErrorCode::rail_rejected);
  BOOST_TEST(detail_of(refused.error(), "code") == "AC04");
  BOOST_TEST(detail_of(refused.error(), "rail") == "RTP");
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::rejected);
  BOOST_TEST(events("funding.rejected") == 2);
  BOOST_TEST(pending("funding_cash") == Money{});
  BOOST_TEST(answer_under("confirm " + terms.id.text(), "k1")->body == "refused rail_rejected");
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::conflict);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  BOOST_TEST(rtp.payment_count() + same_day.payment_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_rail_that_cannot_pay_now_is_passed_over) {
  for (const bool suspended : {true, false}) {
    FallbackWorld world;
    const auto terms = world.with_fallback();
    if (suspended)
      world.rtp.description.status = "suspended";
    else
      world.rtp.plan_refusal = domain::Error::of(ErrorCode::invalid_desired_date, "not today");
    world.same_day_refuses();
    BOOST_TEST(refusal_of(world.try_confirm(terms.id)) == ErrorCode::rail_rejected);
    BOOST_TEST(world.rtp.calls().empty());
    BOOST_TEST(world.settlement(terms.id).funding_status == FundingStatus::rejected);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_rail_that_cannot_keep_an_agreed_day_that_lies_ahead_is_passed_over) {
  const auto terms = with_fallback({"RTP"}, clock.now().utc_date().plus(3));
  rtp.only_today = true;
  same_day_refuses();
  const auto refused = try_confirm(terms.id);
  BOOST_TEST(refusal_of(refused) == ErrorCode::rail_rejected);
  BOOST_TEST(detail_of(refused.error(), "rail") == "SAME_DAY");
  BOOST_TEST(rtp.calls().empty());
  BOOST_TEST((settlement(terms.id).funding.desired_date == terms.funding.desired_date));
}

BOOST_AUTO_TEST_CASE(an_agreed_day_that_has_passed_is_kept_and_the_next_rail_pays_on_its_next_one) {
  const auto day = clock.now().utc_date();
  const auto terms = with_fallback({"RTP"}, day);
  rtp.only_today = true;
  clock.advance_days(1);
  same_day_refuses();
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  check_paid_once_by_rtp(terms);
  const auto plan = settlement(terms.id).funding;
  BOOST_TEST((plan.desired_date == day));
  BOOST_TEST((plan.effective_date == day.plus(1)));
  BOOST_TEST(plan.adjusted);
}

BOOST_AUTO_TEST_CASE(no_rail_moves_the_agreed_day_of_a_strict_tenant) {
  be_strict();
  const auto terms = with_fallback({"RTP"}, clock.now().utc_date());
  rtp.only_today = true;
  same_day_refuses();
  same_day.during_submit = [&] { clock.advance_days(1); };
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_rejected);
  BOOST_TEST(rtp.calls().empty());
}

// The first try lost its answer. A second node sends the key again: its journal does not know it.
BOOST_AUTO_TEST_CASE(a_reject_on_another_node_after_an_unknown_outcome_starts_no_fallback) {
  const auto terms = with_fallback();
  same_day.script = {{FakeRail::Answer::time_out_lost}, {FakeRail::Answer::reject, "R03"}};
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
  fakes::MemoryJournal journal_b;
  usecases::DisburseOptions options;
  options.node = "b";
  usecases::Disburse disburse_b{*store, rails, journal_b, clock, ids, digests, options};
  clock.advance_s(3601);
  BOOST_REQUIRE(bool(usecases::ResolveDisbursements(*store, disburse_b, clock, "b")()));
  BOOST_TEST(journal_b.entries().size() == 1u);
  BOOST_TEST(attempt(terms.id).number == 1);
  BOOST_TEST(attempt(terms.id).state == AttemptState::rejected);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::rejected);
  BOOST_TEST(rtp.calls().empty());
}

BOOST_AUTO_TEST_CASE(a_reject_after_a_damaged_journal_starts_no_fallback) {
  const auto terms = with_fallback();
  store->die_after(1);  // the database has `intent`; what the journal had is lost
  BOOST_TEST(!try_confirm(terms.id, "k1"));
  store->revive();
  journal.damaged_until_ms = clock.now().ms();
  same_day_refuses();
  resolve();
  BOOST_TEST(attempt(terms.id).number == 1);
  BOOST_TEST(attempt(terms.id).state == AttemptState::rejected);
  BOOST_TEST(rtp.calls().empty());
}

BOOST_AUTO_TEST_CASE(a_disputed_payment_gets_no_further_rail) {
  const auto terms = with_fallback();
  same_day_refuses();
  same_day.during_submit = [&] { dispute(terms); };
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_rejected);
  BOOST_TEST(rtp.calls().empty());
  BOOST_TEST(attempts(terms.id).size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_attempt_that_waits_is_not_sent_while_a_payment_is_disputed) {
  const auto terms = with_fallback();
  store->die_after(1);
  BOOST_TEST(!try_confirm(terms.id, "k1"));
  store->revive();
  dispute(terms);
  resolve();
  BOOST_TEST(attempt(terms.id).state == AttemptState::rejected);
  BOOST_TEST(attempt(terms.id).reason_code == domain::kPaymentDisputed);
  BOOST_TEST(same_day.calls().empty());
  BOOST_TEST(rtp.calls().empty());
  BOOST_TEST(pending("funding_cash") == Money{});
}

BOOST_AUTO_TEST_CASE(a_claim_that_was_decided_meanwhile_gets_no_further_rail) {
  const auto terms = with_fallback();
  same_day_refuses();
  same_day.during_submit = [&] {
    usecases::StatusUpdate update;
    update.status = domain::ClaimStatus::voided;
    BOOST_REQUIRE(
        bool((*update_claim_status)(context("status"), "CLM-1", update, [](const auto&) { return std::string(); })));
  };
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_rejected);
  BOOST_TEST(rtp.calls().empty());
  BOOST_TEST(attempts(terms.id).size() == 1u);
}

// The reject and the next attempt are one transaction, the third of the confirm.
BOOST_AUTO_TEST_CASE(a_crash_after_the_reject_leaves_the_next_rail_to_the_resolver) {
  const auto terms = with_fallback();
  same_day_refuses();
  store->die_after(3);
  BOOST_TEST(!try_confirm(terms.id, "k1"));
  store->revive();
  BOOST_TEST(attempt(terms.id).number == 2);
  BOOST_TEST(attempt(terms.id).state == AttemptState::intent);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::pending_submission);
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::idempotency_in_progress);
  resolve();
  check_paid_once_by_rtp(terms);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k1")));
  check_paid_once_by_rtp(terms);
}

BOOST_AUTO_TEST_CASE(a_crash_before_the_reject_is_stored_tries_no_other_rail) {
  const auto terms = with_fallback();
  same_day_refuses();
  store->die_after(2);
  BOOST_TEST(!try_confirm(terms.id, "k1"));
  store->revive();
  resolve();
  BOOST_TEST(attempt(terms.id).number == 1);
  BOOST_TEST(attempt(terms.id).state == AttemptState::rejected);
  BOOST_TEST(rtp.calls().empty());
}

BOOST_AUTO_TEST_CASE(the_commit_of_a_reject_whose_answer_is_lost_goes_on_with_the_next_rail) {
  const auto terms = with_fallback();
  same_day_refuses();
  store->lose_answer_of_commit(3);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k1")));
  check_paid_once_by_rtp(terms);
}

BOOST_AUTO_TEST_CASE(an_unknown_outcome_of_the_next_rail_is_resolved_over_that_rail) {
  const auto terms = with_fallback();
  same_day_refuses();
  rtp.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
  resolve();
  check_paid_once_by_rtp(terms);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k1")));
}

BOOST_AUTO_TEST_CASE(a_list_names_each_other_rail_once_and_only_rails_with_the_same_terms) {
  for (const auto& wrong : std::vector<std::vector<std::string>>{{"SAME_DAY"}, {"RTP", "RTP"}, {"NO_SUCH_RAIL"}}) {
    const auto refused = try_terms("CLM-1", wrong);
    BOOST_TEST(refusal_of(refused) == ErrorCode::validation_error);
    BOOST_TEST(refused.error().fields.front().path == "funding.fallback");
  }
  rules.adapt = [](const ports::TermsFacts& facts, domain::TermsProposal proposal) {
    if (facts.rail == "RTP") proposal.fee_bps += 100;
    return proposal;
  };
  BOOST_TEST(refusal_of(try_terms("CLM-1", {"RTP"})) == ErrorCode::validation_error);
  rules.terms_faults = {{"terms.standard", "exceeded its budget"}};
  BOOST_TEST(refusal_of(try_terms("CLM-1", {"RTP"})) == ErrorCode::rules_unavailable);
}

BOOST_AUTO_TEST_CASE(a_change_of_funding_sets_the_list_and_drops_the_first_rail_from_it) {
  usecases::ChangeFunding change_funding{*store, payers, rules, rails, ids, false};
  const auto change = [&](const domain::SettlementId& id, const usecases::FundingChange& to) {
    return change_funding(context("change"), id.text(), to, [](const auto&) { return std::string(); });
  };
  const auto terms = with_fallback();
  usecases::FundingChange to;
  to.rail = "RTP";
  BOOST_REQUIRE(bool(change(terms.id, to)));
  BOOST_TEST(settlement(terms.id).fallback.empty());
  to.rail.reset();
  to.fallback = std::vector<std::string>{"SAME_DAY"};
  BOOST_REQUIRE(bool(change(terms.id, to)));
  to.fallback = std::vector<std::string>{"RTP"};
  BOOST_TEST(refusal_of(change(terms.id, to)) == ErrorCode::validation_error);
  rtp.script = {{FakeRail::Answer::reject, "AC04"}};
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  BOOST_TEST(same_day.payment_count() == 1);
  BOOST_TEST(rtp.payment_count() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
