#include "core/store/records/reconciliation/deposit_store.hpp"

#include <algorithm>

#include "core/domain/claims/claim_number.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/tenant_time.hpp"
#include "core/store/records/rows/waiting_row.hpp"

namespace tideover::store {
namespace {

#define DEPOSIT_COLUMNS                                                                                          \
  "id, payer_id, cents, received_date, effective_date, trace_number, external_id, addenda, originator, status, " \
  "matched_cents, created_at, payer_said, channel, released_cents, pooled_into, returned_date, return_reason"

domain::Deposit read_deposit(const sql::Row& row, const EncryptedCells& cells, const domain::TenantId& tenant) {
  ColumnReader in(row);
  domain::Deposit deposit;
  deposit.id = in.id<domain::DepositId>();
  deposit.payer_id = in.text();
  deposit.amount = in.money();
  deposit.received_date = in.date();
  deposit.effective_date = in.optional_date();
  deposit.trace_number = in.text();
  deposit.external_id = in.optional_text().value_or("");
  deposit.addenda = cells.open(tenant, encrypted::kDepositAddenda, deposit.id.text(), in.bytes());
  deposit.originator = in.text();
  deposit.status = in.named(domain::match_state_named);
  deposit.matched_amount = in.money();
  deposit.created_at = in.timestamp();
  deposit.payer_said = cells.open(tenant, encrypted::kDepositPayerSaid, deposit.id.text(), in.bytes());
  deposit.channel = in.text();
  deposit.released = in.money();
  deposit.pooled_into = in.optional_id<domain::DepositId>();
  deposit.returned_date = in.optional_date();
  deposit.return_reason = in.text();
  return deposit;
}

}  // namespace

auto DepositStore::reader(const domain::TenantId& tenant) const {
  return [this, &tenant](const sql::Row& row) { return read_deposit(row, cells_, tenant); };
}

void DepositStore::insert(const domain::TenantId& tenant, const domain::Deposit& deposit) {
  insert_row<"deposits", "tenant, trace_form, " DEPOSIT_COLUMNS>(
      session_, tenant.text(), domain::normal_trace(deposit.trace_number), deposit.id.text(), deposit.payer_id,
      deposit.amount.cents(), deposit.received_date.days(), days(deposit.effective_date), deposit.trace_number,
      text_or_null(deposit.external_id),
      cells_.seal(tenant, encrypted::kDepositAddenda, deposit.id.text(), deposit.addenda), deposit.originator,
      domain::name_of(deposit.status), deposit.matched_amount.cents(), deposit.created_at.ms(),
      cells_.seal(tenant, encrypted::kDepositPayerSaid, deposit.id.text(), deposit.payer_said), deposit.channel,
      deposit.released.cents(), text(deposit.pooled_into), days(deposit.returned_date), deposit.return_reason);
}

std::optional<domain::Deposit> DepositStore::find(const domain::TenantId& tenant, const domain::DepositId& id) const {
  return session_.first(reader(tenant), "SELECT " DEPOSIT_COLUMNS " FROM deposits WHERE tenant = ? AND id = ?",
                        tenant.text(), id.text());
}

std::optional<domain::Deposit> DepositStore::find_external(const domain::TenantId& tenant,
                                                           std::string_view external_id) const {
  return session_.first(reader(tenant), "SELECT " DEPOSIT_COLUMNS " FROM deposits WHERE tenant = ? AND external_id = ?",
                        tenant.text(), external_id);
}

#define DEPOSITS                                                            \
  "SELECT " DEPOSIT_COLUMNS " FROM deposits WHERE tenant = ? AND " IN_PAGE( \
      "id", "created_at") " AND (? = '' OR status = ?) AND (? = '' OR payer_id = ?) ORDER BY id"

std::vector<domain::Deposit> DepositStore::list(const domain::TenantId& tenant, const ports::DepositFilter& filter,
                                                const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::Deposit>(session_, tenant, page);
  const auto status = filter.status ? domain::name_of(*filter.status) : std::string_view();
  return cells_.first_that_open(session_, reader(tenant), page.limit, in_order<DEPOSITS, kOpenRows>(page.order),
                                tenant.text(), in.above, in.below, in.from, in.before, status, status, filter.payer_id,
                                filter.payer_id);
}

std::vector<domain::Deposit> DepositStore::waiting_with_trace(const domain::TenantId& tenant,
                                                              std::string_view trace_number,
                                                              const domain::MoneyRange& amounts,
                                                              std::size_t limit) const {
  return all(session_, reader(tenant),
             "SELECT " DEPOSIT_COLUMNS
             " FROM deposits WHERE tenant = ? AND trace_form = ? AND cents BETWEEN ? AND ? AND status = 'unmatched' "
             "ORDER BY id LIMIT ?",
             tenant.text(), domain::normal_trace(trace_number), amounts.least.cents(), amounts.most.cents(),
             rows(limit));
}

std::vector<domain::Deposit> DepositStore::posted_alone(const domain::TenantId& tenant, std::string_view payer_id,
                                                        domain::Money amount, const domain::DateRange& days,
                                                        std::size_t limit) const {
  return all(session_, reader(tenant),
             "SELECT " DEPOSIT_COLUMNS
             " FROM deposits WHERE tenant = ? AND payer_id = ? AND status = 'matched' AND cents BETWEEN ? AND ? AND "
             "(received_date BETWEEN ? AND ? OR effective_date BETWEEN ? AND ?) AND LENGTH(trace_number) = 0 "
             "AND NOT EXISTS (SELECT 1 FROM remittances r WHERE r.tenant = deposits.tenant AND r.deposit_id = "
             "deposits.id) ORDER BY id LIMIT ?",
             tenant.text(), payer_id, amount.cents(), amount.cents(), days.from.days(), days.to.days(),
             days.from.days(), days.to.days(), rows(limit));
}

std::vector<domain::Deposit> DepositStore::waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id,
                                                            const domain::MoneyRange& amounts,
                                                            const std::optional<domain::DateRange>& days,
                                                            std::size_t limit) const {
  if (!days)
    return all(session_, reader(tenant),
               "SELECT " DEPOSIT_COLUMNS
               " FROM deposits WHERE tenant = ? AND payer_id = ? AND status = 'unmatched' AND cents BETWEEN ? AND ? "
               "ORDER BY id LIMIT ?",
               tenant.text(), payer_id, amounts.least.cents(), amounts.most.cents(), rows(limit));
  return all(session_, reader(tenant),
             "SELECT " DEPOSIT_COLUMNS
             " FROM deposits WHERE tenant = ? AND payer_id = ? AND status = 'unmatched' AND cents BETWEEN ? AND ? "
             "AND (received_date BETWEEN ? AND ? OR effective_date BETWEEN ? AND ?) ORDER BY id LIMIT ?",
             tenant.text(), payer_id, amounts.least.cents(), amounts.most.cents(), days->from.days(), days->to.days(),
             days->from.days(), days->to.days(), rows(limit));
}

std::vector<domain::Deposit> DepositStore::reported_twice(const domain::TenantId& tenant,
                                                          const domain::Deposit& deposit, const domain::DateRange& days,
                                                          std::size_t limit) const {
  // `+`: in order of its key SQLite would read all rows of the tenant.
  auto found = all(session_, reader(tenant),
                   "SELECT " DEPOSIT_COLUMNS
                   " FROM deposits WHERE tenant = ? AND payer_id = ? AND (status IN ('unmatched', 'partly_matched', "
                   "'matched', 'suspected_duplicate') OR (status = 'returned' AND returned_date >= ?)) AND cents = ? "
                   "AND id <> ? AND received_date BETWEEN ? AND ? ORDER BY +id LIMIT ?",
                   tenant.text(), deposit.payer_id, deposit.received_date.days(), deposit.amount.cents(),
                   deposit.id.text(), days.from.days(), days.to.days(), rows(limit));
  if (deposit.trace_number.empty()) return found;
  // The payer of one of them may be unknown, and the amount of a remittance that stands for its money may have been
  // corrected.
  const bool stands_for_money = deposit.channel == domain::kByRemittance;
  for (auto& one :
       all(session_, reader(tenant),
           "SELECT " DEPOSIT_COLUMNS " FROM deposits WHERE tenant = ? AND trace_form = ? AND status <> 'duplicate' AND "
           "(status <> 'returned' OR returned_date >= ?) AND id <> ? AND received_date BETWEEN ? AND ? "
           "AND (cents = ? OR (? = 1 AND channel = ?)) ORDER BY +id LIMIT ?",
           tenant.text(), domain::normal_trace(deposit.trace_number), deposit.received_date.days(), deposit.id.text(),
           days.from.days(), days.to.days(), deposit.amount.cents(), stands_for_money ? 1 : 0, domain::kByRemittance,
           rows(limit)))
    if (std::none_of(found.begin(), found.end(), [&](const auto& known) { return known.id == one.id; }))
      found.push_back(std::move(one));
  return found;
}

std::vector<ports::Waiting> DepositStore::waiting_since(domain::Timestamp latest, const ports::Waiting& after,
                                                        std::size_t limit) const {
  return all(
      session_, waiting_of,
      "SELECT created_at, id, tenant FROM deposits WHERE status = 'unmatched' AND created_at >= ? AND " TIME_HAS_COME(
          "created_at", "deposits.tenant") " AND (created_at > ? OR id > ?) ORDER BY created_at, id LIMIT ?",
      after.since.ms(), latest.ms(), latest.ms(), after.since.ms(), after.id, rows(limit));
}

void DepositStore::set_payer(const domain::TenantId& tenant, const domain::DepositId& id, std::string_view payer_id) {
  session_.run("UPDATE deposits SET payer_id = ? WHERE tenant = ? AND id = ?", payer_id, tenant.text(), id.text());
}

std::vector<domain::Deposit> DepositStore::pooled_into(const domain::TenantId& tenant,
                                                       const domain::DepositId& id) const {
  return all(session_, reader(tenant),
             "SELECT " DEPOSIT_COLUMNS " FROM deposits WHERE tenant = ? AND pooled_into = ? ORDER BY id", tenant.text(),
             id.text());
}

void DepositStore::set_returned(const domain::TenantId& tenant, const domain::Deposit& deposit) {
  update_match(tenant, deposit);
  session_.run("UPDATE deposits SET returned_date = ?, return_reason = ? WHERE tenant = ? AND id = ?",
               days(deposit.returned_date), deposit.return_reason, tenant.text(), deposit.id.text());
}

void DepositStore::update_match(const domain::TenantId& tenant, const domain::Deposit& deposit) {
  session_.run(
      "UPDATE deposits SET status = ?, matched_cents = ?, released_cents = ?, pooled_into = ? WHERE tenant = ? AND id "
      "= ?",
      domain::name_of(deposit.status), deposit.matched_amount.cents(), deposit.released.cents(),
      text(deposit.pooled_into), tenant.text(), deposit.id.text());
}

}  // namespace tideover::store
