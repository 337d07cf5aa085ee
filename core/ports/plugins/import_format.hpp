// A bulk file of claims, as rows of named texts. Formats are plugins. The core interprets the rows.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/operations/acknowledgment.hpp"
#include "core/ports/plugins/byte_source.hpp"

namespace tideover::ports {

/// One claim as in the file: paths of the review request ("claim_identifier", "service_lines[0].cpt") with their texts.
/// Non-empty `fault`: the reason why the row is unreadable.
struct ImportRow {
  std::int64_t line = 0;  // 1-based line of the row's start
  std::vector<std::pair<std::string, std::string>> fields;
  std::string fault;
  std::int64_t byte = -1;  // offset of the row's start in the decoded file; -1: unknown
};

/// The time of an answer, and the last control number that an answer used.
struct AnswerTerms {
  domain::Timestamp now;
  std::int64_t last_control_number = 0;
};

/// The answers to a file, and the last control number that they use.
struct FileAnswer {
  domain::Acknowledgment acknowledgment;
  std::int64_t last_control_number = 0;
};

class ImportReader {
 public:
  virtual ~ImportReader() = default;
  /// True with a row, or false at the end. An Error means that nothing after this point can be read.
  virtual domain::Result<bool> next(ImportRow& row) = 0;
};

class ImportFormat {
 public:
  virtual ~ImportFormat() = default;
  virtual std::string_view name() const = 0;  // ndjson | csv
  /// `mapping`: service field -> header in the file. Reads up to the header. The Error names an unmapped required
  /// column, or says why the file does not have this format. `source` must outlive the reader.
  virtual domain::Result<std::unique_ptr<ImportReader>> open(
      ByteSource& source, const std::vector<std::pair<std::string, std::string>>& mapping) = 0;
  /// The answers that the sender of a whole file expects; nullopt for a format without answers. A file that cannot be
  /// read to its end has answers as well.
  virtual domain::Result<std::optional<FileAnswer>> acknowledge(std::string_view, const AnswerTerms&) {
    return std::optional<FileAnswer>();
  }
};

class ImportFormats {
 public:
  virtual ~ImportFormats() = default;
  virtual ImportFormat* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;
};

}  // namespace tideover::ports
