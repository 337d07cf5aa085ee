#include "core/usecases/banking/read_bank.hpp"

#include <algorithm>
#include <map>

namespace tideover::usecases {
namespace {

using domain::BankDay;
using domain::BankException;
using domain::BankExceptionKind;
using domain::Date;
using domain::Error;
using domain::ErrorCode;

constexpr std::size_t kMostAccounts = 100;
/// Money without a line in one period; more is counted in the ledger, not listed.
constexpr std::size_t kMostOff = 10'000;

Error period_refusal(const char* name, const char* problem) {
  auto error = Error::of(ErrorCode::invalid_parameter, std::string(name) + ' ' + problem + '.');
  error.fields.push_back({name, problem});
  return error;
}

std::optional<Error> refusal_of(const BankQuery& query, bool needs_period) {
  if (needs_period && !query.from) return period_refusal("from", "is required");
  if (needs_period && !query.to) return period_refusal("to", "is required");
  if (!query.from || !query.to) return std::nullopt;
  if (*query.to < *query.from) return period_refusal("to", "must not be before `from`");
  if (needs_period && days_between(*query.from, *query.to) >= kMostBankDays)
    return period_refusal("to", "must be at most 91 days after `from`");
  return std::nullopt;
}

std::string key_of(Date date, const std::string& account) {
  return format_date(date) + '/' + account;
}

std::optional<domain::EarlierBalance> balance_before(const ports::Records& records, const domain::TenantId& tenant,
                                                     const domain::BankStatement& statement) {
  const auto before = records.bank_statements().latest_before(tenant, statement.account, statement.date);
  if (!before) return std::nullopt;
  return domain::EarlierBalance{before->date, before->closing};
}

/// The days of the page, before their sums and exceptions are read.
struct DayPlan {
  std::map<std::string, BankDay> days;                       // by key
  std::map<std::string, std::vector<BankException>> absent;  // money on no statement, by key
};

class DayPlanner {
 public:
  DayPlanner(const ports::Records& records, const domain::TenantId& tenant, const BankQuery& query, Date today)
      : records_(records), tenant_(tenant), query_(query), today_(today) {}

  DayPlan plan() {
    std::string account;
    std::size_t accounts = 0;
    std::string only;
    std::optional<Date> first, latest;
    while (const auto next = records_.bank_statements().next_account(tenant_, account)) {
      if (++accounts > kMostAccounts) break;
      account = only = *next;
      const auto begins = records_.bank_statements().first_of(tenant_, account)->date;
      const auto ends = records_.bank_statements().latest_before(tenant_, account, Date::from_days(1'000'000))->date;
      first = first ? std::min(*first, begins) : begins;
      latest = latest ? std::max(*latest, ends) : ends;
      if (query_.account.empty() || query_.account == account) add_account(account, begins);
    }
    if (accounts != 1) only.clear();
    // With several accounts nothing says on which statement the money is missing.
    if (first && (query_.account.empty() || query_.account == only)) add_absent(only, *first, *latest);
    return std::move(plan_);
  }

 private:
  void add_account(const std::string& account, Date first) {
    const domain::DateRange days{*query_.from, *query_.to};
    for (auto& day : domain::days_of_account(account, records_.bank_statements().of_account(tenant_, account, days),
                                             days, first, today_.plus(-1)))
      plan_.days.emplace(key_of(day.date, account), std::move(day));
  }

  void add_absent(const std::string& account, Date first, Date latest) {
    const domain::DateRange days{std::max(*query_.from, first), std::min(*query_.to, domain::last_day_due(latest))};
    if (days.to < days.from) return;
    const auto add = [&](BankExceptionKind kind, const char* what, const std::vector<ports::OffStatement>& off) {
      for (const auto& one : off) {
        const auto key = key_of(one.date, account);
        plan_.days.try_emplace(key, BankDay{one.date, account, std::nullopt});
        plan_.absent[key].push_back({kind,
                                     std::string(what) + " of " + format_money(one.amount) + ", dated " +
                                         format_date(one.date) + ", is on no statement up to " + format_date(latest) +
                                         '.',
                                     std::nullopt, one.id, one.amount});
      }
    };
    const auto& records = records_.bank_statements();
    add(BankExceptionKind::deposit_not_on_statement, "The deposit", records.deposits_off(tenant_, days, kMostOff));
    add(BankExceptionKind::return_not_on_statement, "The returned deposit",
        records.returns_off(tenant_, days, kMostOff));
    add(BankExceptionKind::payment_not_on_statement, "The payment", records.payments_off(tenant_, days, kMostOff));
  }

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  const BankQuery& query_;
  const Date today_;
  DayPlan plan_;
};

/// Whether a statement of this day is due: a missing one is an exception, a day of money without a line is none.
bool lacks_statement(const ports::Records& records, const domain::TenantId& tenant, const BankDay& day, Date today) {
  if (day.statement || day.account.empty()) return false;
  const auto first = records.bank_statements().first_of(tenant, day.account);
  return first && !domain::days_of_account(day.account, {}, {day.date, day.date}, first->date, today.plus(-1)).empty();
}

BankDayView day_view_of(const ports::Records& records, const domain::TenantId& tenant, const BankDay& day,
                        std::vector<BankException> absent, Date today) {
  BankDayView view;
  view.day = day;
  if (day.statement) {
    view.sums = records.bank_statements().sums(tenant, day.statement->id);
    view.exceptions =
        reasons_against_closing(*day.statement, view.sums, balance_before(records, tenant, *day.statement));
    view.closes = view.exceptions.empty();
    view.exception_count = static_cast<std::int64_t>(view.exceptions.size()) + view.sums.findings;
    for (const auto& line :
         records.bank_statements().lines_with_finding(tenant, day.statement->id, 0, kMostDayExceptions))
      view.exceptions.push_back(exception_of(line));
  } else if (lacks_statement(records, tenant, day, today)) {
    view.exceptions.push_back(domain::missing_statement(day.date));
    view.exception_count = 1;
  }
  view.exception_count += static_cast<std::int64_t>(absent.size());
  std::move(absent.begin(), absent.end(), std::back_inserter(view.exceptions));
  if (view.exceptions.size() > kMostDayExceptions) view.exceptions.resize(kMostDayExceptions);
  return view;
}

}  // namespace

std::string cursor_of(const BankDayView& view) {
  return key_of(view.day.date, view.day.account);
}

domain::Result<std::vector<domain::BankStatement>> ReadBank::list(const domain::TenantId& tenant,
                                                                  const BankQuery& query) const {
  if (auto refusal = refusal_of(query, false)) return *refusal;
  ports::BankStatementFilter filter{query.account, std::nullopt};
  constexpr int kFarAway = 1'000'000;
  if (query.from || query.to)
    filter.days = domain::DateRange{query.from.value_or(Date::from_days(-kFarAway)),
                                    query.to.value_or(Date::from_days(kFarAway))};
  return fetch(store_, [&](const ports::Records& records) {
    return records.bank_statements().list(tenant, filter, {query.after, query.limit, query.order});
  });
}

domain::Result<BankStatementView> ReadBank::one(const domain::TenantId& tenant, const std::string& id, int after,
                                                std::size_t limit) const {
  auto missing = Error::of(ErrorCode::not_found, "Bank statement not found.");
  const auto parsed = domain::BankStatementId::parse(id);
  if (!parsed) return missing;
  return fetch(store_, std::move(missing), [&](const ports::Records& records) -> std::optional<BankStatementView> {
    auto statement = records.bank_statements().find(tenant, *parsed);
    if (!statement) return std::nullopt;
    BankStatementView view;
    view.sums = records.bank_statements().sums(tenant, *parsed);
    view.reasons = reasons_against_closing(*statement, view.sums, balance_before(records, tenant, *statement));
    view.lines = records.bank_statements().lines(tenant, *parsed, after, limit);
    view.statement = std::move(*statement);
    return view;
  });
}

domain::Result<std::vector<BankDayView>> ReadBank::days(const domain::TenantId& tenant, const BankQuery& query,
                                                        Date today) const {
  if (auto refusal = refusal_of(query, true)) return *refusal;
  return fetch(store_, [&](const ports::Records& records) {
    auto plan = DayPlanner(records, tenant, query, today).plan();
    std::vector<BankDayView> views;
    for (auto at = plan.days.upper_bound(query.after); at != plan.days.end() && views.size() < query.limit; ++at)
      views.push_back(day_view_of(records, tenant, at->second, std::move(plan.absent[at->first]), today));
    return views;
  });
}

}  // namespace tideover::usecases
