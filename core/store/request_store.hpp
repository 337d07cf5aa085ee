// Idempotency answers and audit rows in SQL.
// Bound to one session and its thread.
#pragma once
#include "core/ports/request_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class RequestStore final : public ports::RequestRecords {
 public:
  explicit RequestStore(sql::Session& session) : session_(session) {}

  void insert_answer(const domain::TenantId& tenant, std::string_view scope, const ports::StoredAnswer& answer,
                     domain::Timestamp now) override;
  std::optional<ports::StoredAnswer> find_answer(const domain::TenantId& tenant, std::string_view scope) const override;
  int prune_answers(domain::Timestamp now, std::size_t limit) override;
  void append_audit(const domain::TenantId& tenant, const ports::AuditRow& row) override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
