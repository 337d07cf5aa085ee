// A bulk import of claims (openapi.yaml: Import job; core/docs/contract.md#imports).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/result.hpp"

namespace tideover::domain {

enum class ImportStatus { queued, running, succeeded, failed };
inline std::string_view name_of(ImportStatus status) {
  switch (status) {
    case ImportStatus::queued:
      return "queued";
    case ImportStatus::running:
      return "running";
    case ImportStatus::succeeded:
      return "succeeded";
    case ImportStatus::failed:
      return "failed";
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
  std::int64_t row = 0;   // claim row, 1-based
  std::int64_t line = 0;  // line of the file, 1-based
  std::string field;
  std::string claim_identifier;
  ErrorCode code = ErrorCode::validation_error;
  std::string message;
};

/// The result of one claim row.
enum class RowOutcome { accepted, rejected, duplicate };
inline std::string_view name_of(RowOutcome outcome) {
  switch (outcome) {
    case RowOutcome::accepted:
      return "accepted";
    case RowOutcome::rejected:
      return "rejected";
    case RowOutcome::duplicate:
      return "duplicate";
  }
  return "rejected";
}

inline RowOutcome row_outcome_named(std::string_view name) {
  for (const auto outcome : {RowOutcome::accepted, RowOutcome::duplicate})
    if (name_of(outcome) == name) return outcome;
  return RowOutcome::rejected;
}

/// An accepted row. In a trial run it has no ids, because nothing was stored.
struct ImportedRow {
  std::int64_t row = 0;
  std::int64_t line = 0;
  RowOutcome outcome = RowOutcome::accepted;
  std::optional<ClaimId> claim;
  std::optional<AuthorizationId> authorization;  // of its review, if it was reviewed
};

struct ImportJob {
  ImportJobId id;
  ImportStatus status = ImportStatus::queued;
  std::string format;                                        // ndjson | csv | a format of a plugin
  std::string encoding;                                      // gzip | zstd | none
  std::vector<std::pair<std::string, std::string>> mapping;  // service field -> header in the file
  bool abort_on_error = false;
  bool auto_review = true;
  bool dry_run = false;        // a trial run: every row is checked, nothing is stored
  std::string file_digest;     // of a file that a command reads from disk; empty: the payload is stored with the job
  std::string external_id;     // the client's own key; empty for none
  std::string content_digest;  // of a request with an external_id: an equal one gets the same job
  std::int64_t payload_bytes = 0;  // as sent or as on disk, possibly compressed
  std::int64_t bytes_read = 0;     // of them, up to the last finished row
  std::int64_t total_rows = 0;
  std::int64_t accepted_rows = 0;
  std::int64_t rejected_rows = 0;
  std::int64_t duplicate_rows = 0;
  std::vector<ImportFault> errors;  // capped, see `errors_truncated`
  bool errors_truncated = false;
  Timestamp submitted_at;
  std::optional<Timestamp> started_at;
  std::optional<Timestamp> finished_at;
  std::optional<Timestamp> canceled_at;  // canceled by a client; its status is failed
};

inline constexpr std::size_t kMaxListedImportErrors = 1000;

}  // namespace tideover::domain
