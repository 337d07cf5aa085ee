#include "core/store/records/claims/answer_store.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/crypto/primitives/sha256.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

using ScopeDigest = std::array<std::uint8_t, 16>;

std::string_view name_of(const ScopeDigest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// Rows that one pass of pruning reads beyond the oldest, per row that it may remove.
constexpr std::int64_t kPiecePerLimit = 10;

/// 128 bits: scopes do not collide by chance, and on purpose only within a tenant, at the cost of 2^64 tries.
ScopeDigest digest_of(const domain::TenantId& tenant, std::string_view scope) {
  std::string text;
  text.reserve(tenant.text().size() + 1 + scope.size());
  text.append(tenant.text()).append(1, '\n').append(scope);
  const auto whole = crypto::sha256(text);
  ScopeDigest digest;
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

}  // namespace

void AnswerStore::insert(const domain::TenantId& tenant, std::string_view scope, const ports::StoredAnswer& answer,
                         domain::Timestamp now) {
  const auto digest = digest_of(tenant, scope);
  const auto body = cells_.seal(tenant, encrypted::kAnswerBody, name_of(digest), answer.body);
  const auto insert = [&] {
    insert_row<"answers", "scope_digest, tenant, fingerprint, outcome, body, expires_at, object_id">(
        session_, digest, tenant.text(), answer.fingerprint, answer.outcome, body, answer.expires_at.ms(),
        answer.object_id);
  };
  try {
    insert();
  } catch (const sql::SqlError& error) {
    if (error.kind != sql::SqlError::Kind::unique_violation) throw;
    // An expired answer that was not pruned yet is replaced. It is searched only now, because nearly every key is new.
    if (session_.run("DELETE FROM answers WHERE scope_digest = ? AND expires_at <= ?", digest, now.ms()) == 0) throw;
    insert();
  }
}

void AnswerStore::replace(const domain::TenantId& tenant, std::string_view scope, std::string_view body) {
  const auto digest = digest_of(tenant, scope);
  session_.run("UPDATE answers SET body = ? WHERE scope_digest = ? AND tenant = ?",
               cells_.seal(tenant, encrypted::kAnswerBody, name_of(digest), body), digest, tenant.text());
}

std::optional<ports::StoredAnswer> AnswerStore::find(const domain::TenantId& tenant, std::string_view scope) const {
  const auto digest = digest_of(tenant, scope);
  return session_.first(
      [&](const sql::Row& row) {
        ColumnReader in(row);
        ports::StoredAnswer answer;
        answer.fingerprint = in.text();
        answer.outcome = in.text();
        answer.body = cells_.open(tenant, encrypted::kAnswerBody, name_of(digest), in.bytes());
        answer.expires_at = in.timestamp();
        answer.object_id = in.text();
        return answer;
      },
      "SELECT fingerprint, outcome, body, expires_at, object_id FROM answers WHERE scope_digest = ? AND tenant = ?",
      digest, tenant.text());
}

std::int64_t AnswerStore::count() const {
  // Numbers are assigned in order, so the smallest and largest give the count.
  const auto first = number_at_end("SELECT number FROM answers ORDER BY number LIMIT 1");
  const auto last = number_at_end("SELECT number FROM answers ORDER BY number DESC LIMIT 1");
  return first && last ? *last - *first + 1 : 0;
}

// Most answers expire in order of creation, so the oldest are read first. Answers that expire behind longer-lived ones
// are found by a walk over the others, one part per minute; the clock gives the position.
int AnswerStore::prune(domain::Timestamp now, std::size_t limit) {
  int removed = remove_expired(0, limit, now, limit);
  const auto more = limit - static_cast<std::size_t>(removed);
  if (more == 0) return removed;
  const auto first = number_at_end("SELECT number FROM answers ORDER BY number LIMIT 1");
  const auto last = number_at_end("SELECT number FROM answers ORDER BY number DESC LIMIT 1");
  if (!first || !last) return removed;
  const auto piece = static_cast<std::int64_t>(limit) * kPiecePerLimit;
  const auto pieces = (*last - *first) / piece + 1;
  const auto minute = now.ms() / 60'000;
  return removed + remove_expired(*first - 1 + minute % pieces * piece, static_cast<std::size_t>(piece), now, more);
}

int AnswerStore::remove_expired(std::int64_t after, std::size_t look_at, domain::Timestamp now, std::size_t limit) {
  // LIMIT in a DELETE is not available in both dialects, so the numbers are read first.
  const auto there = all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        const auto number = in.integer();
        return std::pair(number, in.timestamp());
      },
      "SELECT number, expires_at FROM answers WHERE number > ? ORDER BY number LIMIT ?", after, rows(look_at));
  std::size_t removed = 0;
  for (const auto& [number, expires_at] : there) {
    if (removed == limit) break;
    if (expires_at > now) continue;
    removed += static_cast<std::size_t>(session_.run("DELETE FROM answers WHERE number = ?", number));
  }
  return static_cast<int>(removed);
}

std::optional<std::int64_t> AnswerStore::number_at_end(sql::Sql sql) const {
  return session_.first([](const sql::Row& row) { return row.integer(0); }, sql);
}

}  // namespace tideover::store
