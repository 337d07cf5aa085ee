// One page of a list whose rows are ordered by id, so by the time of their creation.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/domain/basics/date.hpp"

namespace tideover::domain {

enum class ListOrder { oldest_first, newest_first };

struct ListPage {
  std::string_view after = {};  // the last id of the page before, in the order of the list; empty: the first page
  std::size_t limit = 25;
  ListOrder order = ListOrder::oldest_first;
  std::optional<Timestamp> created_from = std::nullopt;    // inclusive
  std::optional<Timestamp> created_before = std::nullopt;  // exclusive
  std::optional<std::string_view> only = std::nullopt;     // the object with this id; empty: none
};

}  // namespace tideover::domain
