#include "core/store/sql/gathered_inserts.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tideover::sql {

namespace {

// Few sizes, so that a session has few prepared statements; the largest stays below 65535 placeholders.
constexpr std::array<std::size_t, 4> kRowsAtOnce = {64, 16, 4, 1};
// A statement must fit into max_allowed_packet of the server, 16 MiB unless set lower.
constexpr std::size_t kBytesAtOnce = 1 << 20;

/// The "(?, ?)" at the end of a plain insert; empty for any other statement.
std::string_view placeholders_of(std::string_view sql) {
  constexpr std::string_view kInsert = "INSERT INTO ", kValues = " VALUES ";
  const auto values = sql.rfind(kValues);
  if (!sql.starts_with(kInsert) || values == std::string_view::npos) return {};
  const std::string_view row = sql.substr(values + kValues.size());
  const bool plain = row.starts_with("(?") && row.ends_with("?)") &&
                     row.find_first_not_of("(?, )") == std::string_view::npos &&
                     std::count(row.begin(), row.end(), '(') == 1;
  return plain ? row : std::string_view{};
}

}  // namespace

bool GatheredInserts::take(std::string_view sql, std::span<const Parameter> parameters) {
  auto rows = std::find_if(statements_.begin(), statements_.end(), [&](const Rows& known) { return known.sql == sql; });
  if (rows == statements_.end()) {
    const std::string_view row = placeholders_of(sql);
    if (row.empty() || static_cast<std::size_t>(std::count(row.begin(), row.end(), '?')) != parameters.size())
      return false;
    rows = statements_.insert(statements_.end(), {std::string(sql), parameters.size(), 0, {}});
  }
  for (const Parameter& parameter : parameters) {
    rows->values.push_back(std::visit(
        [&](const auto& value) -> Value {
          using T = std::remove_cvref_t<decltype(value)>;
          if constexpr (std::same_as<T, std::string_view> || std::same_as<T, BlobView>) rows->bytes += value.size();
          if constexpr (std::same_as<T, std::string_view>)
            return std::string(value);
          else if constexpr (std::same_as<T, BlobView>)
            return std::vector<std::uint8_t>(value.begin(), value.end());
          else
            return value;
        },
        parameter.value()));
  }
  return true;
}

void GatheredInserts::hand_over(const Execute& execute) {
  const std::vector<Rows> statements = std::exchange(statements_, {});
  for (const Rows& rows : statements) {
    const std::string_view row = placeholders_of(rows.sql);
    const std::size_t count = rows.values.size() / rows.columns;
    const std::size_t most = std::max<std::size_t>(1, kBytesAtOnce * count / (rows.bytes + 1));
    std::vector<Parameter> parameters;
    for (std::size_t done = 0; done < count;) {
      const std::size_t now = *std::find_if(kRowsAtOnce.begin(), kRowsAtOnce.end(), [&](std::size_t size) {
        return size == 1 || size <= std::min(most, count - done);
      });
      std::string sql = rows.sql;
      for (std::size_t i = 1; i < now; ++i) sql.append(", ").append(row);
      parameters.clear();
      for (std::size_t i = done * rows.columns; i < (done + now) * rows.columns; ++i) {
        parameters.push_back(std::visit(
            [](const auto& value) -> Parameter {
              if constexpr (std::same_as<std::remove_cvref_t<decltype(value)>, std::monostate>)
                return std::nullopt;
              else
                return value;
            },
            rows.values[i]));
      }
      execute(sql, parameters);
      done += now;
    }
  }
}

}  // namespace tideover::sql
