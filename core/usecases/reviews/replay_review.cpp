#include "core/usecases/reviews/replay_review.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/usecases/claims/payer_edition.hpp"
#include "core/usecases/learning/read_learning.hpp"
#include "core/usecases/reviews/judge_claim.hpp"
#include "core/usecases/reviews/read_reviews.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

Error unable(std::string why) {
  return Error::of(ErrorCode::invalid_state, "The review cannot be replayed: " + std::move(why));
}

Error replay_is_busy() {
  return Error::of(ErrorCode::service_unavailable, "Another review is being replayed. Retry later.").retry_after(5);
}

std::string decimal(int bps) {
  auto digits = std::to_string(bps);
  if (digits.size() < 5) digits.insert(0, 5 - digits.size(), '0');
  return digits.insert(digits.size() - 4, ".");
}

std::string text_of(bool is_so) {
  return is_so ? "true" : "false";
}
std::string text_of(const std::optional<domain::Money>& amount) {
  return amount ? format_money(*amount) : "none";
}
std::string line_of(const std::optional<int>& line) {
  return line ? " line " + std::to_string(*line) : "";
}

std::string text_of(const domain::Finding& finding) {
  return finding.code + " (" + finding.rule_id + ' ' + decimal(finding.probability_bps) + line_of(finding.line) + ')';
}

std::string text_of(const domain::RuleFault& fault) {
  return fault.rule_id + ": " + fault.problem;
}

std::string text_of(const domain::ListedFee& line) {
  return (line.fee ? format_money(*line.fee) : std::string("unlisted")) +
         (line.global_days > 0 ? " global " + std::to_string(line.global_days) : "") +
         (line.contract ? " contract " + format_money(*line.contract) : "");
}

std::string text_of(const domain::FiredRule& rule) {
  return rule.rule_id + ' ' + decimal(rule.weight_bps) + line_of(rule.line) + " (carc " + rule.carc + ", family " +
         rule.family + ", strength " + std::to_string(rule.strength) + ')' + (rule.locked ? " locked" : "") +
         (rule.shadow ? " shadow" : "") + (rule.hard ? " hard" : "");
}

std::string text_of(const std::optional<domain::LearnedForecast>& learned) {
  if (!learned) return "none";
  return decimal(learned->denial_low_bps) + ".." + decimal(learned->denial_high_bps) + ", cash " +
         format_money(learned->cash_q10) + " " + format_money(learned->cash_q50) + " " +
         format_money(learned->cash_q90) + ", " + std::to_string(learned->evidence) + " claims, weight " +
         decimal(learned->weight_bps) + (learned->amount_remembered ? ", amount remembered" : "");
}

std::string text_of(const domain::CashOdds& odds) {
  std::string text = "nothing " + decimal(odds.nonpayment_bps) + ", less";
  for (const int below : odds.below_bps) text += ' ' + decimal(below);
  return text;
}

/// Compares bit by bit.
std::string text_of(const std::vector<float>& features) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const float feature : features) {
    if (!text.empty()) text += ' ';
    for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[std::bit_cast<std::uint32_t>(feature) >> shift & 15];
  }
  return text.empty() ? "none" : text;
}

template <class Item>
std::string text_of(const std::vector<Item>& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + text_of(item);
  return text.empty() ? "none" : text;
}

/// Everything of a review that a client sees, apart from rule names, and what it is based on.
class Differences {
 public:
  Differences(const domain::Review& recorded, const domain::Review& replayed) {
    const auto &was = recorded.forecast, &is = replayed.forecast;
    compare("denial_probability", decimal(was.denial_probability_bps), decimal(is.denial_probability_bps));
    compare("denial_predicted", text_of(was.denial_predicted), text_of(is.denial_predicted));
    compare("denial_reasons", recorded.denial_reasons, replayed.denial_reasons);
    compare("warnings", recorded.warnings, replayed.warnings);
    compare("expected_reimbursement.allowed", format_money(was.allowed), format_money(is.allowed));
    compare("expected_reimbursement.expected", format_money(was.expected), format_money(is.expected));
    compare("expected_payment_date", format_date(was.payment_date), format_date(is.payment_date));
    compare("confidence", decimal(was.confidence_bps), decimal(is.confidence_bps));
    compare("prediction", text_of(recorded.learned), text_of(replayed.learned));
    compare("payment_odds", text_of(recorded.cash), text_of(replayed.cash));
    compare("rule_faults", text_of(recorded.rule_faults), text_of(replayed.rule_faults));
    const auto &before = recorded.basis, &after = replayed.basis;
    compare("denial_threshold", decimal(before.denial_threshold_bps), decimal(after.denial_threshold_bps));
    compare("date_quantile", decimal(before.date_quantile_bps), decimal(after.date_quantile_bps));
    compare("rules_fired", text_of(before.fired), text_of(after.fired));
    compare("listed_fees", text_of(before.fees), text_of(after.fees));
    compare("features", text_of(before.features), text_of(after.features));
  }
  std::vector<ReviewDifference> take() { return std::move(found_); }

 private:
  void compare(std::string field, std::string was, std::string is) {
    if (was != is) found_.push_back({std::move(field), std::move(was), std::move(is)});
  }
  /// Compares the list of findings, then the wording of those that both have at the same position.
  void compare(const std::string& field, const std::vector<domain::Finding>& was,
               const std::vector<domain::Finding>& is) {
    compare(field, text_of(was), text_of(is));
    for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
      if (was[i].rule_id != is[i].rule_id || was[i].code != is[i].code) continue;
      const auto finding = field + '[' + std::to_string(i) + "].";
      compare(finding + "description", was[i].description, is[i].description);
      compare(finding + "group", was[i].group, is[i].group);
      compare(finding + "fix", was[i].fix, is[i].fix);
      compare(finding + "amount_at_risk", text_of(was[i].amount_at_risk), text_of(is[i].amount_at_risk));
    }
  }

  std::vector<ReviewDifference> found_;
};

}  // namespace

domain::Result<domain::Review> ReplayReview::find(const domain::TenantId& tenant, const std::string& reference) const {
  return ReadReviews(store_).one(tenant, reference);
}

domain::Status ReplayReview::learn(const domain::TenantId& tenant, const std::string& snapshot,
                                   estimators::State& state, const Until& until) const {
  if (snapshot.empty()) return {};
  const auto wanted = domain::snapshot_seq(snapshot);
  if (!wanted) return unable("'" + snapshot + "' is not a model snapshot.");
  ReadLearning read(store_, digests_, tenant);
  std::int64_t seq = 0;
  const auto done = read.behind(
      seq, [&](const domain::LearningBatch& batch, const std::vector<Observation>& observed) -> domain::Result<bool> {
        if (until && std::chrono::steady_clock::now() >= *until)
          return Error::of(ErrorCode::service_unavailable,
                           "Too much was learned before this review to repeat it within a request. Use `tideover "
                           "review replay`.");
        for (const auto& event : read.events_of(observed)) estimators::apply(state, event);
        seq = batch.seq;
        if (seq == *wanted && domain::snapshot_id(seq, batch.sha256) != snapshot)
          return unable("the learning journal differs from the state of " + snapshot + '.');
        return seq < *wanted;
      });
  if (!done) return done;
  if (seq < *wanted) return unable("the learning journal ends before " + snapshot + '.');
  return {};
}

domain::Result<ReplayedReview> ReplayReview::operator()(const domain::TenantId& tenant, const domain::Review& recorded,
                                                        ports::RulePolicy& rules) {
  const std::unique_lock alone(busy_, std::try_to_lock);
  return alone ? make(tenant, recorded, rules, std::nullopt) : replay_is_busy();
}

domain::Result<ReplayedReview> ReplayReview::operator()(const domain::TenantId& tenant, const domain::Review& recorded,
                                                        const OpenRules& open, std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  const std::unique_lock alone(busy_, std::try_to_lock);
  if (!alone) return replay_is_busy();
  const auto rules = open();
  if (!rules) return rules.error();
  return make(tenant, recorded, **rules, until);
}

domain::Result<ReplayedReview> ReplayReview::make(const domain::TenantId& tenant, const domain::Review& recorded,
                                                  ports::RulePolicy& rules, const Until& until) const {
  const auto& basis = recorded.basis;
  if (!basis.claim_revision) return unable("its inputs were not stored.");
  std::optional<domain::ClaimDraft> draft;
  std::optional<std::string> record;
  const auto read = store_.read([&](const ports::Records& records) {
    draft = records.claims().draft_of(tenant, recorded.claim_id, basis.claim_revision);
    if (!basis.payer_edition.empty()) record = records.learning().payer(basis.payer_edition);
  });
  if (!read) return read.error();
  if (!draft) return unable("the claim's revision of that time is missing.");
  const auto payer = record ? payer_of(*record) : std::nullopt;
  if (!payer && recorded.payer_known) return unable("the payer's record of that time is missing.");

  estimators::State state(options_);
  if (auto learned = learn(tenant, basis.snapshot, state, until); !learned) return learned.error();
  const domain::Payer unknown_payer;
  ports::ClaimFacts facts{*draft,        payer ? *payer : unknown_payer, recorded.payer_known,
                          basis.profile, recorded.created_at.utc_date(), basis.duplicates};
  facts.near_payer = basis.near_payer;
  auto made = review_with(facts, {tenant, recorded.claim_id, &state, basis.snapshot}, rules, digests_, environment_,
                          reason_codes_);
  if (!made) return made.error();
  ReplayedReview both{recorded, std::move(*made), {}};
  auto& replayed = both.replayed;
  replayed.id = recorded.id;
  replayed.authorization_id = recorded.authorization_id;
  replayed.claim_id = recorded.claim_id;
  replayed.created_at = recorded.created_at;
  replayed.expires_at = recorded.expires_at;
  replayed.basis.claim_revision = basis.claim_revision;
  replayed.basis.payer_edition = basis.payer_edition;
  both.differences = Differences(both.recorded, replayed).take();
  return both;
}

}  // namespace tideover::usecases
