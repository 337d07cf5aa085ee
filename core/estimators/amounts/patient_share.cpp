#include "core/estimators/amounts/patient_share.hpp"

#include "core/domain/basics/within.hpp"

namespace tideover::estimators {
namespace {

constexpr std::uint32_t kMostCounted = 6000;  // then all counts are halved: deductibles change from year to year
constexpr std::array<double, kPayerClasses> kFirstMean{.236, .20, .01,
                                                       .30,  .03, .20};  // prior share of the patient by class

Key class_key(PayerClass payer_class) {
  return joined(0x636c617373, static_cast<Key>(payer_class));
}

int step_of(std::int64_t allowed, std::int64_t paid) {
  if (paid >= allowed) return 0;
  if (paid <= 0) return kShareSteps - 1;
  return static_cast<int>(domain::within<std::int64_t>((20 * (allowed - paid) + allowed - 1) / allowed, 1, 20));
}

}  // namespace

void PatientShares::Histogram::add(int step) {
  if (total >= kMostCounted) {
    total = 0;
    for (auto& count : counts) total += count /= 2;
  }
  ++counts[static_cast<std::size_t>(step)];
  ++total;
}

void PatientShares::Histogram::remove(int step) {
  auto& count = counts[static_cast<std::size_t>(step)];
  if (count == 0) return;  // nothing is left after halving
  --count;
  --total;
}

PatientShares::Histogram& PatientShares::at(Key key) {
  return histograms_.at(key, [](const Histogram& histogram) { return histogram.total; });
}

int PatientShares::chart_class(std::int64_t allowed, std::int64_t paid) {
  const int step = step_of(allowed, paid);
  return step == 0 ? 1 : step <= 6 ? 2 : step < kShareSteps - 1 ? 3 : 4;
}

ShareOdds PatientShares::odds(Key payer, PayerClass payer_class, int month, int chart) const {
  ShareOdds share{};
  const double mean = kFirstMean[static_cast<std::size_t>(payer_class)];
  for (int step = 1; step < 20; ++step) share[static_cast<std::size_t>(step)] = 0.01 + (step <= 8 ? mean / 8 : 0);
  share[0] = 1 - mean;
  share[kShareSteps - 1] = mean / 4;
  double sum = 0;
  for (const double value : share) sum += value;
  for (auto& value : share) value /= sum;
  const Key of_class = class_key(payer_class);
  const auto draw = [&](Key key, double strength) {
    const Histogram* seen = histograms_.find(key);
    if (!seen) return;
    const double all = seen->total + strength;
    for (std::size_t step = 0; step < share.size(); ++step)
      share[step] = (seen->counts[step] + strength * share[step]) / all;
  };
  draw(of_class, 20);
  draw(joined(of_class, static_cast<Key>(month)), 60);
  draw(payer, 25);
  draw(joined(payer, static_cast<Key>(month)), 40);
  if (chart == 0) return share;
  // The patient's last claim, as a ratio to the class's distribution.
  const Histogram* usual = histograms_.find(joined(of_class, 0x757375));
  const Histogram* after = histograms_.find(joined(of_class, Key{0x100} + static_cast<Key>(chart)));
  if (!usual || !after) return share;
  sum = 0;
  for (std::size_t step = 0; step < share.size(); ++step) {
    const double base = (usual->counts[step] + 0.5) / (usual->total + 11.0);
    share[step] *= (after->counts[step] + 40 * base) / (after->total + 40.0) / base;
    sum += share[step];
  }
  for (auto& value : share) value /= sum;
  return share;
}

double PatientShares::mean_paid(const ShareOdds& odds) {
  double paying = 0, paid = 0;
  for (int step = 0; step + 1 < kShareSteps; ++step) {
    paying += odds[static_cast<std::size_t>(step)];
    paid += odds[static_cast<std::size_t>(step)] * (1 - share_of_step(step));
  }
  return paying > 0 ? paid / paying : 0;
}

template <class Then>
void PatientShares::each_key(Key payer, PayerClass payer_class, int month, int chart, const Then& then) {
  const Key of_class = class_key(payer_class);
  for (const Key key :
       {of_class, joined(of_class, static_cast<Key>(month)), payer, joined(payer, static_cast<Key>(month))})
    then(key);
  if (chart == 0) return;
  then(joined(of_class, 0x757375));
  then(joined(of_class, Key{0x100} + static_cast<Key>(chart)));
}

void PatientShares::learn(Key payer, PayerClass payer_class, int month, int chart, std::int64_t allowed,
                          std::int64_t paid) {
  if (allowed <= 0) return;
  each_key(payer, payer_class, month, chart, [&](Key key) { at(key).add(step_of(allowed, paid)); });
}

void PatientShares::take_back(Key payer, PayerClass payer_class, int month, int chart, std::int64_t allowed,
                              std::int64_t paid) {
  if (allowed <= 0) return;
  each_key(payer, payer_class, month, chart, [&](Key key) {
    if (Histogram* known = histograms_.find(key)) known->remove(step_of(allowed, paid));
  });
}

void PatientShares::put_into(Digest& digest) const {
  histograms_.each([&](Key key, const Histogram& histogram) {
    digest.put(key);
    for (const auto count : histogram.counts) digest.put(count);
  });
}

}  // namespace tideover::estimators
