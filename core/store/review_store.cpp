#include "core/store/review_store.hpp"

#include "core/store/columns.hpp"
#include "core/store/record_text.hpp"
#include "core/store/sealed_tables.hpp"

namespace tideover::store {
namespace {

#define REVIEW_COLUMNS                                                                                                 \
  "authorization_id, id, claim_id, claim_identifier, denial_probability_bps, denial_predicted, allowed_cents, "        \
  "expected_cents, payment_date, confidence_bps, denial_reasons, warnings, rule_faults, rules_version, rules_sha256, " \
  "submitted_cents, payer_id, payer_known, created_at, expires_at"

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

domain::Review read_review(const sql::Row& row, const SealedCells& cells, const domain::TenantId& tenant) {
  ColumnReader in(row);
  domain::Review review;
  review.authorization_id = in.id<domain::AuthorizationId>();
  review.id = in.id<domain::ReviewId>();
  review.claim_id = in.id<domain::ClaimId>();
  review.claim_identifier = cells.open(tenant, sealed::kReviewIdentifier, review.authorization_id.text(), in.bytes());
  review.forecast.denial_probability_bps = in.number();
  review.forecast.denial_predicted = in.flag();
  review.forecast.allowed = in.money();
  review.forecast.expected = in.money();
  review.forecast.payment_date = in.date();
  review.forecast.confidence_bps = in.number();
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
  return review;
}

}  // namespace

void ReviewStore::insert(const domain::TenantId& tenant, const domain::Review& review) {
  const auto& forecast = review.forecast;
  session_.run("INSERT INTO reviews (tenant, " REVIEW_COLUMNS
               ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               tenant.text(), review.authorization_id.text(), review.id.text(), review.claim_id.text(),
               cells_.seal(tenant, sealed::kReviewIdentifier, review.authorization_id.text(), review.claim_identifier),
               forecast.denial_probability_bps, forecast.denial_predicted,
               forecast.allowed.cents(), forecast.expected.cents(), forecast.payment_date.days(),
               forecast.confidence_bps, findings_column(review.denial_reasons), findings_column(review.warnings),
               faults_column(review.rule_faults), review.rules.version, review.rules.sha256,
               review.submitted_amount.cents(), review.payer_id, review.payer_known, review.created_at.ms(),
               review.expires_at.ms());
}

std::optional<domain::Review> ReviewStore::find(const domain::TenantId& tenant,
                                                const domain::AuthorizationId& authorization) const {
  return session_.first([&](const sql::Row& row) { return read_review(row, cells_, tenant); },
                        "SELECT " REVIEW_COLUMNS " FROM reviews WHERE tenant = ? AND authorization_id = ?",
                        tenant.text(), authorization.text());
}

std::optional<domain::Review> ReviewStore::latest_of(const domain::TenantId& tenant,
                                                     const domain::ClaimId& claim) const {
  return session_.first(
      [&](const sql::Row& row) { return read_review(row, cells_, tenant); },
      "SELECT " REVIEW_COLUMNS " FROM reviews WHERE tenant = ? AND claim_id = ? ORDER BY id DESC LIMIT 1",
      tenant.text(), claim.text());
}

std::vector<domain::Review> ReviewStore::list(const domain::TenantId& tenant, std::string_view after, std::size_t limit) const {
  return all(session_, [&](const sql::Row& row) { return read_review(row, cells_, tenant); },
             "SELECT " REVIEW_COLUMNS " FROM reviews WHERE tenant = ? AND authorization_id > ? ORDER BY authorization_id LIMIT ?", tenant.text(), after, rows(limit));
}

}  // namespace tideover::store
