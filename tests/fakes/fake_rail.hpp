// A rail with a bank behind it: it answers as scripted and remembers what was truly paid under which key. A rail that
// declares `dedup` pays a key once; every other kind pays as often as it is asked. Thread-safe.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "core/ports/plugins/funding_rail.hpp"

namespace tideover::fakes {

class FakeRail final : public ports::FundingRail {
 public:
  enum class Answer {
    accept,
    reject,
    time_out_accepted,  // the money moves, the answer is lost
    time_out_lost,      // neither the money moves nor does an answer come
  };
  struct Step {
    Answer answer = Answer::accept;
    std::string code = {};  // of a reject
  };
  struct Payment {
    int count = 0;
    domain::Money amount;
    std::string payout_account_token;
    domain::Date effective_date;
  };

  explicit FakeRail(std::string name) {
    description.rail = std::move(name);
    description.max_amount = domain::Money::cents(100'000'000);
    description.recall = ports::RailRecall::dedup;
  }

  ports::RailDescription description;
  /// Answers to the next submits, in order; behind them every submit is accepted.
  std::deque<Step> script;
  bool queries_time_out = false;
  std::chrono::milliseconds queries_take{0};
  bool statement_fails = false;
  /// Runs inside the next submit, after the money has moved and before the answer is given.
  std::function<void()> during_submit;
  std::optional<domain::Error> plan_refusal;
  /// Whether it takes no other desired date than today.
  bool only_today = false;
  std::optional<domain::Timestamp> expected_settlement;

  const ports::RailDescription& describe() const override { return description; }

  domain::Result<domain::FundingPlan> plan(std::optional<domain::Date> desired, domain::Timestamp now, bool) override {
    if (plan_refusal) return *plan_refusal;
    if (only_today && desired && *desired != now.utc_date())
      return domain::Error::of(domain::ErrorCode::invalid_desired_date, "Pays only today.");
    domain::FundingPlan plan;
    plan.rail = description.rail;
    plan.desired_date = desired;
    plan.effective_date = desired.value_or(now.utc_date());
    plan.expected_settlement_at = expected_settlement;
    return plan;
  }

  ports::RailOutcome submit(const ports::Disbursement& disbursement, std::chrono::milliseconds) override {
    std::unique_lock lock(mutex_);
    calls_.push_back("submit");
    Step step;
    if (!script.empty()) {
      step = script.front();
      script.pop_front();
    }
    if (description.recall == ports::RailRecall::dedup && results_.contains(disbursement.key))
      return results_[disbursement.key];
    ports::RailOutcome outcome;
    if (step.answer == Answer::reject) {
      outcome.kind = ports::RailOutcome::Kind::rejected;
      outcome.reason_code = step.code;
      outcome.reason = "Refused by the bank.";
      results_[disbursement.key] = outcome;
    } else if (step.answer != Answer::time_out_lost) {
      outcome.kind = ports::RailOutcome::Kind::accepted;
      outcome.reference = "bank-" + std::to_string(payments_.size() + 1);
      auto& payment = payments_[disbursement.key];
      ++payment.count;
      payment.amount = disbursement.amount;
      payment.payout_account_token = disbursement.payout_account_token;
      payment.effective_date = disbursement.effective_date;
      results_[disbursement.key] = outcome;
      books_.push_back({disbursement.key, disbursement.amount, outcome.kind, outcome.reference, "", "", taken_at});
    }
    const auto meanwhile = std::exchange(during_submit, nullptr);
    lock.unlock();
    if (meanwhile) meanwhile();
    return step.answer == Answer::accept || step.answer == Answer::reject ? outcome : ports::RailOutcome{};
  }

  ports::RailOutcome query(const std::string& key, domain::Money amount, std::chrono::milliseconds) override {
    const std::lock_guard lock(mutex_);
    calls_.push_back("query");
    std::this_thread::sleep_for(queries_take);
    if (queries_time_out) return {};
    if (const auto paid = payments_.find(key); paid != payments_.end() && paid->second.amount != amount) {
      ports::RailOutcome outcome;
      outcome.contradicts = true;
      return outcome;
    }
    const auto result = results_.find(key);
    if (result != results_.end()) return result->second;
    ports::RailOutcome outcome;
    outcome.kind = ports::RailOutcome::Kind::not_found;
    return outcome;
  }

  domain::Result<std::vector<ports::StatementLine>> statement(domain::Timestamp from, domain::Timestamp to,
                                                              std::chrono::milliseconds) override {
    const std::lock_guard lock(mutex_);
    if (!description.has_statement || statement_fails)
      return domain::Error::of(domain::ErrorCode::rail_unavailable, "no statement");
    std::vector<ports::StatementLine> lines;
    for (const auto& line : books_)
      if (from <= line.at && line.at < to) lines.push_back(line);
    return lines;
  }

  /// From now on the rail tells this about the key, on its statement too.
  std::string only_key() const { return payments().begin()->first; }
  void now_stands(const std::string& key, ports::RailOutcome::Kind kind, const std::string& code = "") {
    const std::lock_guard lock(mutex_);
    auto& outcome = results_[key];
    outcome.kind = kind;
    outcome.reason_code = code;
    for (auto& line : books_)
      if (line.key == key) {
        line.kind = kind;
        line.reason_code = code;
      }
  }
  /// A rail need not remember for ever what it answered.
  void forget_answers() {
    const std::lock_guard lock(mutex_);
    results_.clear();
  }
  /// The books as their statement shows them; tests write into them what only the rail knows, or what it gets wrong.
  std::vector<ports::StatementLine>& books() { return books_; }
  /// When the rail's books say that payments were taken.
  domain::Timestamp taken_at;

  /// What left the bank, by key.
  std::map<std::string, Payment> payments() const {
    const std::lock_guard lock(mutex_);
    return payments_;
  }
  int payment_count() const {
    int count = 0;
    for (const auto& [key, payment] : payments()) count += payment.count;
    return count;
  }
  /// "submit" and "query", in order.
  std::vector<std::string> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> calls_;
  std::map<std::string, Payment> payments_;
  std::map<std::string, ports::RailOutcome> results_;
  std::vector<ports::StatementLine> books_;
};

class FakeRails final : public ports::FundingRails {
 public:
  explicit FakeRails(std::vector<FakeRail*> rails) : rails_(std::move(rails)) {}
  ports::FundingRail* find(std::string_view name) override {
    for (auto* rail : rails_)
      if (rail->description.rail == name) return rail;
    return nullptr;
  }
  std::vector<ports::FundingRail*> all() override { return {rails_.begin(), rails_.end()}; }
  void remove_all() { rails_.clear(); }

 private:
  std::vector<FakeRail*> rails_;
};

}  // namespace tideover::fakes
