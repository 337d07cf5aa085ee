#include "core/settings/suggestion.hpp"

#include <algorithm>

namespace tideover::settings {
namespace {

constexpr std::size_t kMaxShown = 60;

// Number of insertions, deletions, replacements and swaps of neighbours between two texts.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] =
          std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string shown(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text.substr(0, kMaxShown)) quoted += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return quoted + (text.size() > kMaxShown ? "…'" : "'");
}

std::string did_you_mean(std::string_view text, const std::vector<std::string_view>& candidates) {
  if (text.size() > kMaxShown) return "";
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(text, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best.empty() ? "" : "; did you mean '" + std::string(best) + "'?";
}

}  // namespace tideover::settings
