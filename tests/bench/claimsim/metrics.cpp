#include "tests/bench/claimsim/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace tideover::claimsim {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kBins = 15;

std::vector<std::size_t> by_score(const Scores& scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return scores[a] < scores[b]; });
  return order;
}

/// Calls `group(first, past)` for every run of equal scores in `order`, lowest first.
template <class Group>
void for_each_tie(const Scores& scores, const std::vector<std::size_t>& order, Group group) {
  for (std::size_t first = 0; first < order.size();) {
    std::size_t past = first + 1;
    while (past < order.size() && scores[order[past]] == scores[order[first]]) ++past;
    group(first, past);
    first = past;
  }
}

/// Ends of the bins in `order`. A run of equal scores goes where its first member belongs.
std::vector<std::size_t> bin_ends(const Scores& scores, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> ends;
  std::size_t bin = 0;
  for_each_tie(scores, order, [&](std::size_t first, std::size_t past) {
    const std::size_t belongs = first * kBins / order.size();
    if (!ends.empty() && belongs == bin)
      ends.back() = past;
    else
      ends.push_back(past);
    bin = belongs;
  });
  return ends;
}

}  // namespace

double auroc(const Scores& scores, const Labels& labels) {
  const auto order = by_score(scores);
  double positives = 0, rank_sum = 0;
  for_each_tie(scores, order, [&](std::size_t first, std::size_t past) {
    const double rank = 0.5 * static_cast<double>(first + 1 + past);
    for (std::size_t i = first; i < past; ++i)
      if (labels[order[i]]) ++positives, rank_sum += rank;
  });
  const double negatives = static_cast<double>(scores.size()) - positives;
  if (positives == 0 || negatives == 0) return kUndefined;
  return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives);
}

double auprc(const Scores& scores, const Labels& labels) {
  auto order = by_score(scores);
  std::reverse(order.begin(), order.end());
  const double positives = static_cast<double>(std::count(labels.begin(), labels.end(), 1));
  if (positives == 0) return kUndefined;
  double found = 0, sum = 0;
  for_each_tie(scores, order, [&](std::size_t first, std::size_t past) {
    double gained = 0;
    for (std::size_t i = first; i < past; ++i) gained += labels[order[i]];
    found += gained;
    sum += gained * found / static_cast<double>(past);
  });
  return sum / positives;
}

double calibration_error(const Scores& scores, const Labels& labels) {
  if (scores.empty()) return kUndefined;
  const auto order = by_score(scores);
  double error = 0;
  std::size_t i = 0;
  for (const std::size_t end : bin_ends(scores, order)) {
    double surplus = 0;
    for (; i < end; ++i) surplus += scores[order[i]] - labels[order[i]];
    error += std::abs(surplus);
  }
  return error / static_cast<double>(scores.size());
}

double calibration_error_by_chance(const Scores& scores) {
  if (scores.empty()) return kUndefined;
  const auto order = by_score(scores);
  double error = 0;
  std::size_t i = 0;
  for (const std::size_t end : bin_ends(scores, order)) {
    double variance = 0;
    for (; i < end; ++i) variance += scores[order[i]] * (1 - scores[order[i]]);
    error += std::sqrt(2 / std::numbers::pi * variance);
  }
  return error / static_cast<double>(scores.size());
}

double crps(const QuantileDays& days, int happened) {
  double loss = 0;
  for (std::size_t i = 0; i < kLevels; ++i) {
    const double beyond = happened - days[i];
    loss += beyond * (level(i) - (beyond < 0 ? 1 : 0));
  }
  return 2 * loss / static_cast<double>(kLevels);
}

}  // namespace tideover::claimsim
