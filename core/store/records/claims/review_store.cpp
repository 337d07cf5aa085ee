#include "core/store/records/claims/review_store.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

#define REVIEW_COLUMNS                                                                                              \
  "authorization_id, id, claim_id, claim_identifier, denial_probability_bps, denial_predicted, allowed_cents, "     \
  "expected_cents, payment_date, confidence_bps, cash_odds, denial_reasons, warnings, rule_faults, rules_version, " \
  "rules_sha256, "                                                                                                  \
  "submitted_cents, payer_id, payer_known, created_at, expires_at, basis, features, learned"

/// An authorization is created directly after its review.
constexpr std::uint64_t kAuthorizationWithinMs = 60'000;
constexpr int kUlidRandomBits = 16;  // of its upper half

/// Marks listed fees with contract prices.
constexpr std::string_view kContracts = "contracts";

/// Marks the payer id that an unknown one may mean.
constexpr std::string_view kNearPayer = "near";

constexpr int kLocked = 1, kShadow = 2, kHard = 4;  // of a rule that fired

using Effect = domain::Finding::Effect;
constexpr StoredNames kEffects{std::in_place_type<Effect>, "reason", "warning", "refusal"};

std::string findings_column(const std::vector<domain::Finding>& findings) {
  RecordWriter out;
  for (const auto& finding : findings) {
    const auto line = finding.line ? std::optional<std::int64_t>(*finding.line) : std::nullopt;
    out.text(kEffects.of(finding.effect)).text(finding.rule_id).text(finding.code).text(finding.group);
    out.text(finding.family).text(finding.field).text(finding.description).text(finding.fix);
    out.integer(finding.probability_bps).integer(finding.confidence_cap_bps).optional_integer(line);
    out.optional_integer(cents(finding.amount_at_risk)).end_record();
  }
  return out.take();
}

std::vector<domain::Finding> findings_of(const std::string& column) {
  std::vector<domain::Finding> findings;
  for (RecordReader in(column); in.next();) {
    auto& finding = findings.emplace_back();
    finding.effect = kEffects(in.text()).value();
    finding.rule_id = in.text();
    finding.code = in.text();
    finding.group = in.text();
    finding.family = in.text();
    finding.field = in.text();
    finding.description = in.text();
    finding.fix = in.text();
    finding.probability_bps = in.number();
    finding.confidence_cap_bps = in.number();
    if (const auto line = in.optional_integer()) finding.line = static_cast<int>(*line);
    if (const auto amount = in.optional_integer()) finding.amount_at_risk = domain::Money::cents(*amount);
  }
  return findings;
}

std::string faults_column(const std::vector<domain::RuleFault>& faults) {
  RecordWriter out;
  for (const auto& fault : faults) out.text(fault.rule_id).text(fault.problem).end_record();
  return out.take();
}

std::vector<domain::RuleFault> faults_of(const std::string& column) {
  std::vector<domain::RuleFault> faults;
  for (RecordReader in(column); in.next();) {
    auto& fault = faults.emplace_back();
    fault.rule_id = in.text();
    fault.problem = in.text();
  }
  return faults;
}

std::string basis_column(const domain::ReviewBasis& basis) {
  const auto number = [](const std::optional<int>& maybe) {
    return maybe ? std::optional<std::int64_t>(*maybe) : std::nullopt;
  };
  RecordWriter out;
  out.optional_integer(number(basis.claim_revision))
      .text(basis.payer_edition)
      .integer(static_cast<int>(basis.profile))
      .integer(basis.duplicates);
  out.integer(basis.denial_threshold_bps).integer(basis.date_quantile_bps).text(basis.snapshot);
  if (!basis.near_payer.empty()) out.text(kNearPayer).text(basis.near_payer);
  const bool has_contracts =
      std::any_of(basis.fees.begin(), basis.fees.end(), [](const auto& line) { return line.contract.has_value(); });
  if (has_contracts) out.text(kContracts);
  for (const auto& line : basis.fees) {
    out.optional_integer(cents(line.fee)).integer(line.global_days);
    if (has_contracts) out.optional_integer(cents(line.contract));
  }
  out.end_record();
  for (const auto& rule : basis.fired) {
    out.text(rule.rule_id)
        .text(rule.family)
        .text(rule.carc)
        .optional_integer(number(rule.line))
        .integer(rule.weight_bps)
        .integer(rule.strength);
    out.integer((rule.locked ? kLocked : 0) | (rule.shadow ? kShadow : 0) | (rule.hard ? kHard : 0)).end_record();
  }
  return out.take();
}

domain::ReviewBasis basis_of(const std::string& column) {
  domain::ReviewBasis basis;
  RecordReader in(column);
  if (!in.next()) return basis;
  if (const auto revision = in.optional_integer()) basis.claim_revision = static_cast<int>(*revision);
  basis.payer_edition = in.text();
  basis.profile = static_cast<domain::ValidationProfile>(in.number());
  basis.duplicates = in.number();
  basis.denial_threshold_bps = in.number();
  basis.date_quantile_bps = in.number();
  basis.snapshot = in.text();
  const auto amount = [](const std::optional<std::int64_t>& maybe) {
    return maybe ? std::optional(domain::Money::cents(*maybe)) : std::nullopt;
  };
  if (in.skips(kNearPayer)) basis.near_payer = in.text();
  const bool has_contracts = in.skips(kContracts);
  while (!in.ended()) {
    auto& line = basis.fees.emplace_back();
    line.fee = amount(in.optional_integer());
    line.global_days = in.number();
    if (has_contracts) line.contract = amount(in.optional_integer());
  }
  while (in.next()) {
    auto& rule = basis.fired.emplace_back();
    rule.rule_id = in.text();
    rule.family = in.text();
    rule.carc = in.text();
    if (const auto line = in.optional_integer()) rule.line = static_cast<int>(*line);
    rule.weight_bps = in.number();
    rule.strength = in.number();
    const int flags = in.number();
    rule.locked = (flags & kLocked) != 0;
    rule.shadow = (flags & kShadow) != 0;
    rule.hard = (flags & kHard) != 0;
  }
  return basis;
}

/// IEEE 754 single precision, least significant byte first, on every machine.
std::string features_column(const std::vector<float>& features) {
  std::string bytes;
  for (const float feature : features)
    for (int shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(std::bit_cast<std::uint32_t>(feature) >> shift & 0xff);
  return bytes;
}

std::vector<float> features_of(const std::string& bytes) {
  std::vector<float> features(bytes.size() / 4);
  for (std::size_t i = 0; i < features.size(); ++i) {
    std::uint32_t bits = 0;
    for (std::size_t byte = 4; byte-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[4 * i + byte]);
    features[i] = std::bit_cast<float>(bits);
  }
  return features;
}

/// One number when all or nothing is paid, as in most reviews of a tenant without a record.
std::string odds_column(const domain::CashOdds& odds) {
  RecordWriter out;
  out.integer(odds.nonpayment_bps);
  if (odds != domain::CashOdds::all_or_nothing(odds.nonpayment_bps))
    for (const int below : odds.below_bps) out.integer(below);
  out.end_record();
  return out.take();
}

domain::CashOdds odds_of(const std::string& column) {
  RecordReader in(column);
  if (!in.next()) throw std::runtime_error("a review without the odds of its payment");
  auto odds = domain::CashOdds::all_or_nothing(in.number());
  if (in.ended()) return odds;
  for (int& below : odds.below_bps) below = in.number();
  return odds;
}

std::optional<std::string> learned_column(const std::optional<domain::LearnedForecast>& learned) {
  if (!learned) return std::nullopt;
  RecordWriter out;
  out.integer(learned->denial_low_bps)
      .integer(learned->denial_high_bps)
      .integer(learned->cash_q10.cents())
      .integer(learned->cash_q50.cents());
  out.integer(learned->cash_q90.cents())
      .integer(learned->evidence)
      .integer(learned->weight_bps)
      .integer(learned->amount_remembered ? 1 : 0)
      .end_record();
  return out.take();
}

std::optional<domain::LearnedForecast> learned_of(const std::string& column) {
  RecordReader in(column);
  if (!in.next()) return std::nullopt;
  domain::LearnedForecast learned;
  learned.denial_low_bps = in.number();
  learned.denial_high_bps = in.number();
  learned.cash_q10 = domain::Money::cents(in.integer());
  learned.cash_q50 = domain::Money::cents(in.integer());
  learned.cash_q90 = domain::Money::cents(in.integer());
  learned.evidence = in.number();
  learned.weight_bps = in.number();
  learned.amount_remembered = in.number() != 0;
  return learned;
}

domain::Review read_review(const sql::Row& row, const EncryptedCells& cells, const domain::TenantId& tenant) {
  ColumnReader in(row);
  domain::Review review;
  review.authorization_id = in.id<domain::AuthorizationId>();
  review.id = in.id<domain::ReviewId>();
  review.claim_id = in.id<domain::ClaimId>();
  review.claim_identifier =
      cells.open(tenant, encrypted::kReviewIdentifier, review.authorization_id.text(), in.bytes());
  review.forecast.denial_probability_bps = in.number();
  review.forecast.denial_predicted = in.flag();
  review.forecast.allowed = in.money();
  review.forecast.expected = in.money();
  review.forecast.payment_date = in.date();
  review.forecast.confidence_bps = in.number();
  review.cash = odds_of(in.text());
  review.denial_reasons = findings_of(in.text());
  review.warnings = findings_of(in.text());
  review.rule_faults = faults_of(in.text());
  review.rules.version = in.text();
  review.rules.sha256 = in.text();
  review.submitted_amount = in.money();
  review.payer_id = in.text();
  review.payer_known = in.flag();
  review.created_at = in.timestamp();
  review.expires_at = in.timestamp();
  review.basis = basis_of(in.optional_text().value_or(""));
  review.basis.features = features_of(in.optional_bytes().value_or(""));
  review.learned = learned_of(in.optional_text().value_or(""));
  return review;
}

}  // namespace

void ReviewStore::insert(const domain::TenantId& tenant, const domain::Review& review) {
  const auto& forecast = review.forecast;
  const auto features = features_column(review.basis.features);
  insert_row<"reviews", "tenant, " REVIEW_COLUMNS>(
      session_, tenant.text(), review.authorization_id.text(), review.id.text(), review.claim_id.text(),
      cells_.seal(tenant, encrypted::kReviewIdentifier, review.authorization_id.text(), review.claim_identifier),
      forecast.denial_probability_bps, forecast.denial_predicted, forecast.allowed.cents(), forecast.expected.cents(),
      forecast.payment_date.days(), forecast.confidence_bps, odds_column(review.cash),
      findings_column(review.denial_reasons), findings_column(review.warnings), faults_column(review.rule_faults),
      review.rules.version, review.rules.sha256, review.submitted_amount.cents(), review.payer_id, review.payer_known,
      review.created_at.ms(), review.expires_at.ms(), basis_column(review.basis),
      sql::BlobView{reinterpret_cast<const std::uint8_t*>(features.data()), features.size()},
      learned_column(review.learned));
}

std::optional<domain::Review> ReviewStore::find(const domain::TenantId& tenant,
                                                const domain::AuthorizationId& authorization) const {
  return session_.first([&](const sql::Row& row) { return read_review(row, cells_, tenant); },
                        "SELECT " REVIEW_COLUMNS " FROM reviews WHERE tenant = ? AND authorization_id = ?",
                        tenant.text(), authorization.text());
}

std::optional<domain::Review> ReviewStore::find(const domain::TenantId& tenant, const domain::ReviewId& id) const {
  const auto made = domain::parse_ulid(std::string_view(id.text()).substr(domain::kind::Review::kPrefix.size()));
  if (!made) return std::nullopt;
  const auto first = domain::AuthorizationId::of(*made),
             last = domain::AuthorizationId::of({made->high + (kAuthorizationWithinMs << kUlidRandomBits), made->low});
  return session_.first(
      [&](const sql::Row& row) { return read_review(row, cells_, tenant); },
      "SELECT " REVIEW_COLUMNS
      " FROM reviews WHERE tenant = ? AND authorization_id > ? AND authorization_id < ? AND id = ? LIMIT 1",
      tenant.text(), first.text(), last.text(), id.text());
}

std::optional<domain::Review> ReviewStore::latest_of(const domain::TenantId& tenant,
                                                     const domain::ClaimId& claim) const {
  return session_.first([&](const sql::Row& row) { return read_review(row, cells_, tenant); },
                        "SELECT " REVIEW_COLUMNS
                        " FROM reviews WHERE tenant = ? AND claim_id = ? ORDER BY id DESC LIMIT 1",
                        tenant.text(), claim.text());
}

std::vector<domain::AuthorizationId> ReviewStore::observed(const domain::TenantId& tenant,
                                                           const domain::AuthorizationId& after,
                                                           const domain::AuthorizationId& until,
                                                           std::size_t limit) const {
  return all(
      session_, [](const sql::Row& row) { return domain::AuthorizationId::trusted(row.text(0)); },
      "SELECT authorization_id FROM reviews WHERE tenant = ? AND authorization_id > ? AND authorization_id <= ? ORDER "
      "BY authorization_id LIMIT ?",
      tenant.text(), after.text(), until.text(), rows(limit));
}

#define REVIEWS(KEY, ID)                                                      \
  "SELECT " REVIEW_COLUMNS " FROM reviews WHERE tenant = ? AND " KEY IN_PAGE( \
      ID, "created_at") " AND (? = '' OR payer_id = ?) AND (? < 0 OR denial_predicted = ?) ORDER BY " ID

std::vector<domain::Review> ReviewStore::list(const domain::TenantId& tenant, const ports::ReviewFilter& filter,
                                              const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::Authorization>(session_, tenant, page);
  const std::int64_t predicted = filter.denial_predicted ? *filter.denial_predicted : -1;
  const auto read = [&](sql::Sql sql, const auto&... key) {
    return cells_.first_that_open(
        session_, [&](const sql::Row& row) { return read_review(row, cells_, tenant); }, page.limit, sql, tenant.text(),
        key..., in.above, in.below, in.from, in.before, filter.payer_id, filter.payer_id, predicted, predicted);
  };
  if (filter.claim)  // few rows, by the index of claims: COALESCE keeps the planner from the key, by which it
                     // would read every review
    return read(in_order<REVIEWS("claim_id = ? AND ", "COALESCE(authorization_id, '')"), kOpenRows>(page.order),
                filter.claim->text());
  return read(in_order<REVIEWS("", "authorization_id"), kOpenRows>(page.order));
}

}  // namespace tideover::store
