// The contract of the API, api/rest/openapi.yaml, as it was when the service was built.
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <string_view>

namespace tideover::http {

/// The file, byte by byte.
std::string_view openapi_yaml();
/// The same document in JSON, with the members in the same order.
const std::string& openapi_json();

/// `info.description` of the document, in Markdown.
std::string openapi_description();

/// A YAML document in JSON: plain scalars by the core schema of YAML 1.2, quoted ones as strings. Throws
/// std::runtime_error on what is no such document.
std::string json_of_yaml(std::string_view yaml);

}  // namespace tideover::http
