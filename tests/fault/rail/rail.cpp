// A funding rail that misbehaves by script, in front of a bank whose book tests read: see README.md.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "tests/fault/rail/bank_book.hpp"
#include "tests/fault/rail/mutations.hpp"
#include "tideover/funding_rail.hpp"

namespace tideover::fault {
namespace {

constexpr std::array<std::pair<const char*, tideover_recall>, 4> kRecalls{{{"dedup", TIDEOVER_RECALL_DEDUP},
                                                                           {"fence", TIDEOVER_RECALL_FENCE},
                                                                           {"query", TIDEOVER_RECALL_QUERY},
                                                                           {"blind", TIDEOVER_RECALL_BLIND}}};

tideover_recall recall_named(const std::string& name) {
  for (const auto& [known, recall] : kRecalls)
    if (name == known) return recall;
  throw sdk::Fault(TIDEOVER_FAULT_INVALID_CONFIG, "setting 'recall' is dedup, fence, query or blind");
}

class Rail : public sdk::FundingRail {
 public:
  static constexpr std::array<tideover_config_key, 6> kConfigKeys{
      {{TIDEOVER_STR("folder"), TIDEOVER_STR("the bank's folder: its book and the scripts"), 1},
       {TIDEOVER_STR("rail"), TIDEOVER_STR("name of the rail; default FAULT"), 0},
       {TIDEOVER_STR("recall"), TIDEOVER_STR("dedup, fence, query or blind; default dedup"), 0},
       {TIDEOVER_STR("final_on_accept"), TIDEOVER_STR("1: accepted money is settled money; default 0"), 0},
       {TIDEOVER_STR("max_latency_s"), TIDEOVER_STR("declared latency; default 0"), 0},
       {TIDEOVER_STR("silence_ms"), TIDEOVER_STR("how long silence lasts; default: beyond the deadline"), 0}}};
  static const tideover_funding_rail kFunctions;

  Rail(const sdk::Host& host, const sdk::Config& config)
      : host_(host),
        rail_(config.find("rail").value_or("FAULT")),
        recall_(recall_named(config.find("recall").value_or("dedup"))),
        final_on_accept_(config.find("final_on_accept").value_or("0") == "1"),
        max_latency_s_(std::stoi(config.find("max_latency_s").value_or("0"))),
        silence_ms_(std::stoi(config.find("silence_ms").value_or("-1"))),
        book_(config.require("folder")) {}

  sdk::RailDescription describe() override {
    sdk::RailDescription d;
    d.rail = rail_;
    d.name = "Fault rail";
    d.description = "A bank that fails by script.";
    d.max_amount = 100'000'000;
    d.business_days_only = false;
    d.final_on_accept = final_on_accept_;
    d.max_latency_s = max_latency_s_;
    d.recall = recall_;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    return {host_.local_date(request.now_ms), false, request.now_ms};
  }

  sdk::Outcome submit(const sdk::Disbursement& disbursement, const sdk::Deadline& deadline) override {
    const Payment payment{std::string(disbursement.key), disbursement.amount,
                          fingerprint_of(disbursement.payout_account_token), host_.now_ms()};
    const Behaviour scripted = book_.begin("submit", payment.key);
    const Behaviour behaviour = behaviour_of_token(disbursement).value_or(scripted);
    const sdk::Outcome outcome = carry_out(behaviour, payment, deadline);
    book_.deliver_due(memory());
    return outcome;
  }

  sdk::Outcome query(std::string_view key, const sdk::Deadline& deadline) override {
    return ask("query", std::string(key), deadline);
  }

  sdk::Outcome cancel_or_status(std::string_view key, const sdk::Deadline& deadline) override {
    return ask("cancel", std::string(key), deadline);
  }

 private:
  BankBook::Memory memory() const {
    return recall_ == TIDEOVER_RECALL_DEDUP ? BankBook::Memory::once : BankBook::Memory::never;
  }

  sdk::Outcome paid(const std::string& key) const {
    return {final_on_accept_ ? TIDEOVER_OUTCOME_SETTLED : TIDEOVER_OUTCOME_ACCEPTED, "bank-" + key, {}, {}};
  }
  static sdk::Outcome refused(const std::string& code) {
    return {TIDEOVER_OUTCOME_REJECTED, {}, code, "refused by script"};
  }

  sdk::Outcome known(const std::string& key) {
    if (const auto code = book_.refusal(key)) return refused(*code);
    if (book_.is_fenced(key)) return refused("CANCELED");
    return paid(key);
  }

  sdk::Outcome stay_silent(const sdk::Deadline& deadline) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(silence_ms_);
    // A little beyond the deadline: the host must have given the call up by then.
    while (silence_ms_ >= 0 ? std::chrono::steady_clock::now() < until
                            : deadline.remaining() > std::chrono::milliseconds(-20))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return {};
  }

  sdk::Outcome carry_out(const Behaviour& behaviour, const Payment& payment, const sdk::Deadline& deadline) {
    const auto& word = behaviour.word;
    if (word == "lost") return stay_silent(deadline);
    if (word == "hold") {
      book_.hold(payment, std::stoi(behaviour.argument.empty() ? "1" : behaviour.argument));
      return stay_silent(deadline);
    }
    if (word == "refuse") {
      book_.refuse(payment.key, behaviour.argument.empty() ? "R03" : behaviour.argument);
      return known(payment.key);
    }
    if (word == "die_before") ::kill(::getpid(), SIGKILL);

    Payment made = payment;
    if (word == "wrong_amount") made.amount -= 1;
    if (word == "wrong_key") made.key += "x";
    book_.pay(made, memory());

    if (word == "die_after") ::kill(::getpid(), SIGKILL);
    if (word == "pay_silent") return stay_silent(deadline);
    if (word == "late") (void)stay_silent(deadline);
    if (word == "throw") throw std::runtime_error("the connection was reset");
    if (word == "garbage") return {99, "\xff\xfe", {}, {}};
    if (word == "no_reference") return {TIDEOVER_OUTCOME_ACCEPTED, {}, {}, {}};
    if (word == "not_found") return {TIDEOVER_OUTCOME_NOT_FOUND, {}, {}, {}};
    if (word == "twice") is_answered_twice_ = true;
    if (word == "mutate") mutation_ = std::stoi(behaviour.argument);
    return known(payment.key);
  }

  /// "do:WORD:ARGUMENT:..." goes before the script, once per key and process: so that many payments at once fail each
  /// in its way.
  std::optional<Behaviour> behaviour_of_token(const sdk::Disbursement& disbursement) {
    std::string token(disbursement.payout_account_token);
    if (token.rfind("do:", 0) != 0) return std::nullopt;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (!used_tokens_.insert(std::string(disbursement.key)).second) return Behaviour{};
    }
    for (char& c : token)
      if (c == ':') c = ' ';
    std::istringstream words(token.substr(3));
    Behaviour behaviour;
    words >> behaviour.word >> behaviour.argument;
    return behaviour;
  }

  sdk::Outcome ask(const char* call, const std::string& key, const sdk::Deadline& deadline) {
    const Behaviour behaviour = book_.begin(call, key);
    sdk::Outcome outcome;
    if (behaviour.word == "silent" || recall_ == TIDEOVER_RECALL_BLIND)
      outcome = stay_silent(deadline);
    else if (behaviour.word == "throw")
      throw std::runtime_error("the connection was reset");
    else if (behaviour.word == "garbage")
      outcome = {99, {}, {}, {}};
    else if (book_.is_paid(key) || book_.refusal(key))
      outcome = known(key);
    else if (recall_ == TIDEOVER_RECALL_FENCE && !book_.fence_unless_paid(key))
      outcome = known(key);
    else
      outcome = {TIDEOVER_OUTCOME_NOT_FOUND, {}, {}, {}};
    if (behaviour.word == "late") (void)stay_silent(deadline);
    book_.deliver_due(memory());
    return outcome;
  }

  /// Answers a second time or wrongly where the script says so, which the SDK rightly does not let a rail do.
  static tideover_status submit_by_script(void* instance, const tideover_call* call, const tideover_disbursement* d,
                                          const tideover_outcome_sink* sink) noexcept {
    return sdk::guard(call, [&]() -> tideover_status {
      is_answered_twice_ = false;
      mutation_ = kNone;
      const sdk::Disbursement disbursement{sdk::view(d->key), d->amount, sdk::view(d->payout_account_token),
                                           d->effective};
      const auto outcome = static_cast<sdk::FundingRail*>(instance)->submit(disbursement, sdk::Deadline(call));
      if (mutation_ != kNone)
        return answer_wrongly(mutation_, std::string(disbursement.key), disbursement.amount, sink);
      sdk::abi::emit(outcome, sink);
      if (is_answered_twice_) sdk::abi::emit({TIDEOVER_OUTCOME_ACCEPTED, "bank-again", {}, {}}, sink);
      return TIDEOVER_OK;
    });
  }

  static constexpr int kNone = -1;
  static thread_local bool is_answered_twice_;
  static thread_local int mutation_;

  const sdk::Host host_;
  const std::string rail_;
  const tideover_recall recall_;
  const bool final_on_accept_;
  const int max_latency_s_;
  const int silence_ms_;
  BankBook book_;
  std::mutex mutex_;
  std::set<std::string> used_tokens_;  // keys whose token was heeded; guarded by mutex_
};

thread_local bool Rail::is_answered_twice_ = false;
thread_local int Rail::mutation_ = Rail::kNone;

constexpr tideover_funding_rail Rail::kFunctions = [] {
  tideover_funding_rail functions = sdk::FundingRail::kFunctions;
  functions.submit = &Rail::submit_by_script;
  return functions;
}();

}  // namespace
}  // namespace tideover::fault

using FaultRail = tideover::fault::Rail;
TIDEOVER_EXPORT_PLUGIN(FaultRail, FaultRail, "fault", "Fault rail", "1.0.0", "0.1.0");
