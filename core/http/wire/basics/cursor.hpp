// Cursors of lists. A cursor holds the position of a page and names the list, with its filters, that it is good for
// (core/docs/contract.md#lists-and-metadata). Pure functions.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tideover::wire {

/// One page of a list.
struct PageFrame {
  std::size_t limit = 25;
  std::string list = {};  // digest of the list and its filters
};

/// `position` must be ASCII.
std::string seal_cursor(std::string_view list, std::string_view position);
/// The position in a cursor of this list; nullopt: the cursor is damaged or of another list.
std::optional<std::string> open_cursor(std::string_view list, std::string_view cursor);

}  // namespace tideover::wire
