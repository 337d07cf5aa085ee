#include "core/domain/reviews/medicare_fee.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

#include "core/domain/basics/rounding.hpp"

namespace tideover::domain {
namespace {

// No fee schedule has larger values; with them every product fits 128 bits.
constexpr std::int64_t kLargestValue = 1'000'000 * kOneInMillionths, kLargestIndex = 100 * kOneInMillionths,
                       kLargestFactor = 10'000 * kOneInMillionths;

std::int64_t bounded(std::int64_t value, std::int64_t largest) {
  return std::max(-largest, std::min(value, largest));
}

constexpr int kBilateral = 15'000;
constexpr int kAssistantSurgeon = 1'600;
constexpr int kAssistantAtSurgery = 1'360;  // AS: 85 % of 16 %
constexpr int kCoSurgeon = 6'250;
constexpr int kLaterSurgery = 5'000;
constexpr int kLaterTechnical = 5'000;
constexpr int kLaterProfessional = 9'500;
constexpr int kLaterPractice = 5'000;

bool has(const std::string& modifiers, std::string_view wanted) {
  for (std::size_t at = 0; at + 2 <= modifiers.size(); at += 3)
    if (std::string_view(modifiers).substr(at, 2) == wanted) return true;
  return false;
}

RelativeValues difference(const RelativeValues& a, const RelativeValues& b) {
  return {a.work - b.work, a.practice - b.practice, a.malpractice - b.malpractice};
}

Money times_units(Money unit, std::int64_t units_milli) {
  return price_of(Wide{unit.cents()} * units_milli, kOneUnitMilli);
}

/// The effect of modifiers on a line's price, in basis points.
int modifier_bps(const MedicareLine& line) {
  const auto& is = line.indicators;
  Wide bps = kOneInBps;
  const auto apply = [&](int share) { bps = bps * share / kOneInBps; };
  if (has(line.modifiers, "50") && is.bilateral == '1') apply(kBilateral);
  const bool assistant = has(line.modifiers, "80") || has(line.modifiers, "81") || has(line.modifiers, "82");
  if ((assistant || has(line.modifiers, "AS")) && is.assistant == '1') return 0;
  if (assistant)
    apply(kAssistantSurgeon);
  else if (has(line.modifiers, "AS"))
    apply(kAssistantAtSurgery);
  if (has(line.modifiers, "62") && (is.co_surgeon == '1' || is.co_surgeon == '2')) apply(kCoSurgeon);
  if (is.pre_bps + is.intra_bps + is.post_bps > 0) {
    if (has(line.modifiers, "54")) apply(is.pre_bps + is.intra_bps);
    if (has(line.modifiers, "55")) apply(is.post_bps);
    if (has(line.modifiers, "56")) apply(is.pre_bps);
    if (has(line.modifiers, "78")) apply(is.intra_bps);
  }
  return static_cast<int>(bps);
}

class Day {
 public:
  Day(const std::vector<MedicareLine>& lines, const MedicareTerms& terms) : lines_(lines), terms_(terms) {}

  std::vector<Money> price() {
    for (const auto& line : lines_)
      fees_.push_back(times_units(portion(fee_of(line.values), modifier_bps(line)), line.units_milli));
    reduce_surgery();
    reduce_imaging();
    reduce_therapy();
    for (auto& fee : fees_) fee = portion(portion(fee, terms_.provider_bps), terms_.participation_bps);
    return std::move(fees_);
  }

 private:
  Money fee_of(const RelativeValues& values) const {
    return medicare_fee(values, terms_.indices, terms_.conversion_factor);
  }

  std::vector<std::size_t> lines_with(char multiple) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].indicators.multiple == multiple) found.push_back(i);
    return found;
  }
  /// Most expensive first; of equals the first one on the claim.
  void rank(std::vector<std::size_t>& lines) const {
    std::stable_sort(lines.begin(), lines.end(), [&](auto a, auto b) { return fees_[a] > fees_[b]; });
  }

  /// Endoscopies of one family: the most expensive in full, of the others the part above the base. A family then counts
  /// as one procedure among the surgeries of the day, of which the most expensive is paid in full.
  void reduce_surgery() {
    std::vector<std::vector<std::size_t>> procedures;
    for (const auto line : lines_with('2')) procedures.push_back({line});
    std::map<std::string, std::vector<std::size_t>> families;
    for (const auto line : lines_with('3')) families[lines_[line].endoscopy_base].push_back(line);
    for (auto& [base, family] : families) {
      rank(family);
      for (std::size_t i = 1; i < family.size() && !base.empty(); ++i) {
        auto& fee = fees_[family[i]];
        fee = std::max(Money{},
                       fee - portion(fee_of(lines_[family[i]].endoscopy_base_values), modifier_bps(lines_[family[i]])));
      }
      procedures.push_back(family);
    }
    const auto total = [&](const std::vector<std::size_t>& procedure) {
      return std::accumulate(procedure.begin(), procedure.end(), Money{},
                             [&](Money sum, std::size_t line) { return sum + fees_[line]; });
    };
    std::stable_sort(procedures.begin(), procedures.end(),
                     [&](const auto& a, const auto& b) { return total(a) > total(b); });
    for (std::size_t i = 1; i < procedures.size(); ++i)
      for (const auto line : procedures[i]) fees_[line] = portion(fees_[line], kLaterSurgery);
  }

  /// All but the most expensive: half of the technical part, 95 % of the professional one.
  void reduce_imaging() {
    auto imaging = lines_with('4');
    rank(imaging);
    for (std::size_t i = 1; i < imaging.size(); ++i) {
      const auto& line = lines_[imaging[i]];
      const auto technical = fee_of(line.technical), professional = fee_of(difference(line.values, line.technical));
      fees_[imaging[i]] = times_units(
          portion(portion(technical, kLaterTechnical) + portion(professional, kLaterProfessional), modifier_bps(line)),
          line.units_milli);
    }
  }

  /// Every unit of the day but the one with the highest practice expense gets half of it.
  void reduce_therapy() {
    auto therapy = lines_with('5');
    std::stable_sort(therapy.begin(), therapy.end(),
                     [&](auto a, auto b) { return lines_[a].values.practice > lines_[b].values.practice; });
    for (std::size_t i = 0; i < therapy.size(); ++i) {
      const auto& line = lines_[therapy[i]];
      const std::int64_t in_full = i == 0 ? std::min<std::int64_t>(line.units_milli, 1000) : 0;
      auto reduced = line.values;
      reduced.practice = reduced.practice * kLaterPractice / kOneInBps;
      fees_[therapy[i]] =
          portion(times_units(fee_of(line.values), in_full) + times_units(fee_of(reduced), line.units_milli - in_full),
                  modifier_bps(line));
    }
  }

  const std::vector<MedicareLine>& lines_;
  const MedicareTerms& terms_;
  std::vector<Money> fees_;
};

}  // namespace

Money medicare_fee(const RelativeValues& values, const PriceIndices& indices, std::int64_t conversion_factor) {
  const auto part = [](std::int64_t value, std::int64_t index) {
    return Wide{bounded(value, kLargestValue)} * bounded(index, kLargestIndex);
  };
  const Wide priced = part(values.work, indices.work) + part(values.practice, indices.practice) +
                      part(values.malpractice, indices.malpractice);
  constexpr Wide kPerCent = Wide{kOneInMillionths} * kOneInMillionths * (kOneInMillionths / 100);
  return price_of(priced * bounded(conversion_factor, kLargestFactor), kPerCent);
}

std::vector<Money> medicare_fees(const std::vector<MedicareLine>& lines, const MedicareTerms& terms) {
  return Day(lines, terms).price();
}

}  // namespace tideover::domain
