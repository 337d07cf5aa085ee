// `limit` and `cursor` of every collection (core/docs/contract.md#lists-and-metadata), and `explain` of single records.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/http/context.hpp"

namespace tideover::http {

struct Page {
  std::size_t limit = 25;
  std::string after;
};

/// The same of the rows of a file, page by page.
struct RowPage {
  std::size_t limit = 1000;
  std::int64_t after_row = 0;
};
/// `after_row` when the query has none; Error invalid_parameter for a limit that is not 1 to 1000 or a row that is no
/// number.
domain::Result<RowPage> row_page_of(const Context& context, std::int64_t first_after_row);

/// The query parameters of a collection with these filters.
std::vector<std::string> paged(std::vector<std::string> filters = {});

/// Whether ?explain=true; Error invalid_parameter for what is neither true nor false.
domain::Result<bool> explain_of(const Context& context);

/// A day of the query, if it is given; what is none becomes a fault of `refusal`.
std::optional<domain::Date> day_of(const Context& context, const char* name, domain::Error& refusal);

/// Error invalid_parameter for a limit that is not 1 to 100.
domain::Result<Page> page_of(const Context& context);

}  // namespace tideover::http
