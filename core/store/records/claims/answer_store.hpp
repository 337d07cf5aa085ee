// Stored responses of idempotency keys in SQL. A key is looked up by a digest of tenant and scope: keys of clients are
// random and can be long, so an index of the text would cost more than all other indexes of a request together. Bound
// to one session and its thread.
#pragma once
#include "core/ports/records/answer_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class AnswerStore final : public ports::AnswerRecords {
 public:
  AnswerStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, std::string_view scope, const ports::StoredAnswer& answer,
              domain::Timestamp now) override;
  void replace(const domain::TenantId& tenant, std::string_view scope, std::string_view body) override;
  std::optional<ports::StoredAnswer> find(const domain::TenantId& tenant, std::string_view scope) const override;
  std::int64_t count() const override;
  /// Reads the oldest `limit` answers and, if these do not use the limit, a part of the others that moves on each
  /// minute.
  int prune(domain::Timestamp now, std::size_t limit) override;

 private:
  /// Of the `look_at` answers after number `after`.
  int remove_expired(std::int64_t after, std::size_t look_at, domain::Timestamp now, std::size_t limit);
  std::optional<std::int64_t> number_at_end(sql::Sql sql) const;

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
