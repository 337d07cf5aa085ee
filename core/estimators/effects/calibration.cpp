#include "core/estimators/effects/calibration.hpp"

#include <algorithm>

#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"

namespace tideover::estimators {
namespace {

constexpr std::size_t kFewForIsotonic = 500, kFewForPlatt = 50, kMostGroups = 64, kFewestInGroup = 150;
constexpr double kLineStrength = 300;  // weight of the line in a group, in outcomes

struct Block {
  double scores = 0, came = 0, predicted = 0, outcomes = 0;  // predicted: by the line
  void add(double score, bool true_one, double by_line) {
    scores += score;
    came += true_one;
    predicted += by_line;
    outcomes += 1;
  }
  void add(const Block& other) {
    scores += other.scores;
    came += other.came;
    predicted += other.predicted;
    outcomes += other.outcomes;
  }
  double share() const { return (came + kLineStrength * predicted / outcomes) / (outcomes + kLineStrength); }
};

}  // namespace

double Calibration::operator()(double score) const {
  return probability(score + trust_ * (corrected(score) - score));
}

double Calibration::corrected(double score) const {
  if (knots_.empty()) return offset_ + slope_ * score;
  // Beyond the ends the score keeps its slope, so that two claims never get one probability for lack of outcomes.
  if (score <= knots_.front().first) return knots_.front().second + (score - knots_.front().first);
  if (score >= knots_.back().first) return knots_.back().second + (score - knots_.back().first);
  const auto right = std::upper_bound(knots_.begin(), knots_.end(), score,
                                      [](double value, const auto& knot) { return value < knot.first; });
  const auto left = right - 1;
  const double part = (score - left->first) / (right->first - left->first);
  return left->second + part * (right->second - left->second);
}

void Calibration::fit_line(const std::vector<Scored>& outcomes) {
  double center = 0;  // the slope turns about the mean score, so that a small spread of scores hardly changes it
  for (const auto& outcome : outcomes) center += outcome.first / static_cast<double>(outcomes.size());
  double offset = 0, slope = 1;
  for (int step = 0; step < 25; ++step) {
    double a = 0.5, b = 0, c = 10, off = 0.5 * (0 - offset), tilt = 10 * (1 - slope);  // shrunk towards no correction
    for (const auto& [score, came] : outcomes) {
      const double from = score - center;
      const double p = probability(offset + center + slope * from), w = p * (1 - p), miss = (came ? 1 : 0) - p;
      a += w;
      b += w * from;
      c += w * from * from;
      off += miss;
      tilt += miss * from;
    }
    const double determinant = a * c - b * b;
    if (!(determinant > 1e-9)) return;
    const double move = (c * off - b * tilt) / determinant, turn = (a * tilt - b * off) / determinant;
    offset += domain::within(move, -1.0, 1.0);
    slope += domain::within(turn, -0.5, 0.5);
    if (move < 1e-6 && move > -1e-6 && turn < 1e-6 && turn > -1e-6) break;
  }
  slope_ = std::max(slope, 0.2);
  offset_ = offset + center - slope_ * center;
}

void Calibration::fit(std::vector<Scored> outcomes) {
  if (outcomes.size() < kFewForPlatt) return;
  fit_line(outcomes);
  knots_.clear();
  if (outcomes.size() < kFewForIsotonic) return;
  std::sort(outcomes.begin(), outcomes.end());
  // Smaller groups at the upper end, where few claims decide.
  const std::size_t groups = std::min(kMostGroups, outcomes.size() / kFewestInGroup);
  const std::size_t upper = groups / 4;
  std::vector<std::size_t> ends;
  const auto share = [&](double part) { return static_cast<std::size_t>(part * static_cast<double>(outcomes.size())); };
  for (std::size_t i = 1; i <= groups - upper; ++i)
    ends.push_back(share(0.85 * static_cast<double>(i) / static_cast<double>(groups - upper)));
  for (std::size_t i = 1; i <= upper; ++i)
    ends.push_back(share(0.85 + 0.15 * static_cast<double>(i) / static_cast<double>(upper)));
  if (upper == 0) ends.clear();
  ends.push_back(outcomes.size());
  std::vector<Block> blocks;
  std::size_t at = 0;
  for (std::size_t end : ends) {
    if (end <= at) continue;
    while (end < outcomes.size() && outcomes[end].first == outcomes[end - 1].first)
      ++end;  // equal scores stay together
    Block block;
    for (; at < end; ++at)
      block.add(outcomes[at].first, outcomes[at].second, probability(offset_ + slope_ * outcomes[at].first));
    blocks.push_back(block);
    while (blocks.size() > 1 && blocks[blocks.size() - 2].share() >= blocks.back().share()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().add(last);
    }
  }
  for (const auto& block : blocks) {
    const double score = block.scores / block.outcomes;
    if (!knots_.empty() && score <= knots_.back().first) continue;
    knots_.emplace_back(score, log_odds(block.share()));
  }
}

void Calibration::put_into(Digest& digest) const {
  digest.put(offset_);
  digest.put(slope_);
  for (const auto& [score, odds] : knots_) {
    digest.put(score);
    digest.put(odds);
  }
}

}  // namespace tideover::estimators
