// Idempotency answers in SQL.
// Bound to one session and its thread.
#pragma once
#include "core/ports/answer_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class AnswerStore final : public ports::AnswerRecords {
 public:
  explicit AnswerStore(sql::Session& session) : session_(session) {}

  void insert(const domain::TenantId& tenant, std::string_view scope, const ports::StoredAnswer& answer,
              domain::Timestamp now) override;
  std::optional<ports::StoredAnswer> find(const domain::TenantId& tenant, std::string_view scope) const override;
  int prune(domain::Timestamp now, std::size_t limit) override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
