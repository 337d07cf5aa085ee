#include "core/usecases/ledger/export_ledger.hpp"

#include "core/domain/claims/npi.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr std::size_t kDayCharacters = 10;  // YYYY-MM-DD

/// nullopt: the cursor is not one of cursor_of().
std::optional<domain::JournalPlace> place_at(const std::string& cursor) {
  if (cursor.empty()) return domain::JournalPlace{};
  const auto day = domain::parse_date(cursor.substr(0, kDayCharacters));
  if (!day || cursor.size() < kDayCharacters + 2 || cursor[kDayCharacters] != '.') return std::nullopt;
  return domain::JournalPlace{*day, cursor.substr(kDayCharacters + 1)};
}

Error bad_cursor() {
  return Error::of(ErrorCode::invalid_cursor, "The cursor is not valid. Use next_cursor of the previous page.");
}

Error bad_days() {
  auto error = Error::of(ErrorCode::invalid_parameter, "The period ends before it begins.");
  error.fields.push_back({"to", "must not be before `from`"});
  return error;
}

domain::DateRange days_of(const JournalQuery& query) {
  static const auto last = domain::parse_date("2199-12-31").value_or(domain::Date{});
  return {query.from.value_or(domain::Date{}), query.to.value_or(last)};
}

}  // namespace

std::string ExportLedger::cursor_of(domain::Date effective_on, const domain::LedgerTransactionId& id) {
  return format_date(effective_on) + '.' + id.text();
}

domain::Result<std::vector<domain::LedgerTransaction>> ExportLedger::journal(const domain::TenantId& tenant,
                                                                             const JournalQuery& query) const {
  const auto place = place_at(query.after);
  if (!place) return bad_cursor();
  const auto days = days_of(query);
  if (days.to < days.from) return bad_days();
  return fetch(store_, [&](const ports::Records& records) {
    return records.ledger().journal(tenant, days, *place, query.limit);
  });
}

domain::Result<domain::PayeeStatement> ExportLedger::statement(const domain::TenantId& tenant,
                                                               const std::string& payee_npi,
                                                               const JournalQuery& query) const {
  auto refusal =
      Error::of(ErrorCode::invalid_parameter, "The query of the statement is not valid; see details.fields.");
  if (!domain::has_npi_format(payee_npi))
    refusal.fields.push_back({"payee_npi", payee_npi.empty() ? "required" : "must be an NPI of ten digits"});
  if (!query.from) refusal.fields.push_back({"from", "required"});
  if (!query.to) refusal.fields.push_back({"to", "required"});
  if (!refusal.fields.empty()) return refusal;
  const auto place = place_at(query.after);
  if (!place) return bad_cursor();
  const auto days = days_of(query);
  if (days.to < days.from) return bad_days();
  return fetch(store_, [&](const ports::Records& records) {
    const auto& ledger = records.ledger();
    domain::PayeeStatement statement{payee_npi, days.from, days.to, {}, {}, {}};
    statement.opening = ledger.owed_to(tenant, payee_npi, days.from.plus(-1));
    statement.closing = ledger.owed_to(tenant, payee_npi, days.to);
    statement.movements = ledger.movements_of(tenant, payee_npi, days, *place, query.limit);
    return statement;
  });
}

domain::Result<std::vector<domain::PayerOutstanding>> ExportLedger::aging(const domain::TenantId& tenant,
                                                                          domain::Date today) const {
  return fetch(store_, [&](const ports::Records& records) { return records.settlements().outstanding(tenant, today); });
}

}  // namespace tideover::usecases
