// The pages of the API reference and of the guides, and the script that the reference runs: built into the program from
// api/rest/reference by the build option TIDEOVER_API_REFERENCE.
//
// Threads: immutable.
#pragma once
#include <span>
#include <string_view>

namespace tideover::http {

struct ReferenceFile {
  std::string_view path;    // of the request
  std::string_view type;    // Content-Type
  std::string_view policy;  // Content-Security-Policy of a page; empty for a script
  std::string_view digest;  // of the content
  std::string_view packed;  // the content as one gzip member
};

/// Empty in a program that was built without them.
std::span<const ReferenceFile> reference_files();

/// Null when there is none of that path.
const ReferenceFile* reference_file(std::string_view path);

}  // namespace tideover::http
