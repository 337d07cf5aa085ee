// A file in Base64 with its format and content coding: remittances and deposits (contract section 7).
#pragma once
#include <string>

#include "core/http/wire/object_reader.hpp"

namespace tideover::wire {

struct FilePayload {
  std::string format;
  std::string encoding = "none";
  std::string payload;  // decoded from Base64
};
FilePayload decode_file(const json::Value& body, Faults& faults);

}  // namespace tideover::wire
