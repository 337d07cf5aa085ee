// Imports on the wire (spec: Import job; contract section 8).
#pragma once
#include <string>

#include "core/http/wire/object_reader.hpp"
#include "core/usecases/start_import.hpp"

namespace tideover::wire {

usecases::ImportRequest decode_import(const json::Value& body, Faults& faults);
std::string encode_import(const domain::ImportJob& job);

}  // namespace tideover::wire
