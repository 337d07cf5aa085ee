// A bulk import of claims (spec: Import job; contract section 8).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/date.hpp"
#include "core/domain/id.hpp"
#include "core/domain/result.hpp"

namespace tideover::domain {

enum class ImportStatus { queued, running, succeeded, failed };
inline std::string_view name_of(ImportStatus status) {
  switch (status) {
    case ImportStatus::queued: return "queued";
    case ImportStatus::running: return "running";
    case ImportStatus::succeeded: return "succeeded";
    case ImportStatus::failed: return "failed";
  }
  return "failed";
}
inline ImportStatus import_status_named(std::string_view name) {
  for (const auto status : {ImportStatus::queued, ImportStatus::running, ImportStatus::succeeded})
    if (name_of(status) == name) return status;
  return ImportStatus::failed;
}

/// A fault of one row, or of the file when `row` is 0. Never holds a cell's value.
struct ImportFault {
  std::int64_t row = 0;  // claim row, 1-based
  std::int64_t line = 0; // line of the file, 1-based
  std::string field;
  std::string claim_identifier;
  ErrorCode code = ErrorCode::validation_error;
  std::string message;
};

struct ImportJob {
  ImportJobId id;
  ImportStatus status = ImportStatus::queued;
  std::string format;    // ndjson | csv | what plugins register
  std::string encoding;  // gzip | none
  std::vector<std::pair<std::string, std::string>> mapping;  // service field -> header in the file
  bool abort_on_error = false;
  bool auto_review = true;
  std::int64_t total_rows = 0;
  std::int64_t accepted_rows = 0;
  std::int64_t rejected_rows = 0;
  std::int64_t duplicate_rows = 0;
  std::vector<ImportFault> errors;  // capped, see `errors_truncated`
  bool errors_truncated = false;
  Timestamp submitted_at;
  std::optional<Timestamp> started_at;
  std::optional<Timestamp> finished_at;
};

inline constexpr std::size_t kMaxListedImportErrors = 1000;

}  // namespace tideover::domain
