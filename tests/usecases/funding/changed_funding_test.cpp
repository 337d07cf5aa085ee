// Changing rail, day or account of an unfunded settlement, and confirming it then: one payment, over the new rail
// (openapi.yaml: PATCH /v1/settlements/{settlement_id}/funding).
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/rails/change_funding.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "tests/usecases/funding/funding_world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::Money;
using domain::SettlementStatus;
using fakes::FakeRail;
using tests::detail_of;
using tests::FundingWorld;
using tests::refusal_of;

namespace {

struct ChangeWorld : FundingWorld {
  usecases::ChangeFunding change_funding{*store, payers, rules, rails, ids, true};

  domain::Result<usecases::StoredResponse> change(const domain::SettlementId& id, const usecases::FundingChange& to,
                                                  const std::string& key = "") {
    return change_funding(context("change " + id.text(), key), id.text(), to, [](const usecases::SettlementView& view) {
      return view.settlement.funding.rail + ' ' + std::to_string(view.attempts.size());
    });
  }
  domain::Result<usecases::StoredResponse> to_rail(const domain::SettlementId& id, const std::string& rail) {
    usecases::FundingChange to;
    to.rail = rail;
    return change(id, to);
  }
  /// Confirmed once over SAME_DAY and refused by the bank.
  domain::Settlement rejected(const std::string& identifier = "CLM-1") {
    const auto terms = ready(identifier);
    same_day.script = {{FakeRail::Answer::reject, "R03"}};
    BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_rejected);
    return terms;
  }
  std::vector<domain::DisbursementAttempt> attempts(const domain::SettlementId& id) {
    const auto view = usecases::GetSettlement(*store)(caller.tenant, id.text());
    BOOST_REQUIRE(bool(view));
    return view->attempts;
  }
  int payments() { return same_day.payment_count() + rtp.payment_count(); }

  usecases::DecideTask two_persons{*store, *disburse, payers, ids, true};
  usecases::DecideTask one_person{*store, *disburse, payers, ids, false};
  domain::ClientId first = caller.client, second = ids.next<domain::ClientId>(), third = ids.next<domain::ClientId>();

  domain::Settlement under_review() {
    rules.proposal.decision = domain::Decision::manual_review;
    const auto terms = ready();
    rules.proposal.decision = domain::Decision::approved;
    return terms;
  }
  domain::Result<usecases::StoredResponse> decide(usecases::DecideTask& by, const domain::ClientId& client,
                                                  const domain::TaskId& task) {
    caller.client = client;
    return by(context("decide"), task.text(), {"approve", "checked"}, [](const auto&) { return std::string("ok"); });
  }
  domain::Result<usecases::StoredResponse> to_account(const domain::ClientId& client, const domain::SettlementId& id) {
    caller.client = client;
    usecases::FundingChange to;
    to.payout_account_token = domain::Sensitive<std::string>("tok_other");
    return change(id, to);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(changed_funding, ChangeWorld)

BOOST_AUTO_TEST_CASE(a_rejected_settlement_is_paid_once_by_the_rail_that_replaces_the_first) {
  const auto terms = rejected();
  const auto changed = to_rail(terms.id, "RTP");
  BOOST_REQUIRE(changed);
  BOOST_TEST(changed->body == "RTP 1");
  BOOST_TEST(payments() == 0);
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::pending_confirmation);

  // The key of the refused confirm keeps its response and sends nothing.
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::conflict);
  BOOST_TEST(payments() == 0);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  for (const char* key : {"k2", ""}) BOOST_TEST(try_confirm(terms.id, key)->replayed);
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k3")) == ErrorCode::settlement_already_funded);

  BOOST_TEST(same_day.payment_count() == 0);
  BOOST_TEST(rtp.payment_count() == 1);
  BOOST_TEST(settlement(terms.id).funding.rail == "RTP");
  BOOST_TEST(balance(receivable(terms)) == terms.terms.advance_amount);
  BOOST_TEST(pending("funding_cash") == Money{});
  const auto made = attempts(terms.id);
  BOOST_REQUIRE(made.size() == 2u);
  BOOST_TEST(made[0].rail == "SAME_DAY");
  BOOST_TEST(made[0].state == AttemptState::rejected);
  BOOST_TEST(made[0].reason_code == "R03");
  BOOST_TEST(made[1].rail == "RTP");
  BOOST_TEST(made[1].number == 2);
  BOOST_TEST(made[1].rail_key != made[0].rail_key);
}

BOOST_AUTO_TEST_CASE(the_refusal_of_a_rail_names_the_way_to_change_it) {
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  const auto refused = try_confirm(terms.id);
  BOOST_TEST(refusal_of(refused) == ErrorCode::rail_rejected);
  const std::string change = "PATCH /v1/settlements/" + terms.id.text() + "/funding";
  BOOST_TEST(detail_of(refused.error(), "change_funding") == change);
  BOOST_TEST(refused.error().message.find(change) != std::string::npos);
  BOOST_TEST(detail_of(refused.error(), "rail") == "SAME_DAY");
}

BOOST_AUTO_TEST_CASE(another_account_is_paid_and_the_rest_of_the_plan_stays) {
  const auto terms = rejected();
  usecases::FundingChange to;
  to.payout_account_token = domain::Sensitive<std::string>("tok_other");
  BOOST_REQUIRE(bool(change(terms.id, to)));
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  check_funded_once(terms);
  BOOST_TEST(same_day.payments().begin()->second.payout_account_token == "tok_other");
  BOOST_TEST(settlement(terms.id).funding.rail == "SAME_DAY");
}

BOOST_AUTO_TEST_CASE(another_day_is_planned) {
  const auto terms = ready();
  usecases::FundingChange to;
  to.desired_date = clock.now().utc_date().plus(3);
  BOOST_REQUIRE(bool(change(terms.id, to)));
  BOOST_TEST((settlement(terms.id).funding.effective_date == *to.desired_date));
  // Another rail starts without the day of the first.
  BOOST_REQUIRE(bool(to_rail(terms.id, "RTP")));
  BOOST_TEST(!settlement(terms.id).funding.desired_date.has_value());
}

BOOST_AUTO_TEST_CASE(a_change_leaves_an_audit_row_and_its_response_under_the_key) {
  const auto terms = ready();
  const int rows = audit_rows();
  usecases::FundingChange to;
  to.rail = "RTP";
  BOOST_REQUIRE(bool(change(terms.id, to, "c1")));
  BOOST_TEST(audit_rows() == rows + 1);
  BOOST_TEST(answer_under("change " + terms.id.text(), "c1")->body == "RTP 0");
}

BOOST_AUTO_TEST_CASE(the_audit_row_of_a_change_names_the_members_that_it_sets) {
  const auto terms = ready();
  usecases::FundingChange to;
  to.rail = "RTP";
  to.payout_account_token = domain::Sensitive<std::string>("tok_other");
  to.fallback = std::vector<std::string>{"SAME_DAY"};
  BOOST_REQUIRE(bool(change(terms.id, to)));
  const auto rows = seen([&](const ports::Records& records) {
    return records.audit().list(caller.tenant, {.object_id = terms.id.text()}, {}, 9).rows;
  });
  BOOST_REQUIRE(!rows.empty());
  BOOST_TEST(rows.back().operation == "change " + terms.id.text() + " (rail, payout_account_token, fallback)");
  BOOST_TEST(rows.back().outcome == "ok");
}

BOOST_AUTO_TEST_CASE(no_client_that_changed_the_funding_decides_the_review) {
  const auto terms = under_review();
  const auto task = tasks("manual_review").front().id;
  BOOST_REQUIRE(bool(to_account(second, terms.id)));
  BOOST_REQUIRE(bool(to_account(third, terms.id)));  // the one before is still known
  for (const auto& client : {first, second, third})
    BOOST_TEST(refusal_of(decide(two_persons, client, task)) == ErrorCode::invalid_state);
  BOOST_TEST(tasks("manual_review").front().votes.empty());
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::pending_confirmation);
  BOOST_REQUIRE(bool(decide(two_persons, ids.next<domain::ClientId>(), task)));
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::approved);
}

BOOST_AUTO_TEST_CASE(a_change_that_overtakes_the_decision_of_its_client_refuses_it) {
  const auto terms = under_review();
  const auto task = tasks("manual_review").front().id;
  store->before_commit(1, [&] { BOOST_REQUIRE(bool(to_account(second, terms.id))); });
  BOOST_TEST(refusal_of(decide(two_persons, second, task)) == ErrorCode::invalid_state);
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::pending_confirmation);
}

BOOST_AUTO_TEST_CASE(the_client_that_approved_the_review_does_not_change_the_funding) {
  const auto terms = under_review();
  BOOST_REQUIRE(bool(decide(two_persons, second, tasks("manual_review").front().id)));
  BOOST_TEST(refusal_of(to_account(second, terms.id)) == ErrorCode::invalid_state);
  BOOST_TEST(settlement(terms.id).payout_account_token.reveal() == "tok_ok");
  BOOST_REQUIRE(bool(to_account(first, terms.id)));
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::approved);
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(without_two_person_decisions_one_client_changes_and_decides) {
  const auto terms = under_review();
  usecases::ChangeFunding alone{*store, payers, rules, rails, ids, false};
  usecases::FundingChange to;
  to.rail = "RTP";
  const auto change_alone = [&] {
    return bool(alone(context("change"), terms.id.text(), to, [](const auto&) { return std::string(); }));
  };
  BOOST_REQUIRE(change_alone());
  BOOST_REQUIRE(bool(decide(one_person, first, tasks("manual_review").front().id)));
  to.rail = "SAME_DAY";
  BOOST_REQUIRE(change_alone());
}

BOOST_AUTO_TEST_CASE(nothing_changes_while_a_payment_is_or_may_be_on_its_way) {
  const auto terms = ready();
  same_day.during_submit = [&] {
    const auto refused = to_rail(terms.id, "RTP");
    BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
    BOOST_TEST(detail_of(refused.error(), "funding_status") == "pending_submission");
  };
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
  const auto unknown = to_rail(terms.id, "RTP");
  BOOST_TEST(refusal_of(unknown) == ErrorCode::invalid_state);
  BOOST_TEST(detail_of(unknown.error(), "funding_status") == "unknown");
  resolve();
  check_funded_once(terms);
  BOOST_TEST(refusal_of(to_rail(terms.id, "RTP")) == ErrorCode::invalid_state);
  BOOST_TEST(settlement(terms.id).funding.rail == "SAME_DAY");
  BOOST_TEST(rtp.calls().empty());
}

BOOST_AUTO_TEST_CASE(an_ended_expired_or_unknown_settlement_has_no_funding_to_change) {
  rules.proposal.decision = domain::Decision::declined;
  BOOST_TEST(refusal_of(to_rail(ready("CLM-1").id, "RTP")) == ErrorCode::invalid_state);
  rules.proposal.decision = domain::Decision::approved;
  const auto canceled = ready("CLM-2");
  usecases::CancelSettlement cancel{*store, ids};
  BOOST_REQUIRE(bool(cancel(context("cancel"), canceled.id.text(), [](const auto&) { return std::string(); })));
  BOOST_TEST(refusal_of(to_rail(canceled.id, "RTP")) == ErrorCode::invalid_state);
  const auto lapsed = ready("CLM-3");
  clock.advance_days(7);
  BOOST_TEST(refusal_of(to_rail(lapsed.id, "RTP")) == ErrorCode::invalid_state);
  BOOST_TEST(refusal_of(to_rail(domain::SettlementId::of({9, 9}), "RTP")) == ErrorCode::settlement_not_found);
  caller.tenant = domain::TenantId::of({9, 9});
  BOOST_TEST(refusal_of(to_rail(lapsed.id, "RTP")) == ErrorCode::settlement_not_found);
}

BOOST_AUTO_TEST_CASE(an_unknown_rail_is_reported_before_the_state_of_the_settlement) {
  const auto paid = funded("CLM-1");
  BOOST_TEST(refusal_of(to_rail(paid.id, "RTP")) == ErrorCode::invalid_state);
  const auto unknown_rail = to_rail(paid.id, "CARRIER_PIGEON");
  BOOST_TEST(refusal_of(unknown_rail) == ErrorCode::validation_error);
  BOOST_TEST(unknown_rail.error().fields.front().path == "rail");
  usecases::FundingChange to;
  to.fallback = std::vector<std::string>{"CARRIER_PIGEON"};
  const auto unknown_fallback = change(paid.id, to);
  BOOST_TEST(refusal_of(unknown_fallback) == ErrorCode::validation_error);
  BOOST_TEST(unknown_fallback.error().fields.front().path == "fallback");
}

BOOST_AUTO_TEST_CASE(a_rail_that_cannot_pay_the_advance_is_refused) {
  const auto terms = ready();
  BOOST_TEST(refusal_of(to_rail(terms.id, "CARRIER_PIGEON")) == ErrorCode::validation_error);
  rtp.description.max_amount = Money::cents(100);
  BOOST_TEST(refusal_of(to_rail(terms.id, "RTP")) == ErrorCode::rail_limit_exceeded);
  rtp.description.max_amount = Money::cents(100'000'000);
  rtp.description.status = "suspended";
  BOOST_TEST(refusal_of(to_rail(terms.id, "RTP")) == ErrorCode::rail_unavailable);
  rtp.description.status = "operational";
  rtp.plan_refusal = domain::Error::of(ErrorCode::invalid_desired_date, "not today");
  const auto no_day = to_rail(terms.id, "RTP");
  BOOST_TEST(refusal_of(no_day) == ErrorCode::invalid_desired_date);
  BOOST_TEST(no_day.error().fields.front().path == "desired_date");
  BOOST_TEST(settlement(terms.id).version == terms.version);
}

BOOST_AUTO_TEST_CASE(a_rail_for_which_the_rules_give_other_terms_needs_a_new_adjudication) {
  rules.adapt = [](const ports::TermsFacts& facts, domain::TermsProposal proposal) {
    if (facts.rail == "RTP") proposal.fee_bps += 100;
    return proposal;
  };
  const auto terms = ready();
  BOOST_TEST(refusal_of(to_rail(terms.id, "RTP")) == ErrorCode::invalid_state);
  BOOST_TEST(settlement(terms.id).funding.rail == "SAME_DAY");
}

BOOST_AUTO_TEST_CASE(rails_are_compared_by_what_the_rules_know_of_payer_and_exposure_now) {
  for (const bool of_payer : {true, false}) {
    ChangeWorld world;
    const auto terms = world.ready();
    world.rules.adapt = [&](const ports::TermsFacts& facts, domain::TermsProposal proposal) {
      const bool differs = of_payer ? !facts.payer_supports_advance : facts.portfolio.payer_open > Money{};
      if (differs && facts.rail == "RTP") proposal.fee_bps += 100;
      return proposal;
    };
    if (of_payer)
      world.payers.payers[0].supports_advance = false;
    else
      world.funded("CLM-2");
    BOOST_TEST(refusal_of(world.to_rail(terms.id, "RTP")) == ErrorCode::invalid_state);
    BOOST_TEST(world.settlement(terms.id).funding.rail == "SAME_DAY");
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(rails_are_not_compared_while_a_terms_rule_fails) {
  const auto terms = ready();
  rules.terms_faults = {{"terms.standard", "exceeded its budget"}};
  rules.proposal = {domain::Decision::manual_review, 0, 0, {}};
  usecases::FundingChange to;
  to.fallback = std::vector<std::string>{"RTP"};
  for (const auto& refused : {to_rail(terms.id, "RTP"), change(terms.id, to)}) {
    BOOST_TEST(refusal_of(refused) == ErrorCode::rules_unavailable);
    BOOST_TEST(refused.error().retry_after_s.has_value());
  }
  BOOST_TEST(settlement(terms.id).version == terms.version);
  // Another account asks no rule.
  BOOST_REQUIRE(bool(to_account(first, terms.id)));
}

BOOST_AUTO_TEST_CASE(a_change_keeps_the_agreed_day_while_it_lies_ahead) {
  const auto terms = ready();
  usecases::FundingChange to;
  to.desired_date = clock.now().utc_date().plus(2);
  BOOST_REQUIRE(bool(change(terms.id, to)));
  same_day.only_today = true;  // the rail does not serve later days any more
  const auto refused = to_account(first, terms.id);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_desired_date);
  BOOST_TEST(refused.error().fields.front().path == "desired_date");
  BOOST_TEST(settlement(terms.id).payout_account_token.reveal() == "tok_ok");
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::invalid_desired_date);  // nor does a confirm pay before it
  BOOST_TEST(same_day.calls().empty());
  clock.advance_days(3);
  BOOST_REQUIRE(bool(to_account(first, terms.id)));
  const auto plan = settlement(terms.id).funding;
  BOOST_TEST((plan.desired_date == to.desired_date));
  BOOST_TEST((plan.effective_date == clock.now().utc_date()));
  BOOST_TEST(plan.adjusted);
}

BOOST_AUTO_TEST_CASE(a_strict_tenant_learns_the_next_day_in_place_of_one_that_has_passed) {
  const auto terms = ready();
  usecases::FundingChange to;
  to.desired_date = clock.now().utc_date();
  BOOST_REQUIRE(bool(change(terms.id, to)));
  same_day.only_today = true;
  clock.advance_days(1);
  caller.profile = domain::ValidationProfile::strict;
  const auto refused = to_account(first, terms.id);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_desired_date);
  BOOST_TEST(detail_of(refused.error(), "next_effective_date") == format_date(clock.now().utc_date()));
}

BOOST_AUTO_TEST_CASE(an_advance_that_was_rejected_twenty_times_is_not_sent_again) {
  const auto terms = ready();
  const auto reject = [&](int number) {
    same_day.script = {{FakeRail::Answer::reject, "R03"}};
    BOOST_TEST(refusal_of(try_confirm(terms.id, "k" + std::to_string(number))) == ErrorCode::rail_rejected);
  };
  for (int number = 1; number < domain::kMostAttempts; ++number) reject(number);
  usecases::FundingChange to;
  to.fallback = std::vector<std::string>{"RTP"};
  BOOST_REQUIRE(bool(change(terms.id, to)));
  reject(domain::kMostAttempts);
  BOOST_TEST(rtp.calls().empty());
  const auto refused = try_confirm(terms.id, "again");
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(detail_of(refused.error(), "settlement_id") == terms.id.text());
  BOOST_TEST(attempts(terms.id).size() == static_cast<std::size_t>(domain::kMostAttempts));
  usecases::CancelSettlement cancel{*store, ids};
  BOOST_REQUIRE(bool(cancel(context("cancel"), terms.id.text(), [](const auto&) { return std::string(); })));
  BOOST_REQUIRE(bool(try_confirm(ready().id)));
  BOOST_TEST(payments() == 1);
}

BOOST_AUTO_TEST_CASE(a_confirm_that_planned_for_the_old_rail_pays_nothing) {
  const auto terms = ready();
  bool changed = false;
  // Between what the confirm reads and its claim.
  rules.adapt = [&](const ports::TermsFacts&, domain::TermsProposal proposal) {
    if (!std::exchange(changed, true)) BOOST_REQUIRE(bool(to_rail(terms.id, "RTP")));
    return proposal;
  };
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::conflict);
  BOOST_TEST(payments() == 0);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k1")));
  BOOST_TEST(rtp.payment_count() == 1);
  BOOST_TEST(payments() == 1);
}

BOOST_AUTO_TEST_CASE(a_change_that_a_confirm_overtakes_changes_nothing) {
  const auto terms = ready();
  bool confirmed = false;
  rules.adapt = [&](const ports::TermsFacts&, domain::TermsProposal proposal) {
    if (!std::exchange(confirmed, true)) BOOST_REQUIRE(bool(try_confirm(terms.id, "k1")));
    return proposal;
  };
  BOOST_TEST(refusal_of(to_rail(terms.id, "RTP")) == ErrorCode::invalid_state);
  check_funded_once(terms);
  BOOST_TEST(rtp.payment_count() == 0);
}

BOOST_AUTO_TEST_CASE(a_change_that_another_change_overtakes_is_refused) {
  const auto terms = ready();
  bool changed = false;
  rules.adapt = [&](const ports::TermsFacts&, domain::TermsProposal proposal) {
    if (!std::exchange(changed, true)) {
      usecases::FundingChange to;
      to.payout_account_token = domain::Sensitive<std::string>("tok_first");
      BOOST_REQUIRE(bool(change(terms.id, to)));
    }
    return proposal;
  };
  BOOST_TEST(refusal_of(to_rail(terms.id, "RTP")) == ErrorCode::conflict);
  BOOST_TEST(settlement(terms.id).funding.rail == "SAME_DAY");
}

// The database lost the change and the payment after it. The key of the second attempt is the same on every rail.
BOOST_AUTO_TEST_CASE(a_payment_over_a_rail_that_the_database_has_lost_is_found_by_the_journal) {
  const auto terms = rejected();
  const std::string key = digests.digest("rail-key-v1", caller.tenant.text() + '\n' + terms.id.text() + "\n2");
  ports::JournalledSend lost;
  lost.tenant = caller.tenant;
  lost.subject = terms.id;
  lost.attempt = 2;
  lost.rail = "RTP";
  lost.key = key;
  lost.amount = terms.terms.advance_amount;
  lost.at = clock.now();
  BOOST_REQUIRE(bool(journal.append(lost)));
  (void)rtp.submit({key, lost.amount, "tok_ok", clock.now().utc_date()}, std::chrono::seconds(1));

  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  BOOST_TEST(same_day.payment_count() == 0);
  BOOST_TEST(rtp.payment_count() == 1);
  BOOST_TEST(attempt(terms.id).rail == "RTP");
  BOOST_TEST(attempt(terms.id).state == AttemptState::accepted);
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
  BOOST_TEST(settlement(terms.id).funding.rail == "RTP");
  BOOST_TEST(balance(receivable(terms)) == terms.terms.advance_amount);
}

BOOST_AUTO_TEST_SUITE_END()
