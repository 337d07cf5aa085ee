#include "core/store/answer_store.hpp"

#include <utility>

#include "core/store/columns.hpp"

namespace tideover::store {

void AnswerStore::insert(const domain::TenantId& tenant, std::string_view scope,
                                 const ports::StoredAnswer& answer, domain::Timestamp now) {
  // An answer that has expired but is not pruned yet gives way to the new one.
  const auto renewed = session_.run(
      "UPDATE answers SET fingerprint = ?, outcome = ?, body = ?, created_at = ?, expires_at = ? "
      "WHERE tenant = ? AND scope = ? AND expires_at <= ?",
      answer.fingerprint, answer.outcome, answer.body, now.ms(), answer.expires_at.ms(), tenant.text(), scope,
      now.ms());
  if (renewed > 0) return;
  session_.run(
      "INSERT INTO answers (tenant, scope, fingerprint, outcome, body, created_at, expires_at) "
      "VALUES (?, ?, ?, ?, ?, ?, ?)",
      tenant.text(), scope, answer.fingerprint, answer.outcome, answer.body, now.ms(), answer.expires_at.ms());
}

std::optional<ports::StoredAnswer> AnswerStore::find(const domain::TenantId& tenant,
                                                             std::string_view scope) const {
  return session_.first(
      [](const sql::Row& row) {
        ColumnReader in(row);
        ports::StoredAnswer answer;
        answer.fingerprint = in.text();
        answer.outcome = in.text();
        answer.body = in.text();
        answer.expires_at = in.timestamp();
        return answer;
      },
      "SELECT fingerprint, outcome, body, expires_at FROM answers WHERE tenant = ? AND scope = ?", tenant.text(),
      scope);
}

int AnswerStore::prune(domain::Timestamp now, std::size_t limit) {
  // Neither engine takes a LIMIT in a DELETE of both dialects, so the keys are read first.
  const auto expired = all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        auto tenant = in.text();
        return std::pair(std::move(tenant), in.text());
      },
      "SELECT tenant, scope FROM answers WHERE expires_at <= ? ORDER BY expires_at LIMIT ?", now.ms(), rows(limit));
  int removed = 0;
  for (const auto& [tenant, scope] : expired) {
    removed += static_cast<int>(session_.run("DELETE FROM answers WHERE tenant = ? AND scope = ? AND expires_at <= ?",
                                             tenant, scope, now.ms()));
  }
  return removed;
}

}  // namespace tideover::store
