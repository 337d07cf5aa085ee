// The reference of error codes as an HTML page, from the table in the description of api/rest/openapi.yaml. `doc_url`
// of an error is its row.
//
// Threads: pure functions.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace tideover::http {

/// The page for a description in Markdown: one row, with the code as its id, per line `| 400 | `code` | meaning |`.
std::string error_page_of(std::string_view description, const std::function<bool(std::string_view code)>& is_retryable);

}  // namespace tideover::http
