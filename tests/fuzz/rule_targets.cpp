// What operators drop into a rule folder: a table of fees, from its text to the review that rests on it, and a rule
// file, from its text to the bundle that decides. Whatever is in them, nothing ends the process, a refusal says where
// and why, and what is accepted keeps its amounts within what a claim may ask.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/domain/basics/text.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/tables/claim_fees.hpp"
#include "core/tables/table_file.hpp"
#include "core/usecases/reviews/judge_claim.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder that ends with the process.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "tideover-fuzz-rules-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create a temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  void write(const std::string& file, std::string_view text) const {
    fs::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary) << text;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const lua::CodeSet kCodes{"16"};

domain::ClaimDraft claim() {
  domain::ClaimDraft draft;
  draft.claim_identifier = "CLM-1";
  draft.servicer_npi = "1234567893";
  draft.billing_npi = "1999999984";
  draft.payer_id = "P1";
  draft.submitted_amount = domain::Money::cents(100'000);
  draft.date_of_service = domain::Date::from_ymd(2026, 1, 5);
  for (const char* code : {"00010", "00011"})
    draft.service_lines.push_back({code, "", 9'999'999, domain::Money::cents(50'000)});
  draft.service_lines[1].modifier = "26";
  return draft;
}

bool is_amount(domain::Money amount) {
  return amount >= domain::Money{} && amount <= domain::kLargestAmount;
}

// Fees
// ---------------------------------------------------------------------------------------------------------------------

/// Schemas of the shipped tables, by way of a bundle that holds nothing else.
const tables::Schema& schema_of(const std::string& table) {
  static const auto tables = [] {
    const TemporaryFolder folder;
    fs::copy(fs::path(TIDEOVER_SOURCE_DIR) / "rules" / "tables", folder.path() / "tables", fs::copy_options::recursive);
    folder.write("ruleset.lua", "return { version = '1', denial = {}, terms = '' }");
    folder.write("params.lua", "return {}");
    auto reading = lua::read_bundle(folder.path(), {});
    return lua::load_tables(std::make_shared<const lua::Bundle>(std::move(reading.bundle)),
                            *lua::TableSource{}.file_cache)
        .samples;
  }();
  return tables.at(table)->schema();
}

/// Without bounds, as tables of older bundles are.
tables::Schema unbounded(tables::Schema schema) {
  for (auto& column : schema.columns) column.least = column.most = std::nullopt;
  return schema;
}

std::shared_ptr<const tables::Table> read(std::string_view text, const tables::Schema& schema) {
  auto reading = tables::read_table(text, schema, {"fuzz.csv", "", ""});
  for (const auto& fault : reading.faults)
    must(!fault.message.empty() && fault.line >= 0, "a refusal says where and why");
  return reading.faults.empty() ? std::move(reading.table) : nullptr;
}

void check_review(const tables::ClaimFees& fees) {
  const auto draft = claim();
  const auto today = *domain::Date::from_ymd(2026, 2, 1);
  domain::Payer payer;
  payer.payer_id = "P1";
  ports::DenialAssessment assessed;
  assessed.fees = fees(draft, today);
  for (const auto& line : assessed.fees) {
    must(!line.fee || is_amount(*line.fee), "a listed fee is an amount that a claim may ask");
    must(!line.contract || is_amount(*line.contract), "a contract's price is an amount that a claim may ask");
  }
  const auto review = usecases::judge_claim({draft, payer, true, domain::ValidationProfile::standard, today}, assessed,
                                            domain::Environment::production, {});
  must(bool(review), "a claim without findings is reviewed");
  must(is_amount(review->forecast.allowed) && is_amount(review->forecast.expected),
       "a review's amounts are amounts that a claim may ask");
}

/// Three tables, with a line "----" between them: the fee schedule, conversion factors, contracts.
void fee_tables(std::string_view bytes) {
  static const auto gpci = read("state,locality,work,pe,mp\nZZ,00,1,1,1\n", schema_of("gpci"));
  std::vector<std::string_view> parts;
  constexpr std::string_view kBetween = "\n----\n";
  for (std::size_t at = 0; parts.size() < 3;) {
    const auto end = std::min(bytes.find(kBetween, at), bytes.size());
    parts.push_back(bytes.substr(at, end - at));
    at = std::min(end + kBetween.size(), bytes.size());
  }
  for (const bool is_bounded : {true, false}) {
    const auto table = [&](std::size_t part, const char* name) {
      return read(parts[part], is_bounded ? schema_of(name) : unbounded(schema_of(name)));
    };
    check_review({tables::FeeSchedule::of(table(0, "pfs"), gpci, table(1, "conversion_factors")), nullptr,
                  tables::Contracts::of(table(2, "contracts"))});
  }
}

// Rules
// --------------------------------------------------------------------------------------------------------------------

void check_answers(const std::shared_ptr<const lua::Ruleset>& rules) {
  lua::Engine engine(rules);
  const auto draft = claim();
  domain::Payer payer;
  payer.payer_id = "P1";
  const ports::ClaimFacts facts{draft, payer, true, domain::ValidationProfile::standard,
                                *domain::Date::from_ymd(2026, 2, 1)};
  const auto first = engine.assess_denial(facts), second = engine.assess_denial(facts);
  must(first.findings.size() == second.findings.size() && first.faults.size() == second.faults.size(),
       "the same claim gets the same answer");
  for (const auto& finding : first.findings) {
    must(finding.probability_bps > 0 && finding.probability_bps <= domain::kOneInBps,
         "a probability is above 0 and at most 1");
    must(domain::is_utf8(finding.description) && domain::is_utf8(finding.field) && domain::is_utf8(finding.fix),
         "what a rule says can be sent");
    must(!finding.amount_at_risk || is_amount(*finding.amount_at_risk),
         "an amount at risk is an amount that a claim may ask");
  }
  for (const auto& fault : first.faults)
    must(!fault.rule_id.empty() && !fault.problem.empty(), "a fault names its rule and its problem");
}

void rule_file(std::string_view bytes) {
  static const TemporaryFolder folder;
  static const bool is_written = [] {
    folder.write("ruleset.lua", "return { version = '1', denial = { 'fuzz' }, terms = 'plain' }");
    folder.write("params.lua",
                 "return { denial_threshold = { value = 0.5, min = 0, max = 1 }, date_quantile = { value = 0.8, min = "
                 "0, max = 1 },\n"
                 "recovery = { value = 0.4, min = 0, max = 1 }, large_cents = { value = usd(100.00), min = 0, max = "
                 "usd(10000.00), unit = 'cents' } }");
    folder.write("terms/plain.lua",
                 "return { id = 'terms.plain', rev = 1, evaluate = function() return { decision = 'declined' } end }");
    folder.write("cases/plain.lua",
                 "return { rule = 'terms.plain', cases = { { name = 'any', expect = { decision = 'declined' } } } }");
    folder.write("cases/fuzz.lua",
                 "return { rule = 'denial.fuzz', cases = { { name = 'clean', expect = 'nothing' } } }");
    return true;
  }();
  must(is_written, "the bundle around the rule is written");
  folder.write("denial/fuzz.lua", bytes);
  const auto loaded = lua::load_ruleset(folder.path(), {kCodes, {}});
  must((loaded.ruleset == nullptr) != loaded.errors.empty(), "a bundle is used or refused");
  for (const auto& error : loaded.errors)
    must(!error.file.empty() && !error.message.empty() && !error.text().empty(), "a refusal says where and why");
  if (!loaded.ruleset) return;
  const auto stored = lua::unpack(lua::pack(*loaded.bundle), loaded.sha256);
  must(stored.has_value(), "a bundle comes back from the store");
  must(lua::load_ruleset(*stored, {kCodes, {}}).ruleset != nullptr, "what was accepted is accepted from the store");
  check_answers(loaded.ruleset);
}

}  // namespace

std::vector<Target> rule_targets() {
  return {{"fee_tables", fee_tables, {}, 2}, {"rule_file", rule_file, {"rules/denial"}, 10}};
}

}  // namespace tideover::fuzz
