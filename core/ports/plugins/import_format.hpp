// A bulk file of claims, as rows of named texts. Formats are plugins; what a row means is the core's business.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/plugins/byte_source.hpp"

namespace tideover::ports {

/// One claim as the file gives it: paths of the review request ("claim_identifier", "service_lines[0].cpt") and the
/// text of each value. `fault` non-empty: the row could not be read, for this reason.
struct ImportRow {
  std::int64_t line = 0;  // 1-based line where the row starts
  std::vector<std::pair<std::string, std::string>> fields;
  std::string fault;
};

class ImportReader {
 public:
  virtual ~ImportReader() = default;
  /// true and a row, or false at the end; an Error means that nothing behind this point can be read.
  virtual domain::Result<bool> next(ImportRow& row) = 0;
};

class ImportFormat {
 public:
  virtual ~ImportFormat() = default;
  virtual std::string_view name() const = 0;  // ndjson | csv
  /// `mapping`: service field -> header in the file. Reads ahead as far as the header; an Error says which required
  /// column is unmapped or why the file is none of this format. `source` must outlive the reader.
  virtual domain::Result<std::unique_ptr<ImportReader>> open(
      ByteSource& source, const std::vector<std::pair<std::string, std::string>>& mapping) = 0;
};

class ImportFormats {
 public:
  virtual ~ImportFormats() = default;
  virtual ImportFormat* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;
};

}  // namespace tideover::ports
