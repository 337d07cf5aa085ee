#include "core/estimators/chart.hpp"

#include <algorithm>

namespace tideover::estimators {
namespace {

/// Newer is worth more.
std::uint64_t age_weight(std::int32_t day) { return static_cast<std::uint64_t>(std::max(day, 0)); }

std::int32_t newest(const ChartAtPayer& chart) { return chart.answered; }
std::int32_t newest(const Chart& chart) { return chart.paid; }
std::int32_t newest(const Visits& visits) { return std::max(visits.paid, visits.surgery); }
std::int32_t newest(const LookAlikes& alike) { return alike.day; }

template <class Value>
Value& entry(Table<Value>& table, Key key) {
  return table.at(key, [](const Value& value) { return age_weight(newest(value)); });
}

Key fingerprint(const Submission& claim, bool exact) {
  Key key = joined(joined(claim.chart, key_of(claim.payer_id)), static_cast<Key>(claim.amount.cents()));
  key = joined(key, claim.date_of_service ? static_cast<Key>(claim.date_of_service->days()) : ~Key{0});
  if (!exact) return key;
  std::uint64_t lines = 0;  // a multiset: the same in any order
  for (const auto& line : claim.lines)
    lines += joined(joined(key_of(line.code), key_of(line.modifiers)), joined(static_cast<Key>(line.units_milli), static_cast<Key>(line.amount.cents())));
  return joined(joined(key, key_of(claim.billing_npi)), lines + 1);
}

}  // namespace

const LookAlikes* Charts::like(const Submission& claim, bool exact) const {
  if (claim.chart == 0) return nullptr;
  const LookAlikes* alike = look_alikes_.find(fingerprint(claim, exact));
  if (!alike || alike->claim == key_of(claim.claim_id)) return nullptr;
  if (!claim.date_of_service && claim.submitted.days() - alike->day > 45) return nullptr;
  return alike;
}

void Charts::submitted(const Submission& claim) {
  if (claim.chart == 0) return;
  for (const bool exact : {false, true}) {
    auto& alike = entry(look_alikes_, fingerprint(claim, exact));
    if (!claim.date_of_service && claim.submitted.days() - alike.day > 45) alike.count = 0;
    alike.day = claim.submitted.days();
    alike.claim = key_of(claim.claim_id);
    if (alike.count < 0xffff) ++alike.count;
  }
  for (const auto& line : claim.lines) {
    if (line.global_days < 10) continue;
    auto& visits = entry(visits_, joined(claim.chart, key_of(claim.servicer_npi)));
    visits.surgery = claim.serviced().days();
    visits.global_days = static_cast<std::int16_t>(line.global_days);
  }
}

void Charts::answered(Key chart, Key payer, std::uint32_t payer_index, Key servicer, domain::Date day, domain::Date serviced, const Label& label, bool first_response,
                      int share_class) {
  if (chart == 0) return;
  auto& here = entry(at_payers_, joined(chart, payer));
  here.answered = day.days();
  if (first_response) {
    here.first_answer = day.days();
    here.refusals_in_a_row = label.denied() ? static_cast<std::uint8_t>(std::min(here.refusals_in_a_row + 1, 9)) : std::uint8_t{0};
  }
  if (label.denied()) {
    here.refused = day.days();
    here.refused_group = static_cast<std::uint8_t>(label.group);
    if (label.group == CarcGroup::eligibility) {
      here.not_eligible = day.days();
      if (here.eligibility_denials < 0xff) ++here.eligibility_denials;
    }
    return;
  }
  here.paid = day.days();
  here.eligibility_denials = 0;
  if (share_class > 0) {
    here.share_class = static_cast<std::uint8_t>(share_class);
    here.share_year = static_cast<std::int16_t>(serviced.ymd().year);
  }
  if (label.outcome != Outcome::paid && label.outcome != Outcome::denied_partial) return;
  auto& whole = entry(charts_, chart);
  whole.paid = day.days();
  whole.payer = payer_index + 1;
  auto& visits = entry(visits_, joined(chart, servicer));
  visits.paid = std::max(visits.paid, serviced.days());
}

void Charts::forget(domain::Date today, int days_to_live) {
  const auto dead = [&](const auto& value) { return today.days() - newest(value) > days_to_live; };
  charts_.erase_if(dead);
  at_payers_.erase_if(dead);
  look_alikes_.erase_if(dead);
  // "New patient" looks three years back.
  visits_.erase_if([&](const Visits& visits) { return today.days() - newest(visits) > std::max(days_to_live, 1096); });
}

void Charts::put_into(Digest& digest) const {
  charts_.each([&](Key key, const Chart& chart) {
    digest.put(key);
    digest.put(std::int64_t{chart.paid});
    digest.put(chart.payer);
  });
  at_payers_.each([&](Key key, const ChartAtPayer& chart) {
    digest.put(key);
    digest.put(chart.answered);
    digest.put(chart.paid);
    digest.put(chart.not_eligible);
    digest.put(std::uint32_t{chart.share_class} << 8 | chart.eligibility_denials);
  });
  visits_.each([&](Key key, const Visits& visits) {
    digest.put(key);
    digest.put(visits.paid);
    digest.put(visits.surgery);
  });
  look_alikes_.each([&](Key key, const LookAlikes& alike) {
    digest.put(key);
    digest.put(alike.day);
    digest.put(alike.claim);
  });
}

}  // namespace tideover::estimators
