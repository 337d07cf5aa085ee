#include "core/store/records/operations/pickup_store.hpp"

#include <limits>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

#define PICKUP_COLUMNS                                                                                      \
  "id, folder, name, sha256, bytes, received_at, status, kind, format, objects, duplicate_of, error_code, " \
  "error, place, target, attempts, next_attempt, finished_at"

std::string objects_column(const std::vector<std::string>& objects) {
  RecordWriter out;
  for (const auto& object : objects) out.text(object).end_record();
  return out.take();
}

std::vector<std::string> objects_of(const std::string& column) {
  std::vector<std::string> objects;
  for (RecordReader in(column); in.next();) objects.push_back(in.text());
  return objects;
}

domain::PickupFile read_pickup_file(const sql::Row& row) {
  ColumnReader in(row);
  domain::PickupFile file;
  file.id = in.id<domain::PickupFileId>();
  file.folder = in.text();
  file.name = in.text();
  file.sha256 = in.text();
  file.bytes = in.integer();
  file.received_at = in.timestamp();
  file.status = in.named(domain::pickup_status_named);
  file.result.kind = in.named(domain::pickup_kind_named);
  file.result.format = in.text();
  file.result.objects = objects_of(in.text());
  file.duplicate_of = in.optional_id<domain::PickupFileId>();
  file.error_code = in.text();
  file.error = in.text();
  file.place = in.text();
  file.target = in.text();
  file.attempts = in.number();
  file.next_attempt = in.timestamp();
  file.finished_at = in.optional_timestamp();
  return file;
}

std::optional<std::string> content_of(const domain::PickupFile& file) {
  return domain::owns_content(file) ? text_or_null(file.sha256) : std::nullopt;
}

}  // namespace

void PickupStore::insert(const domain::TenantId& tenant, const domain::PickupFile& file) {
  insert_row<"pickup_files", "tenant, content, open, " PICKUP_COLUMNS>(
      session_, tenant.text(), content_of(file), domain::is_open(file), file.id.text(), file.folder, file.name,
      file.sha256, file.bytes, file.received_at.ms(), domain::name_of(file.status), domain::name_of(file.result.kind),
      file.result.format, objects_column(file.result.objects), text(file.duplicate_of), file.error_code, file.error,
      file.place, file.target, file.attempts, file.next_attempt.ms(), ms(file.finished_at));
}

void PickupStore::update(const domain::TenantId& tenant, const domain::PickupFile& file) {
  session_.run(
      "UPDATE pickup_files SET content = ?, open = ?, status = ?, kind = ?, format = ?, objects = ?, duplicate_of = ?, "
      "error_code = ?, error = ?, place = ?, target = ?, attempts = ?, next_attempt = ?, finished_at = ? "
      "WHERE tenant = ? AND id = ?",
      content_of(file), domain::is_open(file), domain::name_of(file.status), domain::name_of(file.result.kind),
      file.result.format, objects_column(file.result.objects), text(file.duplicate_of), file.error_code, file.error,
      file.place, file.target, file.attempts, file.next_attempt.ms(), ms(file.finished_at), tenant.text(),
      file.id.text());
}

std::optional<domain::PickupFile> PickupStore::find(const domain::TenantId& tenant,
                                                    const domain::PickupFileId& id) const {
  return session_.first(read_pickup_file, "SELECT " PICKUP_COLUMNS " FROM pickup_files WHERE tenant = ? AND id = ?",
                        tenant.text(), id.text());
}

std::optional<domain::PickupFile> PickupStore::owner(const domain::TenantId& tenant, std::string_view sha256) const {
  return session_.first(read_pickup_file,
                        "SELECT " PICKUP_COLUMNS " FROM pickup_files WHERE tenant = ? AND content = ?", tenant.text(),
                        sha256);
}

std::vector<domain::PickupFile> PickupStore::open_files(const domain::TenantId& tenant, std::string_view folder,
                                                        std::size_t limit) const {
  return all(session_, read_pickup_file,
             "SELECT " PICKUP_COLUMNS
             " FROM pickup_files WHERE tenant = ? AND folder = ? AND open = 1 ORDER BY id LIMIT ?",
             tenant.text(), folder, rows(limit));
}

#define PICKUP_FILES                                                                                                 \
  "SELECT " PICKUP_COLUMNS                                                                                           \
  " FROM pickup_files WHERE tenant = ? AND id > ? AND id < ? AND (? = '' OR folder = ?) AND (? = '' OR status = ?) " \
  "AND received_at >= ? AND received_at < ? ORDER BY id"

std::vector<domain::PickupFile> PickupStore::list(const domain::TenantId& tenant, const ports::PickupFilter& filter,
                                                  const domain::ListPage& page) const {
  const std::string status(filter.status ? domain::name_of(*filter.status) : "");
  const auto in = rows_of<domain::kind::PickupFile>(session_, tenant, page);
  return all(session_, read_pickup_file, in_order<PICKUP_FILES>(page.order), tenant.text(), in.above, in.below,
             filter.folder, filter.folder, status, status, filter.from ? filter.from->ms() : 0,
             filter.to ? filter.to->ms() : std::numeric_limits<std::int64_t>::max(), rows(page.limit));
}

void PickupStore::insert_acknowledgment(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                        const domain::Acknowledgment& acknowledgment) {
  insert_row<"acknowledgments", "tenant, job_id, interchange, implementation">(
      session_, tenant.text(), job.text(),
      cells_.seal(tenant, encrypted::kAcknowledgmentInterchange, job.text(), acknowledgment.interchange),
      cells_.seal(tenant, encrypted::kAcknowledgmentImplementation, job.text(), acknowledgment.implementation));
}

std::optional<domain::Acknowledgment> PickupStore::acknowledgment(const domain::TenantId& tenant,
                                                                  const domain::ImportJobId& job) const {
  return session_.first(
      [&](const sql::Row& row) {
        ColumnReader in(row);
        domain::Acknowledgment read;
        read.interchange = cells_.open(tenant, encrypted::kAcknowledgmentInterchange, job.text(), in.bytes());
        read.implementation = cells_.open(tenant, encrypted::kAcknowledgmentImplementation, job.text(), in.bytes());
        return read;
      },
      "SELECT interchange, implementation FROM acknowledgments WHERE tenant = ? AND job_id = ?", tenant.text(),
      job.text());
}

std::int64_t PickupStore::last_control_number(const domain::TenantId& tenant) const {
  return session_
      .first([](const sql::Row& row) { return row.integer(0); }, "SELECT last FROM control_numbers WHERE tenant = ?",
             tenant.text())
      .value_or(0);
}

bool PickupStore::use_control_numbers(const domain::TenantId& tenant, std::int64_t last, std::int64_t new_last) {
  if (last == 0 && last_control_number(tenant) == 0) {
    insert_row<"control_numbers", "tenant, last">(session_, tenant.text(), new_last);
    return true;
  }
  return session_.run("UPDATE control_numbers SET last = ? WHERE tenant = ? AND last = ?", new_last, tenant.text(),
                      last) > 0;
}

}  // namespace tideover::store
