#include "tests/bench/rules/by_hand.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "core/domain/claims/npi.hpp"
#include "core/domain/claims/procedure_code.hpp"

namespace tideover::bench {
namespace {

using domain::Finding;
using tables::Table;

constexpr const char* kNames[] = {
    "npi_check_digit",        "timely_filing", "duplicate",        "procedure_code_format",
    "procedure_code_invalid", "ncci_pair",     "units_above_edit", "addon_without_primary",
    "lines_do_not_balance",   "zero_charge"};

const Table& table_of(const lua::Ruleset& rules, const char* name) {
  return *rules.tables.find(name)->second;
}

bool has(const Table& table, std::string_view first, std::string_view second) {
  const auto one = table.key_cell(0, first), other = table.key_cell(1, second);
  return one && other && table.find({*one, *other}, std::nullopt);
}

void add(std::vector<Finding>& findings, const lua::DenialRule& rule, const ports::ClaimFacts& facts, int line,
         int probability_bps = 0, const char* field = nullptr) {
  Finding& finding = findings.emplace_back();
  finding.rule_id = rule.id;
  finding.code = rule.code;
  finding.carc = rule.carc;
  finding.group = rule.group;
  finding.family = rule.family;
  finding.description = rule.summary;
  finding.fix = rule.fix;
  finding.field = field != nullptr ? field : rule.field;
  finding.weight_bps = *rule.weight_bps;
  finding.probability_bps = probability_bps > 0 ? probability_bps : *rule.weight_bps;
  finding.strength = rule.strength;
  finding.severity = rule.severity;
  finding.amount_at_risk = facts.claim.submitted_amount;
  if (line >= 0) {
    finding.line = line;
    finding.amount_at_risk = facts.claim.service_lines[static_cast<std::size_t>(line)].amount;
  }
}

}  // namespace

std::span<const char* const> names_by_hand() {
  return kNames;
}

ByHand::ByHand(const lua::Ruleset& rules)
    : rules_(rules),
      mue_(table_of(rules, "mue")),
      ptp_(table_of(rules, "ptp")),
      addon_(table_of(rules, "addon")),
      codes_(table_of(rules, "codes")) {}

const lua::DenialRule& ByHand::rule(const char* name) const {
  const auto found = std::find_if(rules_.denial.begin(), rules_.denial.end(),
                                  [&](const auto& each) { return std::string_view(each.id).substr(7) == name; });
  if (found == rules_.denial.end()) throw std::runtime_error(std::string("there is no rule ") + name);
  return *found;
}

std::vector<Finding> ByHand::operator()(const ports::ClaimFacts& facts) const {
  const auto& claim = facts.claim;
  const auto& lines = claim.service_lines;
  const int count = static_cast<int>(lines.size());
  const auto day = claim.date_of_service.value_or(facts.today);
  std::vector<Finding> findings;

  const auto fails = [](const std::string& npi) { return !domain::passes_npi_check(npi); };
  if (fails(claim.servicer_npi)) add(findings, rule("npi_check_digit"), facts, -1, 0, "servicer_npi");
  if (fails(claim.billing_npi)) add(findings, rule("npi_check_digit"), facts, -1, 0, "billing_npi");
  if (claim.date_of_service && days_between(*claim.date_of_service, claim.date_of_submission.value_or(facts.today)) >
                                   facts.payer.timely_filing_days)
    add(findings, rule("timely_filing"), facts, -1);
  const auto& frequency = claim.details.claim_frequency_code;
  if (facts.duplicates > 0 && frequency != "6" && frequency != "7" && frequency != "8")
    add(findings, rule("duplicate"), facts, -1);

  domain::Money total;
  constexpr std::int64_t kCentInThousandths = 1000;
  std::int64_t units_times_price = 0, slack = 0;
  bool all_priced = true;
  for (int i = 0; i < count; ++i) {
    const auto& line = lines[static_cast<std::size_t>(i)];
    if (!line.cpt.empty() && !domain::has_procedure_code_syntax(line.cpt))
      add(findings, rule("procedure_code_format"), facts, i);
    const auto code = codes_.key_cell(0, line.cpt);
    if (code && !codes_.find({*code}, day) && codes_.has_first(*code))
      add(findings, rule("procedure_code_invalid"), facts, i);
    for (int j = 0; j < count; ++j) {
      const auto one = ptp_.key_cell(0, line.cpt), other = ptp_.key_cell(1, lines[static_cast<std::size_t>(j)].cpt);
      const auto pair = i != j && one && other ? ptp_.find({*one, *other}, day) : std::nullopt;
      if (pair && std::get<std::string_view>(ptp_.value(*pair, 4)) == "0") add(findings, rule("ncci_pair"), facts, j);
    }
    const auto edited = mue_.key_cell(0, line.cpt);
    if (const auto row = edited ? mue_.find({*edited}, std::nullopt) : std::nullopt) {
      const auto indicator = std::get<std::string_view>(mue_.value(*row, 2));
      auto units = line.units_milli;
      for (int j = 0; j < i && indicator != "1"; ++j)
        if (lines[static_cast<std::size_t>(j)].cpt == line.cpt) units += lines[static_cast<std::size_t>(j)].units_milli;
      if (units > std::get<std::int64_t>(mue_.value(*row, 1)) * 1000)
        add(findings, rule("units_above_edit"), facts, i, indicator == "2" ? 9500 : indicator == "3" ? 7500 : 0);
    }
    const auto added = addon_.key_cell(0, line.cpt);
    if (added && addon_.has_first(*added) && !has(addon_, line.cpt, "CCCCC") &&
        std::none_of(lines.begin(), lines.end(), [&](const auto& each) { return has(addon_, line.cpt, each.cpt); }))
      add(findings, rule("addon_without_primary"), facts, i);
    all_priced = all_priced && line.amount.has_value();
    total += line.amount.value_or(domain::Money{});
    const auto product = line.amount.value_or(domain::Money{}).cents() * line.units_milli;
    if (product % kCentInThousandths != 0) slack = kCentInThousandths;
    units_times_price += product;
  }
  if (count > 0 && all_priced && total != claim.submitted_amount &&
      std::abs(units_times_price - claim.submitted_amount.cents() * kCentInThousandths) > slack) {
    add(findings, rule("lines_do_not_balance"), facts, -1);
    findings.back().amount_at_risk = domain::Money::cents(std::abs(total.cents() - claim.submitted_amount.cents()));
  }
  if (claim.submitted_amount.is_zero()) add(findings, rule("zero_charge"), facts, -1);
  return findings;
}

}  // namespace tideover::bench
