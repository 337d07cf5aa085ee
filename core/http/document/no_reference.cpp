// In place of the generated source, with TIDEOVER_API_REFERENCE=OFF.
#include "core/http/document/reference.hpp"

namespace tideover::http {

std::span<const ReferenceFile> reference_files() {
  return {};
}

}  // namespace tideover::http
