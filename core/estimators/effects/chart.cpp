#include "core/estimators/effects/chart.hpp"

#include <algorithm>

namespace tideover::estimators {
namespace {

constexpr std::int32_t kDaysApart = 45;  // distance of look-alikes without a day of service
constexpr int kSmallSurgeryDays = 10;    // the shortest global period

/// Newer entries weigh more.
std::uint64_t age_weight(std::int32_t day) {
  return static_cast<std::uint64_t>(std::max(day, 0));
}

std::int32_t newest(const ChartAtPayer& chart) {
  return chart.answered;
}
std::int32_t newest(const Chart& chart) {
  return chart.paid;
}
std::int32_t newest(const Visits& visits) {
  return std::max({visits.paid, visits.large, visits.small});
}
std::int32_t newest(const LookAlikes& alike) {
  return alike.day;
}

template <class Value>
Value& entry(Table<Value>& table, Key key) {
  return table.at(key, [](const Value& value) { return age_weight(newest(value)); });
}

/// Independent of the order.
Key modifier_set(std::string_view modifiers) {
  Key set = 0;
  for (std::size_t at = 0; at + 2 <= modifiers.size(); at += 3) set += key_of(modifiers.substr(at, 2));
  return set;
}

Key fingerprint(const Submission& claim, bool exact) {
  Key key = joined(joined(claim.chart, key_of(claim.payer_id)), static_cast<Key>(claim.amount.cents()));
  key = joined(key, claim.date_of_service ? static_cast<Key>(claim.date_of_service->days()) : ~Key{0});
  if (!exact) return key;
  std::uint64_t lines = 0;  // a multiset, independent of the order
  for (const auto& line : claim.lines)
    lines += joined(joined(key_of(line.code), modifier_set(line.modifiers)),
                    joined(static_cast<Key>(line.units_milli), static_cast<Key>(line.amount.cents())));
  return joined(joined(key, key_of(claim.billing_npi)), lines + 1);
}

}  // namespace

std::optional<LookAlike> Charts::like(const Submission& claim, bool exact) const {
  if (claim.chart == 0) return std::nullopt;
  const LookAlikes* alike = look_alikes_.find(fingerprint(claim, exact));
  if (!alike) return std::nullopt;
  const Key self = key_of(claim.claim_id);
  const bool is_latest = alike->claim == self, is_first = alike->first == self;
  if (is_latest && is_first) return std::nullopt;
  if (!claim.date_of_service && claim.submitted.days() - (is_latest ? alike->first_day : alike->day) > kDaysApart)
    return std::nullopt;
  return LookAlike{is_latest ? alike->first : alike->claim,
                   std::max(alike->count - (is_latest || is_first ? 1 : 0), 1)};
}

void Charts::submitted(const Submission& claim) {
  if (claim.chart == 0) return;
  const Key self = key_of(claim.claim_id);
  const std::int32_t day = claim.submitted.days();
  for (const bool exact : {false, true}) {
    auto& alike = entry(look_alikes_, fingerprint(claim, exact));
    if (!claim.date_of_service && day - alike.day > kDaysApart) alike = {};
    if (alike.first == 0) {
      alike.first = self;
      alike.first_day = day;
    }
    if (alike.claim != self && (alike.first != self || alike.claim == 0) && alike.count < 0xffff) ++alike.count;
    alike.day = day;
    alike.claim = self;
  }
  for (const auto& line : claim.lines) {
    if (line.global_days < kSmallSurgeryDays) continue;
    auto& visits = entry(visits_, joined(claim.chart, key_of(claim.servicer_npi)));
    auto& last = line.global_days < kLargeSurgeryDays ? visits.small : visits.large;
    last = std::max(last, claim.serviced().days());
    if (line.global_days < kLargeSurgeryDays) visits.small_days = static_cast<std::int16_t>(line.global_days);
  }
}

ChartChange Charts::answered(Key chart, Key payer, std::uint32_t payer_index, Key servicer, domain::Date day,
                             domain::Date serviced, const Label& label, bool first_response, int share_class) {
  ChartChange change;
  if (chart == 0) return change;
  auto& here = entry(at_payers_, joined(chart, payer));
  change.before = here;
  change.answers = ++here.answers;
  if (const Chart* whole = charts_.find(chart)) change.whole_before = *whole;
  if (const Visits* visits = visits_.find(joined(chart, servicer))) change.visit_before = visits->paid;
  here.answered = day.days();
  if (first_response) {
    here.first_answer = day.days();
    here.refusals_in_a_row =
        label.denied() ? static_cast<std::uint8_t>(std::min(here.refusals_in_a_row + 1, 9)) : std::uint8_t{0};
  }
  if (label.denied()) {
    here.refused = day.days();
    here.refused_group = static_cast<std::uint8_t>(label.group);
    if (label.group == CarcGroup::eligibility) {
      here.not_eligible = day.days();
      if (here.eligibility_denials < 0xff) ++here.eligibility_denials;
    }
    return change;
  }
  here.paid = day.days();
  here.eligibility_denials = 0;
  if (share_class > 0) {
    here.share_class = static_cast<std::uint8_t>(share_class);
    here.share_year = static_cast<std::int16_t>(serviced.ymd().year);
  }
  if (label.outcome != Outcome::paid && label.outcome != Outcome::denied_partial) return change;
  auto& whole = entry(charts_, chart);
  whole.paid = day.days();
  whole.payer = payer_index + 1;
  auto& visits = entry(visits_, joined(chart, servicer));
  visits.paid = std::max(visits.paid, serviced.days());
  return change;
}

void Charts::take_back(Key chart, Key payer, Key servicer, const ChartChange& change) {
  ChartAtPayer* here = change.answers > 0 ? at_payers_.find(joined(chart, payer)) : nullptr;
  if (!here || here->answers != change.answers) return;
  const bool has_paid = here->paid != change.before.paid;
  const std::int32_t paid = here->paid;
  *here = change.before;
  here->answers = change.answers + 1;
  if (!has_paid) return;
  if (Chart* whole = charts_.find(chart); whole && whole->paid == paid) *whole = change.whole_before;
  if (Visits* visits = visits_.find(joined(chart, servicer))) visits->paid = change.visit_before;
}

void Charts::forget(domain::Date today, int days_to_live) {
  const auto dead = [&](const auto& value) { return today.days() - newest(value) > days_to_live; };
  charts_.erase_if(dead);
  at_payers_.erase_if(dead);
  look_alikes_.erase_if(dead);
  // A patient counts as new after three years without a visit.
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
    digest.put(chart.answers);
  });
  visits_.each([&](Key key, const Visits& visits) {
    digest.put(key);
    digest.put(visits.paid);
    digest.put(visits.large);
    digest.put(visits.small);
    digest.put(std::int32_t{visits.small_days});
  });
  look_alikes_.each([&](Key key, const LookAlikes& alike) {
    digest.put(key);
    digest.put(alike.day);
    digest.put(alike.claim);
    digest.put(alike.first_day);
    digest.put(alike.first);
    digest.put(std::uint32_t{alike.count});
  });
}

}  // namespace tideover::estimators
