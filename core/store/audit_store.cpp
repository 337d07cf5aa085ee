#include "core/store/audit_store.hpp"

#include "core/store/columns.hpp"
#include "core/store/hash_chain.hpp"

namespace tideover::store {
namespace {

crypto::Sha256Digest hash_of(const ChainPlace& place, std::string_view tenant, std::string_view id, std::string_view client,
                             std::string_view request, std::string_view operation, std::string_view object, std::string_view outcome, std::int64_t times,
                             std::int64_t at) {
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

}  // namespace

void AuditStore::append(const domain::TenantId& tenant, const ports::AuditRow& row) {
  const ChainPlace place = next_place(session_, ChainedTable::audit, node_);
  const auto hash = hash_of(place, tenant.text(), row.id.text(), row.client.text(), row.request_id, row.operation, row.object_id, row.outcome,
                            row.times, row.at.ms());
  try {
    session_.run(
        "INSERT INTO audit_rows (chain, position, hash, tenant, id, client_id, request_id, operation, object_id, outcome, times, at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        place.chain, place.position, hash, tenant.text(), row.id.text(), row.client.text(), row.request_id, row.operation, row.object_id,
        row.outcome, row.times, row.at.ms());
  } catch (const sql::SqlError& error) {
    if (error.kind == sql::SqlError::Kind::unique_violation) refuse_taken_place(session_, ChainedTable::audit, place);
    throw;
  }
  advance(session_, ChainedTable::audit, hash);
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
  for (const sql::Row& row : session_.query(
           "SELECT position, hash, tenant, id, client_id, request_id, operation, object_id, outcome, times, at FROM audit_rows "
           "WHERE chain = ? AND position > ? ORDER BY position LIMIT ?",
           after.chain, after.position, rows(limit))) {
    ColumnReader in(row);
    ports::ChainLink link;
    link.position = in.integer();
    link.hash = in.bytes();
    const auto tenant = in.text(), id = in.text(), client = in.text(), request = in.text(), operation = in.text(), object = in.text(), outcome = in.text();
    const auto times = in.integer(), at = in.integer();
    const auto computed = hash_of({after.chain, link.position, previous}, tenant, id, client, request, operation, object, outcome, times, at);
    link.computed.assign(computed.begin(), computed.end());
    link.subject = "audit row " + id;
    previous = link.hash;
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace tideover::store
