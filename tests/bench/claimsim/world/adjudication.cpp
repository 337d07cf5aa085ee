#include "tests/bench/claimsim/world/adjudication.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tideover::claimsim {
namespace {

using domain::Date;

const Reason* struck(const std::vector<Cause>& causes, Random& random) {
  const Reason* first = nullptr;
  for (const Cause& cause : causes)
    if (random.chance(cause.probability) && !first) first = &cause.reason;
  return first;
}

std::string adjustment(const char* group, const std::string& carc, std::int64_t cents) {
  return cents == 0 ? "" : std::string(group) + ':' + carc + ':' + std::to_string(cents);
}

void append(std::string& list, const std::string& item, char by) {
  if (item.empty()) return;
  if (!list.empty()) list += by;
  list += item;
}

constexpr Reason kOtherCoverage{"OA", "22", Family::coordination};

/// Writes the rows of one claim.
class Remittance {
 public:
  Remittance(const World& world, const Claim& claim, const std::vector<CleanLine>& lines, const Patient& patient)
      : world_(world),
        claim_(claim),
        payer_(world.population().payers[static_cast<std::size_t>(claim.payer)]),
        lines_(lines),
        patient_(patient) {}

  std::int64_t cash_of(std::size_t line) const {
    return payer_cash(payer_, lines_[line].allowed, patient_.of_line[line]);
  }

  /// The lines with a reason are denied, the others paid; lines outside `answered_lines` are left out. `sign` -1 takes
  /// it all back.
  std::string row(Date responded, std::optional<Date> posted, int status, const std::vector<const Reason*>& reasons,
                  unsigned answered_lines, int sign = 1) const {
    std::string lines;
    std::int64_t charge = 0, paid = 0, patient = 0;
    for (std::size_t i = 0; i < claim_.lines.size(); ++i) {
      if (!(answered_lines >> i & 1U)) continue;
      const Line& line = claim_.lines[i];
      const bool denied = reasons[i] != nullptr;
      const std::int64_t allowed = denied ? 0 : lines_[i].allowed, part = denied ? 0 : patient_.of_line[i],
                         cash = denied ? 0 : cash_of(i);
      std::string adjustments;
      if (denied) {
        adjustments = adjustment(reasons[i]->group, reasons[i]->carc, sign * line.amount);
      } else {
        append(adjustments, adjustment("CO", "45", sign * lines_[i].contractual), ',');
        append(adjustments, adjustment("CO", "59", sign * lines_[i].reduction), ',');
        append(adjustments, adjustment("PR", std::to_string(patient_.carc), sign * part), ',');
        append(adjustments, adjustment("CO", "253", sign * sequestered(payer_, allowed, part)), ',');
      }
      append(lines,
             code(line) + '|' + line.modifiers + '|' + std::to_string(1000 * line.units) + '|' +
                 std::to_string(sign * line.amount) + '|' +
                 (payer_.states_allowed ? std::to_string(sign * allowed) : "") + '|' + std::to_string(sign * cash) +
                 '|' + adjustments,
             ';');
      charge += line.amount, paid += cash, patient += part;
      if (denied && reasons[i]->group == std::string_view("PR")) patient += line.amount;
    }
    return row(responded, posted, status, sign * charge, sign * paid, sign * patient, "", lines);
  }

  /// The whole claim denied by one adjustment, without lines.
  std::string whole_denial(Date responded, int status, const Reason& reason) const {
    return row(responded, std::nullopt, status, claim_.amount, 0,
               reason.group == std::string_view("PR") ? claim_.amount : 0,
               adjustment(reason.group, reason.carc, claim_.amount), "");
  }

  /// A payment taken back, then corrected: the patient bears another tenth, or another payer should have paid. `cash`
  /// is set to what the correction pays.
  std::vector<Answer> taken_back(Date back, const std::vector<const Reason*>& reasons, bool by_patient,
                                 std::int64_t& cash) const {
    const unsigned every_line = (1U << lines_.size()) - 1;
    std::vector<Answer> answers{{back, row(back, back, 22, reasons, every_line, -1), false, false}};
    cash = 0;
    if (by_patient) {
      Patient more = patient_;
      for (std::size_t i = 0; i < lines_.size(); ++i) more.of_line[i] += (lines_[i].allowed - patient_.of_line[i]) / 10;
      if (more.carc == 0) more.carc = 2;
      const Remittance corrected(world_, claim_, lines_, more);
      for (std::size_t i = 0; i < lines_.size(); ++i) cash += corrected.cash_of(i);
      answers.push_back({back, corrected.row(back, back, 1, reasons, every_line), true, false});
    } else {
      answers.push_back({back,
                         row(back, {}, payer_.status_4_on_denial ? 4 : 1,
                             std::vector<const Reason*>(lines_.size(), &kOtherCoverage), every_line),
                         false, false});
    }
    return answers;
  }

 private:
  const std::string& code(const Line& line) const {
    return world_.population().codes[static_cast<std::size_t>(line.code)].code;
  }

  std::string row(Date responded, std::optional<Date> posted, int status, std::int64_t charge, std::int64_t paid,
                  std::int64_t patient, const std::string& adjustments, const std::string& lines) const {
    return claim_.id + ',' + domain::format_date(responded) + ',' + (posted ? domain::format_date(*posted) : "") + ',' +
           std::to_string(status) + ',' + std::to_string(charge) + ',' + std::to_string(paid) + ',' +
           std::to_string(patient) + ',' + adjustments + ',' +
           (lines.find(',') == std::string::npos ? lines : '"' + lines + '"') + '\n';
  }

  const World& world_;
  const Claim& claim_;
  const Payer& payer_;
  const std::vector<CleanLine>& lines_;
  const Patient& patient_;
};

const Patient& drawn(const std::vector<PatientOption>& options, Random& random) {
  double at = random.uniform();
  std::size_t option = 0;
  while (option + 1 < options.size() && at >= options[option].probability) at -= options[option++].probability;
  return options[option].patient;
}

bool is_eligibility(const Reason* reason) {
  return reason && reason->family == Family::eligibility;
}

/// Why the claim and each of its lines are denied, and which lines.
struct Denial {
  const Reason* whole;
  std::vector<const Reason*> reasons;
  unsigned lines;
};

Denial drawn(const Odds& odds, std::size_t count, Random& random) {
  Denial denial{struck(odds.claim, random), std::vector<const Reason*>(count, nullptr), 0};
  for (std::size_t i = 0; i < count; ++i) {
    denial.reasons[i] = struck(odds.lines[i], random);
    if (denial.whole) denial.reasons[i] = denial.whole;
    if (denial.reasons[i]) denial.lines |= 1U << i;
  }
  return denial;
}

}  // namespace

Adjudication adjudicate(const World& world, const Claim& claim, const Odds& odds, const Timing& timing,
                        const ReworkLag& rework, const Calendar& calendar, Random random) {
  const Payer& payer = world.population().payers[static_cast<std::size_t>(claim.payer)];
  const std::size_t count = claim.lines.size();
  const unsigned every_line = (1U << count) - 1;
  Adjudication result;

  const bool off_contract = random.chance(payer.off_contract);
  const auto lines = clean_lines(world, claim, off_contract ? random.lognormal(1, 0.15) : 1);
  for (const CleanLine& line : lines) result.allowed += line.allowed;
  const auto options = patient_options(world.patient_share(claim), lines);
  const Patient& patient = drawn(options, random);
  const Remittance remittance(world, claim, lines, patient);

  result.answered = !random.chance(odds.silent);
  const auto [whole, reasons, denied] = drawn(odds, count, random);
  if (!result.answered) return result;

  result.denied = denied && counts_as_denied(claim, denied);
  result.partly_denied = denied && denied != every_line;
  const bool all_denied = denied == every_line;
  std::int64_t cash = 0, cash_of_denied = 0;
  for (std::size_t i = 0; i < count; ++i) (denied >> i & 1U ? cash_of_denied : cash) += remittance.cash_of(i);

  const auto count_cash = [&](Date posted, std::int64_t sum) {
    if (days_between(claim.submitted, posted) <= 90) result.cash_90 += sum;
    if (sum > 0 && (!result.first_posted || posted < *result.first_posted)) result.first_posted = posted;
  };

  Date responded = claim.submitted.plus(timing.denied.draw(random));
  const Date posted = claim.submitted.plus(timing.paid.draw(random));
  if (all_denied) {
    const int status = payer.status_4_on_denial ? 4 : 1;
    const std::string row = whole && payer.denies_whole_claims
                                ? remittance.whole_denial(responded, status, *whole)
                                : remittance.row(responded, {}, status, reasons, every_line);
    result.answers.push_back({responded, row, false, is_eligibility(reasons[0])});
  } else {
    responded = calendar.plus_banking_days(posted, -1);
    const int status = payer.payer_class == PayerClass::medicare && random.chance(0.2) ? 19
                       : random.chance(0.02)                                           ? 2
                                                                                       : 1;
    const auto posted_on = cash > 0 ? std::optional(posted) : std::nullopt;
    result.answers.push_back(
        {responded, remittance.row(responded, posted_on, status, reasons, every_line), cash > 0, false});
    if (cash > 0) result.paid_first = true, count_cash(posted, cash);
  }

  if (denied) {
    const Reason* first =
        *std::find_if(reasons.begin(), reasons.end(), [](const Reason* reason) { return reason != nullptr; });
    const Date again = calendar.on_or_after(responded.plus(rework.draw(random)));
    if (random.chance(world.rework(claim, first->family))) {
      const auto posted_on = cash_of_denied > 0 ? std::optional(again) : std::nullopt;
      result.answers.push_back({again,
                                remittance.row(again, posted_on, 1, std::vector<const Reason*>(count, nullptr), denied),
                                cash_of_denied > 0, false});
      if (cash_of_denied > 0) count_cash(again, cash_of_denied);
    }
  } else if (cash > 0 && random.chance(payer.reversal)) {
    result.taken_back = true;
    const Date back = calendar.on_or_after(posted.plus(15 + random.below(46)));
    std::int64_t corrected_cash = 0;
    for (auto& answer : remittance.taken_back(back, reasons, random.chance(0.5), corrected_cash))
      result.answers.push_back(std::move(answer));
    count_cash(back, -cash);
    count_cash(back, corrected_cash);
  }
  return result;
}

}  // namespace tideover::claimsim
