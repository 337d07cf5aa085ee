// A file in Base64 with its format and content coding, for remittances and deposits
// (core/docs/contract.md#reconciliation). Pure functions.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::wire {

struct FilePayload {
  std::string format;
  std::string encoding = "none";
  std::string payload;  // decoded from Base64
  std::vector<std::pair<std::string, std::string>> mapping{};
};
/// The member `mapping`: our field -> column header of the file.
std::vector<std::pair<std::string, std::string>> decode_mapping(ObjectReader& in);
FilePayload decode_file(const json::Value& body, Faults& faults);
/// As above, with `mapping`.
FilePayload decode_mapped_file(const json::Value& body, Faults& faults);

}  // namespace tideover::wire
