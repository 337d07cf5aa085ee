#include "core/usecases/pickup/read_pickup_files.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::PickupFile;
using domain::PickupStatus;

constexpr std::int64_t kDayMs = 86'400'000;

Error no_file() {
  return Error::of(ErrorCode::not_found, "Pickup file not found.");
}

std::optional<domain::Timestamp> start_of(std::optional<domain::Date> day, int plus) {
  return day ? std::optional(domain::Timestamp::from_ms((day->days() + std::int64_t{plus}) * kDayMs)) : std::nullopt;
}

}  // namespace

domain::Result<std::vector<PickupFile>> ReadPickupFiles::list(const domain::TenantId& tenant,
                                                              const PickupQuery& query) const {
  const auto status = domain::pickup_status_named(query.status);
  if (!query.status.empty() && !status) {
    auto error = Error::of(ErrorCode::invalid_parameter, "status is not one of the allowed values.")
                     .with_list("allowed", {domain::kPickupStatusNames.begin(), domain::kPickupStatusNames.end()});
    error.fields.push_back({"status", "is not one of the allowed values"});
    return error;
  }
  return fetch(store_, [&](const ports::Records& records) {
    return records.pickups().list(tenant, {query.folder, status, start_of(query.from, 0), start_of(query.to, 1)},
                                  query.page);
  });
}

domain::Result<PickupFile> ReadPickupFiles::one(const domain::TenantId& tenant, const std::string& file_id) const {
  const auto id = domain::PickupFileId::parse(file_id);
  if (!id) return no_file();
  return fetch(store_, no_file(), [&](const ports::Records& records) { return records.pickups().find(tenant, *id); });
}

domain::Result<StoredResponse> ReadPickupFiles::retry(const RequestContext& context, const std::string& file_id,
                                                      const Render<PickupFile>& render) {
  const auto id = domain::PickupFileId::parse(file_id);
  if (!id) return no_file();
  const auto& tenant = context.caller.tenant;
  StoredResponse answer;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    auto file = records.pickups().find(tenant, *id);
    if (!file) return no_file();
    if (file->status != PickupStatus::quarantined || domain::is_open(*file) || !file->place.starts_with("quarantine/"))
      return Error::of(ErrorCode::invalid_state, "Only a file in quarantine can be read again.")
          .with("status", std::string(name_of(file->status)));
    if (const auto owner = records.pickups().owner(tenant, file->sha256))
      return Error::of(ErrorCode::invalid_state, "A file with the same content was received since. Use that file.")
          .with("file_id", owner->id.text());
    file->status = PickupStatus::waiting;
    file->attempts = 0;
    file->next_attempt = context.now;
    file->finished_at.reset();
    records.pickups().update(tenant, *file);
    answer = {render(*file)};
    leave_trace(records, context, ids_, file->id.text(), answer.body);
    return {};
  });
  if (!done) return done.error();
  return answer;
}

domain::Result<domain::Acknowledgment> ReadPickupFiles::acknowledgment(const domain::TenantId& tenant,
                                                                       const std::string& job_id) const {
  const auto missing = Error::of(ErrorCode::not_found,
                                 "The import has no acknowledgment. Only an X12 file that was not a dry run has one.");
  const auto id = domain::ImportJobId::parse(job_id);
  if (!id) return missing;
  return fetch(store_, missing,
               [&](const ports::Records& records) { return records.pickups().acknowledgment(tenant, *id); });
}

}  // namespace tideover::usecases
