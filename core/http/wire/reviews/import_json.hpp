// Imports as JSON (openapi.yaml: Import job; core/docs/contract.md#imports).
#pragma once
#include <string>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/imports/read_imports.hpp"
#include "core/usecases/imports/start_import.hpp"

namespace tideover::wire {

usecases::ImportRequest decode_import(const json::Value& body, Faults& faults);
std::string encode_import(const domain::ImportJob& job);
/// `jobs` may have one item more than `limit`; it only shows that there is a next page.
std::string encode_imports(const std::vector<domain::ImportJob>& jobs, const PageFrame& page);

/// One JSON object per line.
std::string encode_import_results(const std::vector<usecases::ImportResult>& results);
std::string encode_import_errors(const std::vector<domain::ImportFault>& faults);

}  // namespace tideover::wire
