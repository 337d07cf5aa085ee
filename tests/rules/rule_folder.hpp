// A rule bundle of the test's own: one denial rule, one terms rule and their cases, in a folder that disappears with
// it.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"

namespace tideover::testing {

inline const lua::CodeSet kCodes = {"NPI_CHECK_DIGIT",
                                    "PAYER_UNKNOWN",
                                    "NOT_PAID_TO_PROVIDER",
                                    "PROCEDURE_CODE_FORMAT",
                                    "MODIFIER_INVALID",
                                    "ZERO_CHARGE",
                                    "LINES_DO_NOT_BALANCE",
                                    "TYPE_OF_BILL_MISSING",
                                    "REVENUE_CODE_MISSING",
                                    "TIMELY_FILING",
                                    "DUPLICATE_CLAIM",
                                    "CLAIM_IDENTIFIER_LONG",
                                    "CLAIM_IDENTIFIER_CUT",
                                    "CLAIM_IDENTIFIER_SPREADSHEET",
                                    "RULE_ERROR",
                                    "OFTEN_DENIED",
                                    "4",
                                    "6",
                                    "7",
                                    "16",
                                    "18",
                                    "22",
                                    "27",
                                    "29",
                                    "50",
                                    "58",
                                    "96",
                                    "97",
                                    "107",
                                    "109",
                                    "110",
                                    "129",
                                    "146",
                                    "151",
                                    "181",
                                    "182",
                                    "197",
                                    "207",
                                    "208",
                                    "236",
                                    "B7",
                                    "B16"};

/// A denial rule named `name` whose evaluate has this body.
inline std::string denial_rule(const std::string& name, const std::string& body, const std::string& mode = "live") {
  return "return { id = 'denial." + name + "', rev = 1, mode = '" + mode +
         "', family = 'test', reason = { group = 'CO', code = '16' },\n"
         "  summary = 'A test', fix = 'Nothing',\n"
         "  evaluate = function(claim, payer, params)\n" +
         body + "\n  end }\n";
}

inline std::string terms_rule(const std::string& body) {
  return "return { id = 'terms.plain', rev = 1, evaluate = function(review, params)\n" + body + "\nend }\n";
}

class RuleFolder {
 public:
  RuleFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tideover-rules-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create a temporary folder");
    path_ = pattern;
    write("params.lua",
          "return {\n  denial_threshold = { value = 0.50, min = 0, max = 1, unit = 'share' },\n"
          "  date_quantile = { value = 0.80, min = 0, max = 1, unit = 'share' },\n  recovery = { value = 0.40, min = "
          "0, max = 1, unit = 'share' },\n}\n");
    write("ruleset.lua", "return { version = '1', denial = { 'zero' }, terms = 'plain' }\n");
    write("denial/zero.lua", denial_rule("zero", "if claim.amount_cents == 0 then return { probability = 0.5 } end"));
    write("cases/zero.lua",
          "return { rule = 'denial.zero', cases = {\n  { name = 'clean', expect = 'nothing' },\n"
          "  { name = 'zero', claim = { amount_cents = 0 }, expect = { probability = 0.5 } } } }\n");
    write("terms/plain.lua",
          terms_rule("if review.denial_probability_bps > 5000 then return { decision = 'declined' } end\n"
                     "return { decision = 'approved', advance_percentage = 0.80, fee_percentage = 0.02 }"));
    write("cases/plain.lua",
          "return { rule = 'terms.plain', cases = {\n  { name = 'safe', expect = { decision = 'approved' } },\n"
          "  { name = 'risky', review = { denial_probability_bps = 9000 }, expect = { decision = 'declined' } } } }\n");
  }
  ~RuleFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  RuleFolder(const RuleFolder&) = delete;
  RuleFolder& operator=(const RuleFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary) << text;
  }
  /// As an editor saves: a new file under the old name.
  void replace(const std::string& file, const std::string& text) const {
    write(file + ".new", text);
    std::filesystem::rename(path_ / (file + ".new"), path_ / file);
  }
  lua::LoadResult load() const { return lua::load_ruleset(path_, {kCodes, {}}); }

 private:
  std::filesystem::path path_;
};

/// Every fault of a load in one text.
inline std::string faults_of(const lua::LoadResult& loaded) {
  std::string text;
  for (const auto& error : loaded.errors) text += error.text() + "\n";
  return text;
}

/// A clean claim and the facts around it.
struct TestClaim {
  domain::ClaimDraft claim;
  domain::Payer payer;
  bool payer_known = true;
  domain::ValidationProfile profile = domain::ValidationProfile::standard;
  domain::Date today = domain::Date::from_ymd(2026, 6, 15).value();
  int duplicates = 0;
  std::optional<domain::ClaimHistory> history;

  TestClaim() {
    claim.claim_identifier = "TEST-1";
    claim.chart_identifier = domain::Sensitive<std::string>("CHART-1");
    claim.servicer_npi = "1234567893";
    claim.billing_npi = "1999999984";
    claim.payer_id = "P1000";
    claim.submitted_amount = domain::Money::cents(100'000);
    claim.date_of_service = today.plus(-14);
    claim.date_of_submission = today.plus(-7);
    claim.service_lines.push_back({"99213", "", 1000, domain::Money::cents(100'000)});
    payer.payer_id = "P1000";
    payer.name = "Example Health Plan";
  }
  ports::ClaimFacts facts() const {
    return {claim, payer, payer_known, profile, today, duplicates, history ? &*history : nullptr};
  }
};

inline domain::Review test_review() {
  domain::Review review;
  review.forecast.denial_probability_bps = 800;
  review.forecast.confidence_bps = 8000;
  review.forecast.expected = domain::Money::cents(52'000);
  review.forecast.allowed = domain::Money::cents(65'000);
  review.forecast.payment_date = domain::Date::from_ymd(2026, 7, 15).value();
  review.submitted_amount = domain::Money::cents(100'000);
  return review;
}

}  // namespace tideover::testing
