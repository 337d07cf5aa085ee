#include "core/http/handlers/paging.hpp"

#include <charconv>

namespace tideover::http {

domain::Result<Page> page_of(const Context& context) {
  Page page;
  page.after = context.query_text("cursor");
  if (page.after.size() > 128) return domain::Error::of(domain::ErrorCode::invalid_cursor, "cursor is not one that this service gave.");
  const std::string limit = context.query_text("limit", "25");
  const auto [end, failure] = std::from_chars(limit.data(), limit.data() + limit.size(), page.limit);
  if (failure != std::errc{} || end != limit.data() + limit.size() || page.limit < 1 || page.limit > 100) {
    auto error = domain::Error::of(domain::ErrorCode::invalid_parameter, "limit must be a whole number from 1 to 100.");
    error.fields.push_back({"limit", "must be a whole number from 1 to 100"});
    return error;
  }
  return page;
}

}  // namespace tideover::http
