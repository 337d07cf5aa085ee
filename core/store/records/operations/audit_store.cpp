#include "core/store/records/operations/audit_store.hpp"

#include <algorithm>

#include "core/store/integrity/hash_chain.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

crypto::Sha256Digest hash_of(const ChainPlace& place, std::string_view tenant, std::string_view id,
                             std::string_view client, std::string_view request, std::string_view operation,
                             std::string_view object, std::string_view outcome, std::int64_t times, std::int64_t at) {
  return CanonicalRow(ChainedTable::audit, place)
      .text(tenant)
      .text(id)
      .text(client)
      .text(request)
      .text(operation)
      .text(object)
      .text(outcome)
      .integer(times)
      .integer(at)
      .hash();
}

/// Rows of all tenants that one call of list() reads: tens of milliseconds.
constexpr std::int64_t kReadAtOnce = 20'000;

using Placed = std::pair<std::int64_t, ports::AuditRow>;  // by position

/// The rows of one chain after `after` up to `last`.
std::vector<Placed> rows_between(sql::Session& session, const domain::TenantId& tenant,
                                 const ports::AuditFilter& filter, const ports::AuditPlace& after, std::int64_t last,
                                 std::size_t limit) {
  std::string sql =
      "SELECT position, id, client_id, request_id, operation, object_id, outcome, at, times FROM audit_rows "
      "WHERE chain = ? AND position > ? AND position <= ? AND tenant = ?";
  std::vector<sql::Parameter> parameters{after.chain, after.position, last, tenant.text()};
  const auto narrow = [&](bool wanted, std::string_view condition, const auto& value) {
    if (!wanted) return;
    sql += condition;
    parameters.emplace_back(value);
  };
  narrow(!filter.client.empty(), " AND client_id = ?", filter.client);
  narrow(!filter.request_id.empty(), " AND request_id = ?", filter.request_id);
  narrow(!filter.object_id.empty(), " AND object_id = ?", filter.object_id);
  narrow(!filter.outcome.empty(), " AND outcome = ?", filter.outcome);
  narrow(filter.from.has_value(), " AND at >= ?", filter.from.value_or(domain::Timestamp{}).ms());
  narrow(filter.until.has_value(), " AND at < ?", filter.until.value_or(domain::Timestamp{}).ms());
  sql += " ORDER BY position LIMIT ?";
  parameters.emplace_back(rows(limit));

  std::vector<Placed> found;
  for (const sql::Row& row : session.query_bound(sql::Sql::composed(sql), parameters)) {
    ColumnReader in(row);
    const auto position = in.integer();
    ports::AuditRow read;
    read.id = in.id<domain::AuditId>();
    read.client = in.id<domain::ClientId>();
    read.request_id = in.text();
    read.operation = in.text();
    read.object_id = in.text();
    read.outcome = in.text();
    read.at = in.timestamp();
    read.times = in.number();
    found.emplace_back(position, std::move(read));
  }
  return found;
}

}  // namespace

void AuditStore::append(const domain::TenantId& tenant, const ports::AuditRow& row) {
  const ChainPlace place = next_place(session_, ChainedTable::audit, node_);
  const auto hash = hash_of(place, tenant.text(), row.id.text(), row.client.text(), row.request_id, row.operation,
                            row.object_id, row.outcome, row.times, row.at.ms());
  try {
    insert_row<"audit_rows",
               "chain, position, hash, tenant, id, client_id, request_id, operation, object_id, outcome, times, at">(
        session_, place.chain, place.position, hash, tenant.text(), row.id.text(), row.client.text(), row.request_id,
        row.operation, row.object_id, row.outcome, row.times, row.at.ms());
  } catch (const sql::SqlError& error) {
    if (error.kind == sql::SqlError::Kind::unique_violation) refuse_taken_place(session_, ChainedTable::audit, place);
    throw;
  }
  advance(session_, ChainedTable::audit, hash);
}

ports::AuditPage AuditStore::list(const domain::TenantId& tenant, const ports::AuditFilter& filter,
                                  const ports::AuditPlace& after, std::size_t limit) const {
  ports::AuditPage page;
  std::int64_t to_read = kReadAtOnce;
  for (const auto& head : heads()) {
    if (head.chain < after.chain) continue;
    ports::AuditPlace place{head.chain, head.chain == after.chain ? after.position : 0};
    if (place.position >= head.position) continue;
    if (to_read == 0 || page.rows.size() == limit) {
      page.next = std::move(place);
      return page;
    }
    const auto last = std::min(head.position, place.position + to_read);
    auto found = rows_between(session_, tenant, filter, place, last, limit - page.rows.size());
    to_read -= last - place.position;
    for (auto& [position, row] : found) page.rows.push_back(std::move(row));
    place.position = page.rows.size() == limit ? found.back().first : last;
    if (place.position == head.position) continue;
    page.next = std::move(place);
    return page;
  }
  return page;
}

std::vector<ports::ChainHead> AuditStore::heads() const {
  return heads_of(session_, ChainedTable::audit);
}

ports::ChainHead AuditStore::head(const std::string& chain) const {
  return head_of(session_, ChainedTable::audit, chain);
}

std::vector<ports::ChainLink> AuditStore::links(const ports::ChainHead& after, std::size_t limit) const {
  std::vector<ports::ChainLink> links;
  std::string previous = after.hash;
  for (const sql::Row& row : session_.query("SELECT position, hash, tenant, id, client_id, request_id, operation, "
                                            "object_id, outcome, times, at FROM audit_rows "
                                            "WHERE chain = ? AND position > ? ORDER BY position LIMIT ?",
                                            after.chain, after.position, rows(limit))) {
    ColumnReader in(row);
    ports::ChainLink link;
    link.position = in.integer();
    link.hash = in.bytes();
    const auto tenant = in.text(), id = in.text(), client = in.text(), request = in.text(), operation = in.text(),
               object = in.text(), outcome = in.text();
    const auto times = in.integer(), at = in.integer();
    const auto computed = hash_of({after.chain, link.position, previous}, tenant, id, client, request, operation,
                                  object, outcome, times, at);
    link.computed.assign(computed.begin(), computed.end());
    link.subject = "audit row " + id;
    previous = link.hash;
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace tideover::store
