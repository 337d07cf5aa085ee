#include "core/http/document/reference.hpp"

#include <algorithm>

namespace tideover::http {

const ReferenceFile* reference_file(std::string_view path) {
  const auto files = reference_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace tideover::http
