#include "core/store/records/claims/learning_store.hpp"

#include <stdexcept>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

#define BATCH_COLUMNS "seq, made_at, heard_until, closes_day, entries, sha256, state_digest"

domain::LearningBatch read_batch(const sql::Row& row) {
  ColumnReader in(row);
  domain::LearningBatch batch;
  batch.seq = in.integer();
  batch.made_at = in.timestamp();
  batch.observed_until = in.timestamp();
  batch.closes_day = in.optional_date();
  auto entries = domain::unpacked(in.bytes());
  if (!entries) throw std::runtime_error("the entries of a batch of the learning journal are damaged");
  batch.entries = std::move(*entries);
  batch.sha256 = in.text();
  batch.state_digest = in.text();
  return batch;
}

/// Digest of the batch before it and of everything that is learned from this one.
std::string chained(const std::string& previous, const domain::LearningBatch& batch, const std::string& entries) {
  std::string text = "learning-v1\n" + previous + '\n' + std::to_string(batch.seq) + '\n' +
                     (batch.closes_day ? std::to_string(batch.closes_day->days()) : "") + '\n' + entries;
  return crypto::hex_encode(crypto::sha256(text));
}

sql::BlobView blob_of(const std::string& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

std::vector<ports::LearningHead> LearningStore::heads() const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        ports::LearningHead head;
        head.tenant = in.id<domain::TenantId>();
        head.seq = in.optional_integer().value_or(0);
        head.set_aside = in.integer();
        return head;
      },
      "SELECT t.id, (SELECT MAX(b.seq) FROM learning_batches b WHERE b.tenant = t.id), (SELECT COUNT(*) FROM "
      "learning_set_aside s WHERE s.tenant = t.id) "
      "FROM tenants t ORDER BY t.id");
}

std::vector<domain::LearningBatch> LearningStore::behind(const domain::TenantId& tenant, std::int64_t after,
                                                         std::size_t limit) const {
  return all(session_, read_batch,
             "SELECT " BATCH_COLUMNS " FROM learning_batches WHERE tenant = ? AND seq > ? ORDER BY seq LIMIT ?",
             tenant.text(), after, rows(limit));
}

std::vector<domain::LearningBatch> LearningStore::before(const domain::TenantId& tenant, std::int64_t before,
                                                         std::size_t limit) const {
  return all(session_, read_batch,
             "SELECT " BATCH_COLUMNS " FROM learning_batches WHERE tenant = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
             tenant.text(), before, rows(limit));
}

void LearningStore::append(const domain::TenantId& tenant, const domain::LearningBatch& batch) {
  const auto previous =
      session_.first([](const sql::Row& row) { return row.text(0); },
                     "SELECT sha256 FROM learning_batches WHERE tenant = ? AND seq = ?", tenant.text(), batch.seq - 1);
  if (!previous && batch.seq != 1)
    throw std::logic_error("a batch of the learning journal does not continue the one before it");
  const auto entries = domain::packed(batch.entries);
  insert_row<"learning_batches", "tenant, " BATCH_COLUMNS>(
      session_, tenant.text(), batch.seq, batch.made_at.ms(), batch.observed_until.ms(), days(batch.closes_day),
      blob_of(entries), chained(previous.value_or(""), batch, entries), batch.state_digest);
}

std::vector<domain::SetAside> LearningStore::set_aside(const domain::TenantId& tenant, std::int64_t after,
                                                       std::int64_t until) const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        domain::SetAside entry;
        entry.seq = in.integer();
        entry.entry = static_cast<std::size_t>(in.integer());
        entry.object_id = in.text();
        entry.reason = in.text();
        return entry;
      },
      "SELECT seq, entry, object_id, reason FROM learning_set_aside WHERE tenant = ? AND seq > ? AND seq <= ? ORDER BY "
      "seq, entry",
      tenant.text(), after, until);
}

bool LearningStore::put_aside(const domain::TenantId& tenant, const domain::SetAside& entry, domain::Timestamp at) {
  return insert_row_if_new<"learning_set_aside", "tenant, seq, entry, object_id, reason, at">(
      session_, tenant.text(), entry.seq, static_cast<std::int64_t>(entry.entry), entry.object_id, entry.reason,
      at.ms());
}

void LearningStore::file_payer(std::string_view edition, std::string_view record) {
  insert_row_if_new<"payer_editions", "edition, record">(session_, edition, record);
}

std::optional<std::string> LearningStore::payer(std::string_view edition) const {
  return session_.first([](const sql::Row& row) { return row.text(0); },
                        "SELECT record FROM payer_editions WHERE edition = ?", edition);
}

}  // namespace tideover::store
