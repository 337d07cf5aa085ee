#include "core/http/handlers/paging.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

/// A whole number of the query, within limits.
template <class Number>
std::optional<Error> read_number(const Context& context, const std::string& name, Number least, Number most,
                                 Number& value) {
  const auto given = context.query.find(name);
  if (given == context.query.end()) return std::nullopt;
  const std::string& text = given->second;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc{} && end == text.data() + text.size() && value >= least && value <= most)
    return std::nullopt;
  const std::string problem = "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  auto error = Error::of(ErrorCode::invalid_parameter, name + ' ' + problem + '.');
  error.fields.push_back({name, problem});
  return error;
}

/// Names the list and its filters: a cursor is good for these only.
std::string list_of(const Context& context) {
  std::string text = context.request_context.operation;
  for (const auto& part : context.path) text += '\n' + part;
  for (const auto& [name, value] : context.query)
    if (name != "limit" && name != "cursor") text += '\n' + name + '=' + value;
  return crypto::hex_encode(crypto::sha256(text)).substr(0, 12);
}

enum class Bound { first, last };

/// A bound of `created_at`: a timestamp, or a day in UTC, both inclusive. `last`: the first instant after it.
std::optional<domain::Timestamp> bound_of(const Context& context, const char* name, Bound bound, Error& refusal) {
  const auto text = context.query_text(name);
  if (text.empty()) return std::nullopt;
  const bool is_last = bound == Bound::last;
  if (const auto day = domain::parse_date(text))
    return domain::Timestamp{}.plus_days(is_last ? day->plus(1).days() : day->days());
  if (const auto at = domain::parse_timestamp(text)) return at->plus_ms(is_last ? 1 : 0);
  refusal.fields.push_back({name, "must be a date, YYYY-MM-DD, or an RFC 3339 timestamp"});
  return std::nullopt;
}

}  // namespace

Error invalid_cursor(std::string message) {
  auto refusal = Error::of(ErrorCode::invalid_cursor, std::move(message));
  refusal.fields.push_back({"cursor", "is not a cursor of this list"});
  return refusal;
}

std::vector<Parameter> paged(std::vector<Parameter> filters) {
  filters.insert(filters.end(), {"limit", any_text("cursor")});  // open_cursor() refuses other text
  return filters;
}

std::vector<Parameter> ordered(std::vector<Parameter> filters) {
  filters.insert(filters.end(), {"order", "created_from", "created_to"});
  return paged(std::move(filters));
}

domain::Result<bool> explain_of(const Context& context) {
  const auto given = context.query_text("explain", "false");
  if (given == "true" || given == "false") return given == "true";
  auto error = Error::of(ErrorCode::invalid_parameter, "explain must be true or false.");
  error.fields.push_back({"explain", "must be true or false"});
  return error;
}

domain::Result<Page> page_of(const Context& context, std::size_t most, std::size_t standard) {
  Page page;
  page.limit = standard;
  page.list = list_of(context);
  if (const auto cursor = context.query_text("cursor"); !cursor.empty()) {
    auto position = wire::open_cursor(page.list, cursor);
    if (!position || position->empty())
      return invalid_cursor(
          "The cursor is not valid for this list and these filters. Use next_cursor of the previous page.");
    page.after = std::move(*position);
  }
  if (auto refusal = read_number<std::size_t>(context, "limit", 1, most, page.limit)) return *refusal;
  return page;
}

domain::Result<OrderedPage> ordered_page_of(const Context& context) {
  auto page = page_of(context);
  if (!page) return page.error();
  OrderedPage asked{std::move(*page)};
  auto refusal = Error::of(ErrorCode::invalid_parameter, "A parameter of the list is not valid. See details.fields.");
  const auto order = context.query_text("order", "desc");
  if (order == "asc")
    asked.order = domain::ListOrder::oldest_first;
  else if (order != "desc")
    refusal.fields.push_back({"order", "must be asc or desc"});
  asked.created_from = bound_of(context, "created_from", Bound::first, refusal);
  asked.created_before = bound_of(context, "created_to", Bound::last, refusal);
  if (!refusal.fields.empty()) return refusal;
  return asked;
}

domain::Result<RowPage> row_page_of(const Context& context, std::int64_t first_after_row) {
  RowPage page;
  page.after_row = first_after_row;
  if (auto refusal = read_number<std::size_t>(context, "limit", 1, 1000, page.limit)) return *refusal;
  if (auto refusal =
          read_number<std::int64_t>(context, "after_row", 0, std::numeric_limits<std::int64_t>::max(), page.after_row))
    return *refusal;
  return page;
}

std::optional<domain::Date> day_of(const Context& context, const char* name, domain::Error& refusal) {
  const auto text = context.query_text(name);
  if (text.empty()) return std::nullopt;
  const auto date = domain::parse_date(text);
  if (!date) refusal.fields.push_back({name, "must be a date, YYYY-MM-DD"});
  return date;
}

}  // namespace tideover::http
