#include "tests/bench/claimsim/book_rules.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/domain/npi.hpp"
#include "tests/bench/claimsim/csv.hpp"

namespace tideover::claimsim {
namespace {

using estimators::FiredRule;

FiredRule rule(std::string id, std::string family, std::string carc, int weight_bps, int strength, std::optional<int> line = std::nullopt) {
  FiredRule fired;
  fired.rule_id = std::move(id);
  fired.family = std::move(family);
  fired.carc = std::move(carc);
  fired.weight_bps = weight_bps;
  fired.strength = strength;
  fired.line = line;
  return fired;
}

}  // namespace

BookRules::BookRules(const std::filesystem::path& book) {
  const auto each = [&](const char* table, const auto& row) {
    const auto file = book / "tables" / table;
    if (!std::filesystem::exists(file)) return;
    for (CsvRows rows(file); rows.next();) row(rows);
  };
  each("ptp.csv", [&](const CsvRows& rows) { pairs_[{std::string(rows.text("code")), std::string(rows.text("other"))}] = rows.text("modifier") == "1"; });
  each("mue.csv", [&](const CsvRows& rows) { unit_limits_[std::string(rows.text("code"))] = {rows.number(rows.text("units")), rows.text("indicator") == "2"}; });
  each("addon.csv", [&](const CsvRows& rows) { primaries_[std::string(rows.text("code"))].insert(std::string(rows.text("primary"))); });
  each("pa_list.csv", [&](const CsvRows& rows) { authorized_.emplace(rows.text("payer_id"), rows.text("code")); });
  each("modifiers.csv", [&](const CsvRows& rows) { modifiers_[std::string(rows.text("code"))] = rows.text("ncci") == "y"; });
}

std::vector<FiredRule> BookRules::fired(const estimators::Submission& claim, const domain::ClaimHistory& history) const {
  std::vector<FiredRule> found;
  bool bad_npi = false, wrong_digit = false;
  for (const auto& npi : {claim.billing_npi, claim.servicer_npi}) {
    if (!domain::has_npi_format(npi) || npi[0] > '2' || npi[0] == '0')
      bad_npi = true;
    else if (!domain::passes_npi_check(npi))
      wrong_digit = true;
  }
  if (bad_npi) found.push_back(rule("npi.missing_or_syntax", "npi", "206", 9500, 50));
  if (wrong_digit) found.push_back(rule("npi.luhn", "npi", "207", 9000, 50));
  if (history.pair_responses >= 15 && history.pair_paid == 0) found.push_back(rule("npi.pair_never_paid", "npi", "B7", 7000, 20));
  if (history.chart_last_paid_days && *history.chart_last_paid_days <= 60 && history.chart_last_paid_payer != claim.payer_id)
    found.push_back(rule("payer.chart_mismatch", "eligibility", "31", 2500, 20));
  if (history.chart_eligibility_denials > 0) found.push_back(rule("elig.recent_denial_chart", "eligibility", "27", 6000, 20));
  if (history.likely_duplicates > 0) found.push_back(rule("dup.likely", "dup", "18", 5000, 30));
  if (claim.date_of_service) {
    const int days = days_between(*claim.date_of_service, claim.submitted);
    if (days > claim.timely_filing_days) found.push_back(rule("tf.expired", "timing", "29", 9500, 50));
    if (days < 0) found.push_back(rule("date.inverted_or_future", "timing", "110", 9200, 50));
  }
  domain::Money sum;
  for (std::size_t i = 0; i < claim.lines.size(); ++i) {
    const auto& line = claim.lines[i];
    const int at = static_cast<int>(i);
    sum += line.amount;
    bool distinct = false;
    for (const auto modifier : parts_of(line.modifiers, ':')) {
      const auto known = modifiers_.find(std::string(modifier));
      if (known == modifiers_.end() && !modifier.empty() && !modifiers_.empty()) found.push_back(rule("mod.syntax_or_unknown", "modifier", "182", 7000, 30, at));
      distinct = distinct || (known != modifiers_.end() && known->second);
    }
    for (std::size_t j = 0; j < claim.lines.size(); ++j) {
      if (j == i) continue;
      if (const auto pair = pairs_.find({claim.lines[j].code, line.code}); pair != pairs_.end()) {
        if (!pair->second)
          found.push_back(rule("ncci.ptp_hard", "bundling", "236", 9200, 50, at));
        else if (!distinct)
          found.push_back(rule("ncci.ptp_soft", "bundling", "236", 7500, 40, at));
      }
      if (j < i && claim.lines[j].code == line.code && !distinct) found.push_back(rule("dup.line", "dup", "18", 5500, 30, at));
    }
    if (const auto limit = unit_limits_.find(line.code); limit != unit_limits_.end() && line.units_milli > limit->second.units * 1000)
      found.push_back(rule(limit->second.absolute ? "mue.line_over_absolute" : "mue.line_over", "mue", "151", 8500, 40, at));
    if (const auto primaries = primaries_.find(line.code); primaries != primaries_.end() &&
        std::none_of(claim.lines.begin(), claim.lines.end(), [&](const auto& other) { return primaries->second.count(other.code) > 0; }))
      found.push_back(rule("addon.no_primary", "addon", "107", 8500, 40, at));
    if (claim.prior_authorization != true && authorized_.count({claim.payer_id, line.code}) > 0)
      found.push_back(rule(claim.prior_authorization ? "auth.listed_code" : "auth.listed_code_unknown", "auth", "197", 3500, 15, at));
    if (i < history.lines.size()) {
      const auto& seen = history.lines[i];
      if (seen.unusual_charge && line.amount > *seen.unusual_charge) found.push_back(rule("amt.zero_neg_or_outlier", "amount", "16", 4000, 20, at));
    }
  }
  if (!claim.lines.empty() && sum != claim.amount) found.push_back(rule("amt.line_sum", "amount", "16", 3000, 20));
  if (claim.amount <= domain::Money{}) found.push_back(rule("amt.zero_neg_or_outlier", "amount", "16", 4000, 20));
  return found;
}

}  // namespace tideover::claimsim
