#include "tests/bench/claimsim/book_rules.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "core/lua/ruleset/loader.hpp"
#include "core/settings/reason_codes.hpp"
#include "core/usecases/learning/learned_claim.hpp"
#include "core/usecases/reviews/judge_claim.hpp"
#include "tests/bench/claimsim/processor_time.hpp"

namespace tideover::claimsim {
namespace {

/// As core/usecases/reviews/review_claim has it.
std::string service_of(const domain::ClaimDraft& draft) {
  std::vector<std::string> lines;
  for (const auto& line : draft.service_lines)
    lines.push_back(line.cpt + '|' + line.modifier + '|' + std::to_string(line.units_milli) + '|' +
                    std::to_string(line.amount->cents()));
  std::sort(lines.begin(), lines.end());
  std::string text = draft.chart_identifier.reveal() + '\n' + draft.payer_id + '\n' +
                     (draft.date_of_service ? format_date(*draft.date_of_service) : "") + '\n' + draft.billing_npi +
                     '\n' + std::to_string(draft.submitted_amount.cents());
  for (const auto& line : lines) text += '\n' + line;
  return text;
}

lua::CodeSet catalogue() {
  const auto loaded = settings::load_reason_codes(TIDEOVER_SOURCE_DIR "/config/reason_codes.yaml");
  const auto* const codes = std::get_if<std::vector<domain::ReasonCode>>(&loaded);
  if (!codes) throw std::runtime_error("config/reason_codes.yaml cannot be used");
  lua::CodeSet known;
  for (const auto& code : *codes) known.insert(code.code);
  return known;
}

}  // namespace

BookRules::BookRules(const std::filesystem::path& rules, const std::filesystem::path& book) {
  lua::LoadOptions options{catalogue(), {}};
  options.tables.folder = book / "tables";
  const auto loaded = lua::load_ruleset(rules, options);
  if (!loaded.ruleset)
    throw std::runtime_error(loaded.errors.empty() ? "the rules cannot be read" : loaded.errors.front().text());
  auto ruleset = std::make_shared<lua::Ruleset>(*loaded.ruleset);
  // As an operator sets them who has the whole lists: a book has.
  for (auto& param : ruleset->params)
    if (param.name == "code_table_is_whole" || param.name == "modifier_list_is_whole") param.value = true;
  engine_ = std::make_unique<lua::Engine>(std::move(ruleset));
}

ports::ClaimFacts BookRules::facts_of(const BookClaim& claim, const domain::ClaimHistory& history, int duplicates) {
  payer_.payer_id = claim.draft.payer_id;
  payer_.timely_filing_days = claim.submission.timely_filing_days;
  return {claim.draft, payer_,  true, domain::ValidationProfile::standard, claim.submission.reviewed,
          duplicates,  &history};
}

std::vector<estimators::FiredRule> BookRules::fired(const BookClaim& claim, const domain::ClaimHistory& history) {
  duplicates_ = services_[service_of(claim.draft)]++;
  const auto facts = facts_of(claim, history, duplicates_);
  const double from = processor_time();
  assessed_ = engine_->assess_denial(facts);
  seconds_ += processor_time() - from;
  if (!assessed_.faults.empty())
    throw std::runtime_error(assessed_.faults.front().rule_id + ": " + assessed_.faults.front().problem);
  return usecases::fired_rules_of(assessed_);
}

domain::Money BookRules::advance(const BookClaim& claim, const estimators::State& state,
                                 const domain::ClaimHistory& history) {
  const std::string snapshot;
  const usecases::TenantRecord record{state, snapshot, claim.submission, history.payer.responses};
  const auto review = usecases::judge_claim(facts_of(claim, history, duplicates_), assessed_,
                                            domain::Environment::production, {}, &record);
  if (!review) throw std::runtime_error("a claim of the book is refused: " + review.error().message);
  const auto proposed = engine_->propose_terms({*review, "SAME_DAY", claim.submission.reviewed});
  if (!proposed.faults.empty())
    throw std::runtime_error(proposed.faults.front().rule_id + ": " + proposed.faults.front().problem);
  const auto bounded = domain::bound_terms(proposed.proposal, *review, {});
  for (const auto& reason : bounded.reasons) ++reasons_[reason];
  return bounded.decision == domain::Decision::approved ? bounded.terms.advance_amount : domain::Money{};
}

}  // namespace tideover::claimsim
