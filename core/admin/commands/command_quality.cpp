// tideover quality calibration|payers|rules|advances
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/admin/tenant_named.hpp"
#include "core/http/wire/operations/quality_json.hpp"

namespace tideover::main {
namespace {

using usecases::Quality;

/// As the running service knows it; without one, or of a period, the command learns everything from the start.
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
                    std::string table) {
  if (request.options.contains("json")) return {0, encode(quality) + '\n', ""};
  if (quality.snapshot.empty())
    return {0, "Nothing was learned yet: no payer has answered a claim that was reviewed here.\n", ""};
  return {0, "learned   " + quality.snapshot + "\n\n" + table, ""};
}

std::string table_of(const char* name, const estimators::Reliability& reliability) {
  std::string out =
      fmt::format("{}: {} claims, calibration error {:.4f}\n{:>12} {:>10} {:>10} {:>10}\n", name, reliability.claims(),
                  reliability.calibration_error(), "range", "claims", "predicted", "came true");
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
                     "by the date", "alarms");
  for (const auto& payer : quality.grades.payers)
    out += fmt::format("{:<28} {:>10} {:>12.2f} {:>+12.2f} {:>12.4f} {:>8}\n", payer.payer_id, payer.paid,
                       payer.mean_absolute_error(),
                       payer.paid > 0 ? static_cast<double>(payer.error) / static_cast<double>(payer.paid) : 0,
                       payer.coverage(), payer.drift_alarms);
  return reply_of(request, quality, wire::encode_payer_grades, std::move(out));
}

AdminReply rules(AdminContext& context, const AdminRequest& request) {
  const auto quality = quality_of(context, request);
  std::string out = fmt::format("{:<36} {:>9} {:>9} {:>9} {:>9} {:>7} {:>16}\n", "rule (on answered claims)", "fired",
                                "denied", "as told", "precision", "lift", "charge flagged");
  for (const auto& rule : quality.grades.rules)
    out += fmt::format("{:<36} {:>9} {:>9} {:>9} {:>9.4f} {:>7.2f} {:>16}\n", rule.rule_id, rule.hits, rule.denied,
                       rule.confirmed, rule.precision(), rule.lift(), format_money(rule.flagged));
  return reply_of(request, quality, wire::encode_rule_grades, std::move(out));
}

AdminReply advances(AdminContext& context, const AdminRequest& request) {
  const auto quality = quality_of(context, request);
  const auto& made = quality.grades.advances;
  const auto money = [](std::int64_t cents) { return format_money(domain::Money::cents(cents)); };
  return reply_of(
      request, quality, wire::encode_advance_grades,
      fmt::format(
          "85 % of the expected reimbursement, of {} claims that are 90 days old and were not predicted denied\n"
          "{:<26} {:>16}\n{:<26} {:>16}\n{:<26} {:>16}\n{:<26} {:>16.4f}\n",
          made.claims, "advanced", money(made.advanced_cents), "lost", money(made.lost_cents), "expected to be lost",
          money(made.expected_loss_cents), "loss per advanced dollar", made.loss_per_dollar()));
}

}  // namespace

std::vector<AdminVerb> quality_verbs() {
  const std::vector<AdminOption> options{
      {"--tenant", "Whose, by name; the only one, or `default`, where it is left out"},
      {"--from", "First day of the answers that count (default: all)"},
      {"--to", "Last day of the answers that count"},
      {"--json", "As GET /v1/quality/... answers", "", AdminOption::Kind::flag}};
  return {taking_long({"calibration", "How often what reviews stated came true, by how probable they said it was",
                       options, calibration}),
          taking_long({"payers",
                       "How far the stated payment dates and amounts were off, and which payers changed their ways",
                       options, payers}),
          taking_long({"rules", "How often each rule was right", options, rules}),
          taking_long({"advances", "What advances on what reviews stated would have lost, against what was expected",
                       options, advances})};
}

}  // namespace tideover::main
