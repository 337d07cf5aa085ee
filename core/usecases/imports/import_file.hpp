// Imports a file from a local disk, for files too large for one request. Its job is like any other (chunks, results,
// errors, position in each commit), but no node takes it: the process with the file runs RunImport::work_on, and the
// same file again continues where it stopped.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct FileToImport {
  std::string format;
  std::string encoding = "none";  // gzip | zstd | none
  std::vector<std::pair<std::string, std::string>> mapping;
  bool abort_on_error = false;
  bool auto_review = true;
  bool dry_run = false;
  std::string digest;  // of the bytes and the options above; equal digests are one import
  std::int64_t bytes = 0;
};

class ImportFile {
 public:
  ImportFile(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  /// The job of this file that is open or was completed, otherwise a new one: a file is imported once.
  domain::Result<ports::ImportClaim> open(const RequestContext& context, const FileToImport& file);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
