// "did you mean": the known name closest to a misspelled one. Allocates nothing, so Lua callbacks may use it.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace tideover::lua {

/// Keeps the closest candidate within two edits (one for words of up to four letters), or one that starts with the
/// word: "amount" for "amount_cents".
class ClosestName {
 public:
  explicit ClosestName(std::string_view wanted) : wanted_(wanted), best_distance_(wanted.size() <= 4 ? 2 : 3) {}

  void consider(std::string_view name) {
    std::size_t distance = edits(wanted_, name);
    if (wanted_.size() >= 3 && name.starts_with(wanted_)) distance = std::min<std::size_t>(distance, 1);
    if (distance >= best_distance_) return;
    best_distance_ = distance;
    best_ = name;
  }
  /// Empty when no candidate is close.
  std::string_view found() const { return best_; }

 private:
  static constexpr std::size_t kLongest = 48;

  static std::size_t edits(std::string_view a, std::string_view b) {
    if (a.size() > kLongest || b.size() > kLongest) return kLongest;
    std::array<std::size_t, kLongest + 1> row{};
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      }
    }
    return row[b.size()];
  }

  std::string_view wanted_;
  std::string_view best_;
  std::size_t best_distance_;
};

}  // namespace tideover::lua
