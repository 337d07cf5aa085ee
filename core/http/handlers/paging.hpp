// `limit`, `cursor`, `order` and the bounds of `created_at` of collections (core/docs/contract.md#lists-and-metadata),
// and `explain` of a single record.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/http/context.hpp"
#include "core/http/route_table.hpp"
#include "core/http/wire/basics/cursor.hpp"

namespace tideover::http {

struct Page : wire::PageFrame {
  std::string after;  // position of the cursor; empty: the first page
};

/// Page of a list that is ordered by id.
struct OrderedPage : Page {
  domain::ListOrder order = domain::ListOrder::newest_first;
  std::optional<domain::Timestamp> created_from{};
  std::optional<domain::Timestamp> created_before{};

  /// With one row more, which only shows that there is a next page. Must not outlive this object.
  domain::ListPage rows() const { return {after, limit + 1, order, created_from, created_before}; }
};

/// Page of the rows of a file: `after_row` and `limit`.
struct RowPage {
  std::size_t limit = 1000;
  std::int64_t after_row = 0;
};
/// `after_row` is the start when the query has none. Error invalid_parameter for a limit outside 1 to 1000, or for a
/// row that is not a number.
domain::Result<RowPage> row_page_of(const Context& context, std::int64_t first_after_row);

/// The allowed query parameters of a collection with these filters.
std::vector<Parameter> paged(std::vector<Parameter> filters = {});

/// The allowed query parameters of a list that is ordered by id.
std::vector<Parameter> ordered(std::vector<Parameter> filters = {});

/// True for ?explain=true. Error invalid_parameter for any value other than true and false.
domain::Result<bool> explain_of(const Context& context);

/// A date of the query, if given. A malformed date is added to the fields of `refusal`.
std::optional<domain::Date> day_of(const Context& context, const char* name, domain::Error& refusal);

/// `standard` is the limit when the query has none. Errors: invalid_parameter for a limit outside 1 to `most`,
/// invalid_cursor for a cursor of another list or of other filters.
domain::Result<Page> page_of(const Context& context, std::size_t most = 100, std::size_t standard = 25);

/// The same with `order`, `created_from` and `created_to`, for a list that is ordered by id. Error invalid_parameter
/// for an unknown order, and for a bound that is neither a date nor a timestamp.
domain::Result<OrderedPage> ordered_page_of(const Context& context);

/// The refusal of the parameter `cursor`.
domain::Error invalid_cursor(std::string message = "The cursor is not valid. Use next_cursor of the previous page.");

}  // namespace tideover::http
