// Lists that are ordered by id (domain::ListPage): one text for each order, and the bounds of a page.
//
//   #define DEPOSITS "SELECT … FROM deposits WHERE tenant = ? AND " IN_PAGE("id", "created_at") " ORDER BY id"
//   const auto in = rows_of<domain::kind::Deposit>(session, tenant, page);
//   all(session, read, in_order<DEPOSITS>(page.order), tenant, in.above, in.below, in.from, in.before,
//   rows(page.limit));
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/domain/basics/id.hpp"
#include "core/domain/basics/list_page.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {

// Only literals join at compile time. Takes the members of RowBounds in their order.
#define IN_PAGE(id, created_at) id " > ? AND " id " < ? AND " created_at " >= ? AND " created_at " < ?"

/// Ids (exclusive) and times of creation (`before` exclusive) of the rows that a page may have.
struct RowBounds {
  std::string above;
  std::string below;
  std::int64_t from = std::numeric_limits<std::int64_t>::min();
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
};

/// An object may get its id this long before or after its `created_at`: the ids only narrow the range that is read.
inline constexpr std::int64_t kIdWithinMs = 3'600'000;

/// Milliseconds by which a `created_at` may be ahead of the time in its id (core/docs/sandbox_clock.md). Ids have the
/// real time, `created_at` that of the tenant: the real time plus the shift at that moment.
struct ShiftBounds {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

/// All shifts that the clock of the tenant has had: before the tenant has data, the clock moves in both directions.
inline ShiftBounds shifts_of(sql::Session& session, const domain::TenantId& tenant) {
  return session
      .first(
          [](const sql::Row& row) {
            return ShiftBounds{row.integer(0), row.integer(1)};
          },
          "SELECT least_shift_ms, most_shift_ms FROM sandbox_clocks WHERE tenant = ?", tenant.text())
      .value_or(ShiftBounds{});
}

enum class IdMade { with_object, later_too };

/// Greater than the ids of earlier milliseconds, less than the others.
template <class Kind>
std::string first_id_at(std::int64_t ms) {
  return std::string(Kind::kPrefix) + domain::ulid_time_text(ms);
}

/// `Kind` is that of the ids. IdMade::later_too: some objects get their id long after their `created_at`.
template <class Kind>
RowBounds rows_of(sql::Session& session, const domain::TenantId& tenant, const domain::ListPage& page,
                  IdMade made = IdMade::with_object) {
  constexpr std::string_view kAfterAll = "~";
  RowBounds bounds{"", std::string(kAfterAll)};
  const auto shifts = page.created_from || page.created_before ? shifts_of(session, tenant) : ShiftBounds{};
  if (page.created_from) {
    bounds.from = page.created_from->ms();
    bounds.above = first_id_at<Kind>(bounds.from - shifts.most - kIdWithinMs);
  }
  if (page.created_before) {
    bounds.before = page.created_before->ms();
    if (made == IdMade::with_object) bounds.below = first_id_at<Kind>(bounds.before - shifts.least + kIdWithinMs);
  }
  if (page.after.empty()) return bounds;
  if (page.order == domain::ListOrder::oldest_first)
    bounds.above = std::max(bounds.above, std::string(page.after));
  else
    bounds.below = std::min(bounds.below, std::string(page.after));
  return bounds;
}

template <Literal text, Literal direction, Literal end>
inline constexpr auto kOrderedText = [] {
  constexpr std::string_view kText = text, kDirection = direction, kEnd = end;
  std::array<char, kText.size() + kDirection.size() + kEnd.size() + 1> joined{};
  auto to = std::copy(kText.begin(), kText.end(), joined.begin());
  to = std::copy(kDirection.begin(), kDirection.end(), to);
  std::copy(kEnd.begin(), kEnd.end(), to);
  return joined;
}();

/// Ends of a text: the rows of a page, and those for EncryptedCells::first_that_open.
inline constexpr Literal kRows = " LIMIT ?";
inline constexpr Literal kOpenRows = " LIMIT ? OFFSET ?";

/// `text` ends with ORDER BY and the column of the id.
template <Literal text, Literal end = kRows>
sql::Sql in_order(domain::ListOrder order) {
  return order == domain::ListOrder::newest_first ? sql::Sql(kOrderedText<text, " DESC", end>.data())
                                                  : sql::Sql(kOrderedText<text, "", end>.data());
}

}  // namespace tideover::store
