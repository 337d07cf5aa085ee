// Bytes as a sequence of arrivals (remittances, deposits), decisions of reviewers and their undo, confirms, payouts and
// returns, on a real store. Every step is taken or refused with a reason, no key is paid twice, and in the end the
// verification of ledger and audit trail finds nothing.
//
// The first byte chooses what posts payments: bank deposits, or remittances. Then a step is its kind and its choices.
#include <algorithm>
#include <future>

#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/funding/confirm_settlement.hpp"
#include "core/usecases/funding/create_adjudication.hpp"
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/funding/resolve_disbursements.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"
#include "core/usecases/reconciliation/report_waiting.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"
#include "core/usecases/reviews/review_claim.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"
#include "tests/fakes/fake_payers.hpp"
#include "tests/fakes/fake_rail.hpp"
#include "tests/fakes/fake_rules.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/fresh_store.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

using domain::Money;
using Answer = fakes::FakeRail::Answer;

constexpr int kMostSteps = 30;
constexpr std::array<const char*, 6> kClaims{"A0", "A1", "A2", "A3", "A4", "STRANGER"};
constexpr std::array<const char*, 5> kTraces{"T0", "T1", "T2", "T3", ""};
constexpr std::array<const char*, 4> kPayers{"PAYER", "PAYER", "OTHER", "UNKNOWN"};

class NoFormats final : public ports::RemittanceFormats {
 public:
  ports::RemittanceFormat* find(std::string_view) override { return nullptr; }
  std::vector<std::string> names() const override { return {}; }
};

class Books {
 public:
  explicit Books(domain::PostOn post_on) : store_(post_on) {
    for (const char* id : {"PAYER", "OTHER"}) {
      auto& payer = payers_.payers.emplace_back();
      payer.payer_id = id;
      payer.rates = {0, 8000, 0, 21, 30};  // of 1000.00 submitted, 800.00 expected and 640.00 advanced for 12.80
    }
    rail_.expected_settlement = store_.clock.now().plus_ms(1'000);
  }

  void step(Choices& choices) {
    switch (choices.byte() % 14) {
      case 0:
      case 1:
        return fund(choices);
      case 2:
      case 3:
        return receive_deposit(choices);
      case 4:
      case 5:
      case 6:
        return receive_remittance(choices);
      case 7:
      case 8:
        return decide(choices);
      case 9:
        return undo(choices);
      case 10:
        return pay_residuals(choices);
      case 11:
        return pass_time(choices);
      case 12:
        return return_payment(choices);
      default:
        return end_terms(choices);
    }
  }

  void verify() {
    for (const auto& [key, payment] : rail_.payments()) must(payment.count == 1, "one key is paid once");
    store_.verify();
  }

 private:
  static bool is_taken(const domain::Error& error) {
    must(!error.message.empty(), "a refusal says why");
    if (error.code == domain::ErrorCode::internal_error || error.code == domain::ErrorCode::service_unavailable)
      throw Broken("a step is taken or refused, and not: " + error.message);
    return false;
  }
  template <class T>
  static bool is_taken(const domain::Result<T>& result) {
    return result ? true : is_taken(result.error());
  }

  Money amount(Choices& choices) {
    const std::int64_t most = domain::kLargestAmount.cents();
    const std::array<std::int64_t, 14> ordinary{79'000,  80'000,  79'000, 60'000, 65'280,   65'279,  100'000,
                                                158'000, 300'000, 1,      most,   most - 1, 139'000, 40'000};
    const unsigned kind = choices.byte();
    if (kind < 224) return Money::cents(ordinary[kind % ordinary.size()]);
    const std::int64_t high = choices.byte();
    return Money::cents(1 + high * 256 + choices.byte());
  }
  domain::Date day(Choices& choices) {
    return store_.clock.now().utc_date().plus(static_cast<int>(choices.byte() % 5) - 3);
  }

  void script_rail(Choices& choices) {
    static const std::array<fakes::FakeRail::Step, 8> answers{
        {{}, {}, {}, {}, {}, {Answer::reject, "R03"}, {Answer::time_out_accepted}, {Answer::time_out_lost}}};
    rail_.script = {choices.one_of(answers)};
  }

  /// The id of the review, once it is stored.
  domain::Result<usecases::StoredResponse> review(const domain::ClaimDraft& claim) {
    std::promise<domain::Result<usecases::StoredResponse>> answer;
    const auto started = review_.start(
        store_.context("review"), claim, [](const domain::Review& made) { return made.authorization_id.text(); },
        [&](auto given) { answer.set_value(std::move(given)); });
    if (!started) return started.error();
    return answer.get_future().get();
  }

  /// A claim from its review to the confirm.
  void fund(Choices& choices) {
    domain::ClaimDraft claim;
    claim.claim_identifier = kClaims[choices.byte() % 5];
    claim.chart_identifier = domain::Sensitive<std::string>("CHART-" + claim.claim_identifier);
    claim.servicer_npi = claim.billing_npi = "1234567893";
    claim.payer_id = kPayers[choices.byte() % 4];
    const std::array<std::int64_t, 6> billed{100'000, 100'000, 100'000, 250'000, 1, domain::kLargestAmount.cents()};
    claim.submitted_amount = Money::cents(choices.one_of(billed));
    claim.date_of_service = store_.clock.now().utc_date().plus(-2);
    const auto reviewed = review(claim);
    if (!is_taken(reviewed)) return;
    const unsigned terms = choices.byte();
    rules_.proposal.decision = terms % 8 == 7 ? domain::Decision::manual_review : domain::Decision::approved;
    const auto adjudicated =
        adjudicate_(store_.context("adjudicate"),
                    {reviewed->body, "SAME_DAY", std::nullopt, domain::Sensitive<std::string>("tok_ok")},
                    [](const usecases::SettlementView& view) { return view.settlement.id.text(); });
    if (!is_taken(adjudicated)) return;
    settlements_.push_back(adjudicated->body);
    if (terms % 16 < 14) confirm(choices, adjudicated->body);
  }

  void confirm(Choices& choices, const std::string& settlement) {
    script_rail(choices);
    is_taken(confirm_(
        store_.context("confirm " + settlement), settlement, [](const auto&) { return "funded"; },
        [](const auto&) { return "refused"; }));
    rail_.script.clear();
  }

  void receive_deposit(Choices& choices) {
    domain::Deposit deposit;
    deposit.payer_id = kPayers[choices.byte() % 4];
    deposit.amount = amount(choices);
    deposit.trace_number = choices.one_of(kTraces);
    deposit.received_date = day(choices);
    deposit.external_id = choices.one_of(std::array<const char*, 4>{"", "", "E0", "E1"});
    if (choices.byte() % 4 != 3) {
      is_taken(post_deposit_(store_.context("deposit"), deposit,
                             [](const usecases::PostedDeposit& posted) { return posted.deposit.id.text(); }));
      return;
    }
    deposit.id = store_.ids.next<domain::DepositId>();
    deposit.created_at = store_.clock.now();
    deposit.channel = "bai2";  // as a bank's file reports it
    is_taken(store_.sql->commit([&](ports::Records& records) -> domain::Status {
      records.clients().guard_matching(store_.caller.tenant);
      const auto taken =
          usecases::take_deposit({records, store_.caller.tenant, store_.clock.now(), store_.ids}, deposit);
      if (!taken) return taken.error();
      usecases::leave_trace(records, store_.context("deposit"), store_.ids, deposit.id.text(), "");
      return {};
    }));
  }

  void receive_remittance(Choices& choices) {
    const unsigned kind = choices.byte();
    if (kind % 8 == 7 && !remittances_.empty()) {  // once more
      post(remittances_[choices.byte() % remittances_.size()]);
      return;
    }
    domain::RemittanceDraft draft;
    draft.payer_id = kPayers[choices.byte() % 4];
    draft.trace_number = choices.one_of(kTraces);
    draft.payment_method = "ACH";
    draft.payment_date = day(choices);
    for (unsigned left = choices.byte() % 4; left > 0; --left) {
      draft.claims.push_back(paid_claim(choices));
      draft.payment_amount += draft.claims.back().paid_amount;
    }
    for (unsigned left = choices.byte() % 3; left > 0; --left) {
      static const std::array<std::string, 5> codes{"FB", "WO", "L6", "CS", "72"};
      static const std::array<std::string, 5> references{"", "T0", "T1", "ICN-A0", "ICN-0"};
      const auto cents = choices.byte() % 2 == 0 ? -amount(choices) : amount(choices);
      draft.provider_adjustments.push_back({choices.one_of(codes), choices.one_of(references), cents});
      draft.payment_amount -= cents;
    }
    if (kind % 16 == 8) draft.payment_amount += Money::cents(1);  // off balance
    if (const auto most = domain::kLargestAmount; draft.payment_amount > most || draft.payment_amount < -most) return;
    remittances_.push_back(draft);
    post(std::move(draft));
  }

  domain::RemittanceClaim paid_claim(Choices& choices) {
    domain::RemittanceClaim claim;
    claim.claim_identifier = choices.one_of(kClaims);
    claim.payer_claim_number = "ICN-" + claim.claim_identifier;
    claim.status = choices.one_of(std::array<const char*, 8>{"1", "1", "1", "2", "19", "4", "22", "22"});
    const bool is_reversal = claim.status == "22";
    claim.charge_amount = Money::cents(is_reversal ? -100'000 : 100'000);
    if (claim.status != "4") claim.paid_amount = is_reversal ? -amount(choices) : amount(choices);
    if (choices.byte() % 4 == 0) claim.date_of_service = store_.clock.now().utc_date().plus(-2);
    return claim;
  }

  void post(domain::RemittanceDraft draft) {
    is_taken(post_remittance_(
        store_.context("remittance"), {std::move(draft)},
        [](const std::vector<usecases::PostedRemittance>& posted) { return posted.front().remittance.id.text(); }));
  }

  /// A reviewer decides an open task, with one of its proposals where it has some.
  void decide(Choices& choices) {
    const auto tasks = store_.seen([&](const ports::Records& records) {
      return records.tasks().list(store_.caller.tenant, {domain::TaskStatus::open, "", ""}, {"", 100});
    });
    if (tasks.empty()) return;
    const auto& task = tasks[choices.byte() % tasks.size()];
    const auto id = task.id.text();
    const auto view = usecases::ReadTasks(*store_.sql).view(store_.caller.tenant, id);
    if (!is_taken(view)) return;
    const auto allowed = domain::decisions_of(task);
    const unsigned how = choices.byte();
    usecases::TaskDecision decision{allowed[how / 4 % allowed.size()], "as the bank says", "PAYER"};
    if (const auto& proposals = view->proposals; !proposals.empty() && how % 4 != 0) {
      const auto& proposal = proposals[choices.byte() % proposals.size()];
      decision = {std::string(proposal.decision), "as the bank says", proposal.id};
    }
    if (is_taken(decide_(store_.context("decide"), id, decision, task_body))) decided_.push_back(id);
  }

  void undo(Choices& choices) {
    if (decided_.empty()) return;
    const auto task = decided_.begin() + static_cast<std::ptrdiff_t>(choices.byte() % decided_.size());
    if (is_taken(decide_.undo(store_.context("undo"), *task, "the bank erred", task_body))) decided_.erase(task);
  }

  static std::string task_body(const domain::Task& task) { return task.id.text(); }

  void pay_residuals(Choices& choices) {
    script_rail(choices);
    if (const unsigned which = choices.byte(); which % 2 == 0 || settlements_.empty()) {
      is_taken(pay_residuals_());
      is_taken(resolve_());
    } else {
      is_taken(pay_residual_(
          store_.context("pay"), settlements_[which / 2 % settlements_.size()], [](const auto&) { return "paid"; },
          [](const auto&) { return "refused"; }));
    }
    rail_.script.clear();
  }

  void pass_time(Choices& choices) {
    const unsigned how = choices.byte();
    how % 2 == 0 ? store_.clock.advance_s(3'601) : store_.clock.advance_days(1 + static_cast<int>(how) / 4);
    is_taken(resolve_());
    is_taken(follow_up_());
    is_taken(report_waiting_());
    const auto report = write_off_({}, 100);
    if (is_taken(report) && report->failure) is_taken(*report->failure);
  }

  /// The bank sends an advance or a payout back.
  void return_payment(Choices& choices) {
    const auto payments = rail_.payments();
    if (payments.empty()) return;
    const auto payment = std::next(payments.begin(), static_cast<std::ptrdiff_t>(choices.byte() % payments.size()));
    rail_.now_stands(payment->first, ports::RailOutcome::Kind::returned, "R02");
    store_.clock.advance_s(4'000);
    is_taken(follow_up_());
  }

  void end_terms(Choices& choices) {
    if (settlements_.empty()) return;
    const unsigned which = choices.byte();
    const auto& settlement = settlements_[which / 2 % settlements_.size()];
    if (which % 2 == 0) return confirm(choices, settlement);
    is_taken(cancel_(store_.context("cancel"), settlement, [](const auto&) { return ""; }));
  }

  FreshStore store_;
  fakes::FakeRules rules_;
  fakes::FakePayers payers_;
  fakes::FakeRail rail_{"SAME_DAY"};
  fakes::FakeRails rails_{{&rail_}};
  NoFormats formats_;
  const std::vector<domain::ReasonCode> reason_codes_;
  std::vector<std::string> settlements_;
  std::vector<std::string> decided_;  // tasks that a reviewer closed, and did not take back
  std::vector<domain::RemittanceDraft> remittances_;

  store::SqlStore& sql_ = *store_.sql;
  fakes::CountingIds& ids_ = store_.ids;
  usecases::ReviewClaim review_{sql_, payers_, rules_, store_.digests, ids_, reason_codes_, 7};
  usecases::CreateAdjudication adjudicate_{sql_, payers_, rules_, rails_, ids_, store_.digests, {}, 7};
  usecases::Disburse disburse_{sql_, rails_, store_.journal, store_.clock, ids_, store_.digests, {}};
  usecases::ConfirmSettlement confirm_{sql_, rules_, disburse_, ids_, {std::chrono::milliseconds(0)}};
  usecases::ResolveDisbursements resolve_{sql_, disburse_, store_.clock, ""};
  usecases::FollowUpPayments follow_up_{sql_, disburse_, rails_, store_.clock, ids_, {}};
  usecases::CancelSettlement cancel_{sql_, ids_};
  usecases::PostDeposit post_deposit_{sql_, payers_, ids_};
  usecases::PostRemittance post_remittance_{sql_, payers_, formats_, store_.digests, ids_};
  usecases::PayResidual pay_residual_{sql_, disburse_, ids_, true};
  usecases::PayResiduals pay_residuals_{sql_, disburse_, ids_, Money::cents(1)};
  usecases::DecideTask decide_{sql_, disburse_, payers_, ids_, false};
  usecases::ReportWaiting report_waiting_{sql_, rules_, ids_, store_.clock};
  usecases::WriteOffOverdue write_off_{sql_, rules_, ids_, store_.clock};
};

void books(std::string_view bytes) {
  Choices choices(bytes);
  Books books(choices.byte() % 2 == 0 ? domain::PostOn::deposit : domain::PostOn::remittance);
  for (int steps = 0; choices.any() && steps < kMostSteps; ++steps) books.step(choices);
  books.verify();
}

}  // namespace

std::vector<Target> book_targets() {
  return {{"books", books, {}, 100}};
}

}  // namespace tideover::fuzz
