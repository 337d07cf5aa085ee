// tideover quality calibration|payers|rules|advances
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/admin/tenant_named.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/http/wire/operations/quality_json.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/learning/read_quality.hpp"

namespace tideover::admin {
namespace {

using usecases::Quality;

/// The record of the running service. Without a service, or for a period, it is computed for this command.
Quality quality_of(AdminContext& context, const AdminRequest& request) {
  const auto tenant = tenant_named(context, request.option("tenant"));
  const usecases::GradePeriod period{day_of(request, "from"), day_of(request, "to")};
  const crypto::LastingDigest digests(context.keys);
  usecases::Learner learner(context.store, digests);
  usecases::ReadQuality read_quality(context.store, digests, context.learner ? *context.learner : learner);
  const auto go_on = [&](std::int64_t events) {
    return request.progress(fmt::format("\r{} reviews and answers", events));
  };
  if (!context.learner && period.is_all())
    expect(learner.follow([&](const usecases::Learner::Progress& progress) { return go_on(progress.events); }));
  return expect(read_quality(tenant.id, period, go_on));
}

AdminReply reply_of(const AdminRequest& request, const Quality& quality, std::string (*encode)(const Quality&),
                    const std::string& table) {
  if (request.options.contains("json")) return {0, encode(quality) + '\n', ""};
  if (quality.snapshot.empty()) return {0, "No data: no payer has answered a reviewed claim yet.\n", ""};
  return {0, "learned   " + quality.snapshot + "\n\n" + table, ""};
}

std::string table_of(const char* name, const estimators::Reliability& reliability) {
  std::string out =
      fmt::format("{}: {} claims, calibration error {:.4f}\n{:>12} {:>10} {:>10} {:>10}\n", name, reliability.claims(),
                  reliability.calibration_error(), "range", "claims", "predicted", "observed");
  const auto& bins = reliability.bins();
  for (std::size_t i = 0; i < bins.size(); ++i)
    if (bins[i].claims > 0)
      out += fmt::format("{:>5.2f}..{:<5.2f} {:>10} {:>10.4f} {:>10.4f}\n",
                         static_cast<double>(i) / estimators::kReliabilityBins,
                         static_cast<double>(i + 1) / estimators::kReliabilityBins, bins[i].claims, bins[i].predicted(),
                         bins[i].observed());
  return out;
}

AdminReply calibration(AdminContext& context, const AdminRequest& request) {
  const auto quality = quality_of(context, request);
  return reply_of(
      request, quality, wire::encode_calibration,
      table_of("denial probability", quality.grades.denial) + '\n' + table_of("confidence", quality.grades.confidence));
}

AdminReply payers(AdminContext& context, const AdminRequest& request) {
  const auto quality = quality_of(context, request);
  const auto& amounts = quality.grades.amounts;
  std::string out = fmt::format("allowed amounts: {} claims, mean error {:.4f} of the amount, {} within 1 %\n\n",
                                amounts.claims, amounts.wape(), amounts.within_one_percent);
  out += fmt::format("{:<28} {:>10} {:>12} {:>12} {:>12} {:>8}\n", "payer", "paid", "error, days", "bias, days",
                     "on time", "alarms");
  for (const auto& payer : quality.grades.payers)
    out += fmt::format("{:<28} {:>10} {:>12.2f} {:>+12.2f} {:>12.4f} {:>8}\n", payer.payer_id, payer.paid,
                       payer.mean_absolute_error(),
                       payer.paid > 0 ? static_cast<double>(payer.error) / static_cast<double>(payer.paid) : 0,
                       payer.coverage(), payer.drift_alarms);
  return reply_of(request, quality, wire::encode_payer_grades, out);
}

AdminReply rules(AdminContext& context, const AdminRequest& request) {
  const auto quality = quality_of(context, request);
  std::string out = fmt::format("{:<36} {:>9} {:>9} {:>9} {:>9} {:>7} {:>16}\n", "rule (on answered claims)", "fired",
                                "denied", "agreed", "precision", "lift", "charge flagged");
  for (const auto& rule : quality.grades.rules)
    out += fmt::format("{:<36} {:>9} {:>9} {:>9} {:>9.4f} {:>7.2f} {:>16}\n", rule.rule_id, rule.hits, rule.denied,
                       rule.confirmed, rule.precision(), rule.lift(), format_money(rule.flagged));
  return reply_of(request, quality, wire::encode_rule_grades, out);
}

AdminReply advances(AdminContext& context, const AdminRequest& request) {
  const auto quality = quality_of(context, request);
  const auto& made = quality.grades.advances;
  const auto money = [](std::int64_t cents) { return format_money(domain::Money::cents(cents)); };
  return reply_of(
      request, quality, wire::encode_advance_grades,
      fmt::format("85 % of the expected reimbursement, for {} claims that are 90 days old and had no predicted denial\n"
                  "{:<26} {:>16}\n{:<26} {:>16}\n{:<26} {:>16}\n{:<26} {:>16.4f}\n",
                  made.claims, "advanced", money(made.advanced_cents), "lost", money(made.lost_cents), "expected loss",
                  money(made.expected_loss_cents), "loss per advanced dollar", made.loss_per_dollar()));
}

}  // namespace

std::vector<AdminVerb> quality_verbs() {
  const std::vector<AdminOption> options{
      {"--tenant", "Tenant by name (default: `default`, else the only tenant)"},
      {"--from", "First day of the payers' answers (default: all)"},
      {"--to", "Last day of the payers' answers"},
      {"--json", "Print the JSON of GET /v1/quality/...", "", AdminOption::Kind::flag}};
  return {taking_long({"calibration", "Compare predicted probabilities with observed rates", options, calibration}),
          taking_long({"payers", "Show errors of predicted payment dates and amounts, and payers with changed behavior",
                       options, payers}),
          taking_long({"rules", "Show how often each rule was correct", options, rules}),
          taking_long({"advances", "Compare the expected loss of advances with the observed loss", options, advances})};
}

}  // namespace tideover::admin
