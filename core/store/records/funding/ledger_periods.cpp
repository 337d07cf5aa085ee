// Closed periods of the ledger and their closing balances.
#include "core/crypto/primitives/encoding.hpp"
#include "core/store/integrity/hash_chain.hpp"
#include "core/store/records/funding/ledger_store.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/ledger_moves.hpp"

namespace tideover::store {
namespace {

#define PERIOD_COLUMNS "period, after_day, closed_at, closed_by, balances, balances_sha256"

domain::LedgerPeriod read_period(ColumnReader& in) {
  domain::LedgerPeriod period;
  period.month = in.named(domain::Month::parse);
  const auto after_day = in.integer();
  if (after_day != ClosedBase{}.last_day) period.closed_before = domain::Date::from_days(static_cast<int>(after_day));
  period.closed_at = in.timestamp();
  period.closed_by = in.id<domain::ClientId>();
  period.balances = in.integer();
  period.balances_sha256 = in.text();
  return period;
}

std::string follows_of(const domain::LedgerPeriod& period) {
  return period.closed_before ? domain::Month::of(*period.closed_before).text() : "";
}

}  // namespace

std::optional<domain::Date> LedgerStore::closed_through(const domain::TenantId& tenant) const {
  const auto found = session_.first([](const sql::Row& row) { return ColumnReader(row).optional_date(); },
                                    "SELECT closed_through FROM tenants WHERE id = ?", tenant.text());
  return found.value_or(std::nullopt);
}

std::optional<domain::Date> LedgerStore::first_day(const domain::TenantId& tenant) const {
  return session_.first([](const sql::Row& row) { return ColumnReader(row).date(); },
                        "SELECT effective_day FROM ledger_transactions WHERE tenant = ? ORDER BY effective_day LIMIT 1",
                        tenant.text());
}

std::vector<domain::LedgerPeriod> LedgerStore::periods(const domain::TenantId& tenant) const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        return read_period(in);
      },
      "SELECT " PERIOD_COLUMNS " FROM ledger_periods WHERE tenant = ? ORDER BY period", tenant.text());
}

std::vector<std::pair<domain::TenantId, domain::LedgerPeriod>> LedgerStore::all_periods() const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        auto tenant = in.id<domain::TenantId>();
        return std::pair(std::move(tenant), read_period(in));
      },
      "SELECT tenant, " PERIOD_COLUMNS " FROM ledger_periods ORDER BY tenant, period");
}

std::string LedgerStore::digest_of_closing(const domain::TenantId& tenant, domain::Month month) const {
  // Each row with the digest of those before it, so that the memory does not grow with the accounts.
  ChainPlace place{"closing " + month.text(), 0, ""};
  for (const sql::Row& row :
       session_.query("SELECT account, payee_npi, payer_id, posted_cents, pending_cents FROM ledger_closings WHERE "
                      "tenant = ? AND period = ? ORDER BY account, payee_npi, payer_id",
                      tenant.text(), month.text())) {
    ColumnReader in(row);
    ++place.position;
    CanonicalRow content(ChainedTable::ledger, place);
    content.text(tenant.text());
    for (int i = 0; i < 3; ++i) content.text(in.text());
    const auto posted = in.integer(), pending = in.integer();
    const auto hash = content.integer(posted).integer(pending).hash();
    place.previous.assign(hash.begin(), hash.end());
  }
  return crypto::hex_encode(crypto::sha256(place.previous));
}

domain::LedgerPeriod LedgerStore::close(const domain::TenantId& tenant, domain::LedgerPeriod period) {
  const auto name = period.month.text();
  const auto last_day = period.month.last_day();
  const auto after_day = period.closed_before ? period.closed_before->days() : ClosedBase{}.last_day;
  period.balances = session_.run(
      "INSERT INTO ledger_closings (tenant, period, account, payee_npi, payer_id, posted_cents, pending_cents) SELECT "
      "?, ?, account, payee, payer, SUM(posted), SUM(pending) FROM (" LEDGER_AS_OF
      ") moved GROUP BY account, payee, payer HAVING SUM(posted) <> 0 OR SUM(pending) <> 0",
      tenant.text(), name, tenant.text(), follows_of(period), tenant.text(), after_day, last_day.days());
  period.balances_sha256 = digest_of_closing(tenant, period.month);
  insert_row<"ledger_periods", "tenant, follows, last_day, " PERIOD_COLUMNS>(
      session_, tenant.text(), follows_of(period), last_day.days(), name, after_day, period.closed_at.ms(),
      period.closed_by.text(), period.balances, period.balances_sha256);
  session_.run("UPDATE tenants SET closed_through = ? WHERE id = ?", last_day.days(), tenant.text());
  return period;
}

void LedgerStore::reopen(const domain::TenantId& tenant, const domain::LedgerPeriod& period) {
  session_.run("DELETE FROM ledger_closings WHERE tenant = ? AND period = ?", tenant.text(), period.month.text());
  session_.run("DELETE FROM ledger_periods WHERE tenant = ? AND period = ?", tenant.text(), period.month.text());
  session_.run("UPDATE tenants SET closed_through = ? WHERE id = ?", days(period.closed_before), tenant.text());
}

}  // namespace tideover::store
