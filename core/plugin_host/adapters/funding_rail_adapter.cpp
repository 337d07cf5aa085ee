#include "core/plugin_host/adapters/funding_rail_adapter.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "core/plugin_host/calls/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::FundingPlan;
using ports::RailDescription;
using ports::RailOutcome;
using ports::RailRecall;

constexpr int kLatestPlanDays = 400;
constexpr std::size_t kLongestKey = 64;
constexpr std::size_t kLongestReference = 200;
constexpr std::size_t kLongestCode = 40;
/// A statement is kept in memory until it is complete.
constexpr std::size_t kLongestStatement = 1'000'000;

constexpr CallTerms kDescribe{"describe", false, false, ErrorCode::validation_error, {}};
constexpr CallTerms kPlan{"plan",
                          false,
                          false,
                          ErrorCode::rail_unavailable,
                          {{{TIDEOVER_FAULT_INVALID_DATE, ErrorCode::invalid_desired_date}}}};
constexpr CallTerms kSubmit{"submit", false, false, ErrorCode::rail_unavailable, {}};
constexpr CallTerms kQuery{"query", false, false, ErrorCode::rail_unavailable, {}};
constexpr CallTerms kStatement{"statement", false, false, ErrorCode::rail_unavailable, {}};

RailOutcome unknown(const std::string& reason) {
  return {RailOutcome::Kind::unknown, {}, {}, reason};
}

std::optional<RailRecall> recall_of(tideover_recall recall) {
  switch (recall) {
    case TIDEOVER_RECALL_DEDUP:
      return RailRecall::dedup;
    case TIDEOVER_RECALL_FENCE:
      return RailRecall::fence;
    case TIDEOVER_RECALL_QUERY:
      return RailRecall::query;
    case TIDEOVER_RECALL_BLIND:
      return RailRecall::blind;
    default:
      return std::nullopt;
  }
}

bool is_rail_name(const std::string& name) {
  return !name.empty() && name.size() <= 40 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_one_of(const std::string& text, std::initializer_list<std::string_view> allowed) {
  return std::find(allowed.begin(), allowed.end(), text) != allowed.end();
}

/// "HH:MM", ascending.
bool are_cutoffs(const std::vector<std::string>& cutoffs) {
  const auto is_time = [](const std::string& text) {
    const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
    return text.size() == 5 && digit(0) && digit(1) && text[2] == ':' && digit(3) && digit(4) && text < "24" &&
           text[3] < '6';
  };
  return std::all_of(cutoffs.begin(), cutoffs.end(), is_time) && std::is_sorted(cutoffs.begin(), cutoffs.end());
}

struct Described {
  const Plugin& plugin;  // must outlive the call
  std::vector<RailDescription> found;
};

void take_description(void* ctx, const tideover_rail_description* lent) noexcept {
  in_call<Described>(ctx, [&](Described& described, PluginCall& call) {
    if (!lent || lent->size < offsetof(tideover_rail_description, reserved))
      return call.nonsense("gave a description that is too small");
    RailDescription d;
    auto rail = take_label(lent->rail), name = take_label(lent->name);
    auto status = take_label(lent->status), currency = take_label(lent->currency);
    auto desired = take_label(lent->desired_date), zone = take_label(lent->time_zone);
    auto cutoffs = take_labels(lent->cutoffs);
    const auto lowest = take_money(lent->min_amount), highest = take_money(lent->max_amount),
               fee = take_money(lent->fee);
    const auto recall = recall_of(lent->recall);
    const auto& functions = described.plugin.functions<tideover_funding_rail>();
    if (!rail || !name || !status || !currency || !desired || !zone || !cutoffs)
      return call.nonsense("gave a description that is not text");
    if (!is_rail_name(*rail)) return call.nonsense("gave a rail name with characters other than A-Z, 0-9 and _");
    if (*currency != "USD") return call.nonsense("pays in a currency other than USD");
    if (!lowest || !highest || !fee || lowest->cents() < 1 || *highest < *lowest || fee->cents() < 0)
      return call.nonsense("gave invalid limits or an invalid fee");
    if (!is_one_of(*status, {"operational", "degraded", "suspended"}))
      return call.nonsense("gave a status other than operational, degraded or suspended");
    if (!is_one_of(*desired, {"forbidden", "optional", "required"}))
      return call.nonsense("gave a desired_date other than forbidden, optional or required");
    if (!are_cutoffs(*cutoffs)) return call.nonsense("gave cut-offs that are not ascending HH:MM");
    if (!zone->empty() && !described.plugin.services->bank_time.in_zone(*zone))
      return call.nonsense("gave an unknown time_zone; write it as America/New_York");
    if (!recall) return call.nonsense("declared no recall (dedup, fence, query or blind)");
    if (*recall == RailRecall::fence && !functions.cancel_or_status)
      return call.nonsense("declares fence, but has no cancel_or_status");
    const bool has_statement = TIDEOVER_HAS(tideover_rail_description, lent, has_statement) && lent->has_statement != 0;
    if (has_statement && !(TIDEOVER_HAS(tideover_funding_rail, &functions, statement) && functions.statement))
      return call.nonsense("declares a statement, but has no such function");
    if (lent->return_window_days < 0 || lent->max_latency_s < 0) return call.nonsense("gave a negative duration");
    d.rail = std::move(*rail);
    d.name = std::move(*name);
    d.description = take_message(lent->description);
    d.status = std::move(*status);
    d.min_amount = *lowest;
    d.max_amount = *highest;
    d.desired_date = std::move(*desired);
    d.time_zone = std::move(*zone);
    d.cutoffs = std::move(*cutoffs);
    d.business_days_only = lent->business_days_only != 0;
    d.irrevocable = lent->irrevocable != 0;
    d.return_window_days = lent->return_window_days;
    d.fee = *fee;
    d.recall = *recall;
    d.final_on_accept = lent->final_on_accept != 0;
    d.max_latency_s = lent->max_latency_s;
    d.has_statement = has_statement;
    d.simulated = TIDEOVER_HAS(tideover_rail_description, lent, simulated) && lent->simulated != 0;
    d.plugin_name = take_text(described.plugin.descriptor->name).value_or(described.plugin.id);
    d.plugin_version = take_text(described.plugin.descriptor->version).value_or("");
    described.found.push_back(std::move(d));
  });
}

std::optional<RailOutcome::Kind> outcome_kind(tideover_outcome_kind kind) {
  switch (kind) {
    case TIDEOVER_OUTCOME_ACCEPTED:
      return RailOutcome::Kind::accepted;
    case TIDEOVER_OUTCOME_SETTLED:
      return RailOutcome::Kind::settled;
    case TIDEOVER_OUTCOME_REJECTED:
      return RailOutcome::Kind::rejected;
    case TIDEOVER_OUTCOME_NOT_FOUND:
      return RailOutcome::Kind::not_found;
    case TIDEOVER_OUTCOME_UNKNOWN:
      return RailOutcome::Kind::unknown;
    case TIDEOVER_OUTCOME_RETURNED:
      return RailOutcome::Kind::returned;
    default:
      return std::nullopt;
  }
}

bool has_moved(RailOutcome::Kind kind) {
  return kind == RailOutcome::Kind::accepted || kind == RailOutcome::Kind::settled;
}

/// The common part of an outcome and a statement line.
template <class Lent>
std::optional<RailOutcome> take_news(const Lent& lent, PluginCall& call) {
  const auto kind = outcome_kind(lent.kind);
  auto reference = take_label(lent.reference, kLongestReference), code = take_label(lent.reason_code, kLongestCode);
  if (!kind || !reference || !code) {
    call.nonsense("gave an invalid outcome");
  } else if (has_moved(*kind) && reference->empty()) {
    call.nonsense("accepted a payment without a reference");
  } else if ((*kind == RailOutcome::Kind::rejected || *kind == RailOutcome::Kind::returned) && code->empty()) {
    call.nonsense("refused or returned a payment without a reason code");
  } else {
    RailOutcome outcome;
    outcome.kind = *kind;
    outcome.reference = std::move(*reference);
    outcome.reason_code = std::move(*code);
    outcome.reason = take_message(lent.reason);
    return outcome;
  }
  return std::nullopt;
}

/// A call with exactly one outcome, and the allowed subjects of that outcome.
struct Question {
  const CallTerms& terms;
  std::string key;
  domain::Money amount;
  bool is_payment;  // else a query about a payment
  std::chrono::milliseconds timeout;
};

struct Outcomes {
  const Question question;
  std::vector<RailOutcome> found;
  std::string contradiction;
};

void take_outcome(void* ctx, const tideover_outcome* lent) noexcept {
  in_call<Outcomes>(ctx, [&](Outcomes& outcomes, PluginCall& call) {
    if (!lent || lent->size < offsetof(tideover_outcome, key))
      return call.nonsense("gave an outcome that is too small");
    auto outcome = take_news(*lent, call);
    if (!outcome) return;
    if (TIDEOVER_HAS(tideover_outcome, lent, key)) {
      const auto key = take_label(lent->key, kLongestKey);
      if (!key || (!key->empty() && *key != outcomes.question.key))
        outcomes.contradiction = "answered for another key than requested";
    }
    if (TIDEOVER_HAS(tideover_outcome, lent, amount) && lent->amount != TIDEOVER_NO_AMOUNT &&
        lent->amount != outcomes.question.amount.cents())
      outcomes.contradiction = "answered for another amount than requested";
    outcomes.found.push_back(std::move(*outcome));
  });
}

using RailFunction = std::function<tideover_status(const tideover_call*, const tideover_outcome_sink*)>;

/// Any fault makes the outcome unknown.
RailOutcome ask(const std::shared_ptr<const Plugin>& plugin, const Question& question, RailFunction body) {
  const auto call = std::make_shared<PluginCall>(plugin, question.terms, question.timeout);
  const auto outcomes = std::make_shared<Outcomes>(Outcomes{question, {}, {}});
  const auto* sink =
      call->lend(tideover_outcome_sink{sizeof(tideover_outcome_sink), 0, call->context(outcomes.get()), &take_outcome});
  const auto status =
      call->run([outcomes, sink, body = std::move(body)](const tideover_call* lent) { return body(lent, sink); },
                [&](tideover_status answer) {
                  if (answer == TIDEOVER_OK && outcomes->found.size() != 1)
                    call->nonsense("did not give exactly one outcome");
                  if (question.is_payment && !outcomes->found.empty()) {
                    const auto kind = outcomes->found.front().kind;
                    if (kind == RailOutcome::Kind::not_found) call->nonsense("answered a payment with not_found");
                    if (kind == RailOutcome::Kind::returned) call->nonsense("answered a payment with returned");
                  }
                  if (!outcomes->contradiction.empty()) call->nonsense(outcomes->contradiction);
                });
  if (status == TIDEOVER_OK) return std::move(outcomes->found.front());
  auto outcome = unknown(call->reason());
  outcome.contradicts = call->returned() && !outcomes->contradiction.empty();
  return outcome;
}

using Statement = domain::Result<std::vector<ports::StatementLine>>;

Statement no_statement(const std::string& reason) {
  return Error::of(ErrorCode::rail_unavailable, reason);
}

struct Lines {
  domain::Timestamp from;
  domain::Timestamp to;
  std::vector<ports::StatementLine> found;
};

void take_line(void* ctx, const tideover_statement_line* lent) noexcept {
  in_call<Lines>(ctx, [&](Lines& lines, PluginCall& call) {
    if (!lent || lent->size < sizeof(tideover_statement_line))
      return call.nonsense("gave a statement line that is too small");
    auto news = take_news(*lent, call);
    if (!news) return;
    auto key = take_label(lent->key, kLongestKey);
    const auto amount = take_money(lent->amount);
    const auto at = take_instant(lent->at_ms);
    if (!key || !amount || amount->cents() < 1)
      return call.nonsense("gave a statement line with an invalid key or amount");
    if (news->kind == RailOutcome::Kind::not_found || news->kind == RailOutcome::Kind::unknown)
      return call.nonsense("gave a statement line that is neither accepted, settled, rejected nor returned");
    if (!at || *at < lines.from || lines.to <= *at)
      return call.nonsense("gave a statement line outside the requested period");
    if (lines.found.size() == kLongestStatement) return call.nonsense("gave a statement of more than a million lines");
    lines.found.push_back({std::move(*key), *amount, news->kind, std::move(news->reference),
                           std::move(news->reason_code), std::move(news->reason), *at});
  });
}

const tideover_funding_rail& functions_of(const Plugin& plugin) {
  return plugin.functions<tideover_funding_rail>();
}

}  // namespace

domain::Result<std::unique_ptr<FundingRailAdapter>> FundingRailAdapter::make(std::shared_ptr<const Plugin> plugin,
                                                                             const CallBudgets& budgets) {
  const auto call = std::make_shared<PluginCall>(plugin, kDescribe, budgets.create);
  const auto described = std::make_shared<Described>(Described{*plugin, {}});
  const auto* sink = call->lend(tideover_rail_description_sink{sizeof(tideover_rail_description_sink), 0,
                                                               call->context(described.get()), &take_description});
  const auto status =
      call->run([plugin, described, sink](
                    const tideover_call* lent) { return functions_of(*plugin).describe(plugin->instance, lent, sink); },
                [&](tideover_status answer) {
                  if (answer == TIDEOVER_OK && described->found.size() != 1)
                    call->nonsense("did not give exactly one description");
                });
  if (status != TIDEOVER_OK) return Error::of(ErrorCode::validation_error, call->reason());
  return std::unique_ptr<FundingRailAdapter>(
      new FundingRailAdapter(std::move(plugin), std::move(described->found.front()), budgets.plan));
}

FundingRailAdapter::FundingRailAdapter(std::shared_ptr<const Plugin> plugin, RailDescription description,
                                       std::chrono::milliseconds plan_budget)
    : plugin_(std::move(plugin)), description_(std::move(description)), plan_budget_(plan_budget) {}

domain::Result<FundingPlan> FundingRailAdapter::plan(std::optional<domain::Date> desired, domain::Timestamp now,
                                                     bool strict) {
  struct Plan {
    const tideover_plan_request request;
    tideover_plan made;
  };
  const auto shared = std::make_shared<Plan>(
      Plan{{sizeof(tideover_plan_request), strict ? 1 : 0, desired ? lend(*desired) : tideover_date{}, now.ms()}, {}});
  auto& made = shared->made;
  made.size = sizeof made;
  made.expected_settlement_ms = TIDEOVER_NO_TIME;
  const auto call = std::make_shared<PluginCall>(plugin_, kPlan, plan_budget_);
  FundingPlan plan{description_.rail, desired, {}, {}, {}};
  const auto status = call->run(
      [plugin = plugin_, shared](const tideover_call* lent) {
        return functions_of(*plugin).plan(plugin->instance, lent, &shared->request, &shared->made);
      },
      [&](tideover_status answer) {
        if (answer != TIDEOVER_OK) return;
        const auto today = plugin_->services->bank_time.date_at(now);
        const auto effective = take_date(made.effective);
        const auto expected = take_instant(made.expected_settlement_ms);
        if (!effective || !effective->date || *effective->date < today ||
            *effective->date > today.plus(kLatestPlanDays)) {
          call->nonsense("planned an invalid date");
        } else if (desired && *desired != *effective->date && (made.adjusted == 0 || strict)) {
          call->nonsense("moved the date without reporting it");
        } else if (made.expected_settlement_ms != TIDEOVER_NO_TIME &&
                   (!expected || *expected < now || *expected > now.plus_days(kLatestPlanDays))) {
          call->nonsense("expects the money before now or more than 400 days ahead");
        } else {
          plan.effective_date = *effective->date;
          plan.expected_settlement_at = expected;
        }
      });
  if (status != TIDEOVER_OK) return call->error();
  plan.adjusted = made.adjusted != 0;
  return plan;
}

RailOutcome FundingRailAdapter::submit(const ports::Disbursement& disbursement, std::chrono::milliseconds timeout) {
  return ask(plugin_, {kSubmit, disbursement.key, disbursement.amount, true, timeout},
             [plugin = plugin_, disbursement](const tideover_call* call, const tideover_outcome_sink* sink) {
               const tideover_disbursement lent{sizeof lent,
                                                0,
                                                lend(disbursement.key),
                                                disbursement.amount.cents(),
                                                lend("USD"),
                                                lend(disbursement.payout_account_token),
                                                lend(disbursement.effective_date)};
               return functions_of(*plugin).submit(plugin->instance, call, &lent, sink);
             });
}

RailOutcome FundingRailAdapter::query(const std::string& key, domain::Money amount, std::chrono::milliseconds timeout) {
  const auto& functions = functions_of(*plugin_);
  // A fence gives a final answer and makes the key unusable; a query of such a rail means this.
  const auto function = description_.recall == RailRecall::fence ? functions.cancel_or_status : functions.query;
  return ask(plugin_, {kQuery, key, amount, false, timeout},
             [plugin = plugin_, function, key](const tideover_call* call, const tideover_outcome_sink* sink) {
               return function(plugin->instance, call, lend(key), sink);
             });
}

Statement FundingRailAdapter::statement(domain::Timestamp from, domain::Timestamp to,
                                        std::chrono::milliseconds timeout) {
  if (!description_.has_statement) return no_statement("the rail " + description_.rail + " has no statement");
  const auto call = std::make_shared<PluginCall>(plugin_, kStatement, timeout);
  const auto lines = std::make_shared<Lines>(Lines{from, to, {}});
  const auto* query = call->lend(tideover_statement_query{sizeof(tideover_statement_query), 0, from.ms(), to.ms()});
  const auto* sink =
      call->lend(tideover_statement_sink{sizeof(tideover_statement_sink), 0, call->context(lines.get()), &take_line});
  const auto status = call->run([plugin = plugin_, lines, query, sink](const tideover_call* lent) {
    return functions_of(*plugin).statement(plugin->instance, lent, query, sink);
  });
  if (status != TIDEOVER_OK) return no_statement(call->reason());
  return std::move(lines->found);
}

domain::Status FundingRailsAdapter::add(std::unique_ptr<FundingRailAdapter> rail) {
  if (find(rail->describe().rail))
    return Error::of(ErrorCode::validation_error,
                     "two plugins serve the rail " + rail->describe().rail + "; remove one of them");
  rails_.push_back(std::move(rail));
  return {};
}

ports::FundingRail* FundingRailsAdapter::find(std::string_view rail) {
  for (const auto& candidate : rails_)
    if (candidate->describe().rail == rail) return candidate.get();
  return nullptr;
}

std::vector<ports::FundingRail*> FundingRailsAdapter::all() {
  std::vector<ports::FundingRail*> all;
  for (const auto& rail : rails_) all.push_back(rail.get());
  return all;
}

}  // namespace tideover::plugin_host
