// The check of the format that a client names for a file.
#pragma once
#include <string>

#include "core/domain/basics/result.hpp"

namespace tideover::usecases {

/// Error unsupported_format when `formats`, those of imports, remittances or deposits, has none of this name.
template <class Formats>
domain::Status check_format_of(Formats& formats, const std::string& name) {
  if (formats.find(name)) return {};
  auto error = domain::Error::of(domain::ErrorCode::unsupported_format, "File format not found.")
                   .with_list("allowed", formats.names());
  error.fields.push_back({"format", "is not one of the allowed formats"});
  return error;
}

}  // namespace tideover::usecases
