// tideover rules backtest: effect of other rules on the recorded claims, in decisions and in money.
#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <set>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/admin/tenant_named.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/node/start.hpp"
#include "core/ports/clock.hpp"
#include "core/settings/settings.hpp"
#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/rules/backtest_recourse.hpp"
#include "core/usecases/rules/backtest_rules.hpp"

namespace tideover::admin {
namespace {

using usecases::BacktestReport;
using usecases::BacktestSide;

constexpr int kRegression = 3;  // exit code: a limit was exceeded

std::optional<domain::Money> money_of(const AdminRequest& request, const char* option) {
  const auto text = request.option(option);
  if (text.empty()) return std::nullopt;
  const auto amount = domain::parse_money(text);
  if (!amount) throw node::StartError(fmt::format("--{} '{}' is not an amount such as 250.00.", option, text));
  return *amount;
}

std::optional<std::int64_t> count_of(const AdminRequest& request, const char* option) {
  const auto text = request.option(option);
  if (text.empty()) return std::nullopt;
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || value < 0)
    throw node::StartError(fmt::format("--{} '{}' is not a whole number.", option, text));
  return value;
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? "   -  "
                    : fmt::format("{:5.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}
std::string percent(domain::Money part, domain::Money whole) {
  return percent(part.cents(), whole.cents());
}

std::string signed_money(domain::Money amount) {
  return (amount < domain::Money{} ? "" : "+") + format_money(amount);
}

std::string line(const char* what, const std::string& before, const std::string& after, const std::string& change) {
  return fmt::format("{:<26} {:>16} {:>16} {:>16}\n", what, before, after, change);
}
std::string line(const char* what, domain::Money before, domain::Money after) {
  return line(what, format_money(before), format_money(after), signed_money(after - before));
}
std::string line(const char* what, std::int64_t before, std::int64_t after) {
  return line(what, fmt::format("{}", before), fmt::format("{}", after), fmt::format("{:+}", after - before));
}

std::int64_t flagged(const BacktestSide& side) {
  return side.predicted[1][0] + side.predicted[1][1];
}

std::string text_of(const BacktestReport& report) {
  std::string out = fmt::format("{} reviews of {} claims, {} answered by their payers, {} of these denied\n",
                                report.reviews, report.claims, report.answered, report.denied);
  if (report.left_out > 0)
    out += fmt::format("{} records were skipped: their inputs were not stored at the time, or cannot be read\n",
                       report.left_out);
  out += '\n';
  out +=
      fmt::format("{:<26} {:>16} {:>16} {:>16}\n", "decision before \\ after", "approved", "declined", "manual_review");
  for (const auto from : {domain::Decision::approved, domain::Decision::declined, domain::Decision::manual_review}) {
    const auto& row = report.decisions[static_cast<std::size_t>(from)];
    out += fmt::format("{:<26} {:>16} {:>16} {:>16}\n", name_of(from), row[0], row[1], row[2]);
  }
  out += fmt::format("{} reviews with another decision\n\n", report.flips);

  const auto& before = report.before;
  const auto& after = report.after;
  out += line("", "before", "after", "change");
  out += line("advanced", before.advanced, after.advanced);
  out += line("fees", before.fees, after.fees);
  out += line("loss on matured advances", before.lost, after.lost);
  out += line("  matured advances", before.matured, after.matured);
  out +=
      line("  loss per advanced dollar", percent(before.lost, before.matured), percent(after.lost, after.matured), "");
  out += line("denials predicted", flagged(before), flagged(after));
  out += line("  of these denied", percent(before.predicted[1][1], flagged(before)),
              percent(after.predicted[1][1], flagged(after)), "");
  out += line("  of all denials", percent(before.predicted[1][1], report.denied),
              percent(after.predicted[1][1], report.denied), "");
  out += line("refused", before.refused, after.refused);
  out += line("reviews with a rule fault", before.faults, after.faults);

  std::set<std::string> rules;
  for (const auto* side : {&before, &after})
    for (const auto& [rule, record] : side->rules) rules.insert(rule);
  if (!rules.empty())
    out += fmt::format("\n{:<34} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>16}\n", "rule (on answered reviews)", "fired",
                       "after", "right", "after", "found", "after", "charge flagged");
  static const usecases::RuleRecord kSilent;
  for (const auto& rule : rules) {
    const auto was = before.rules.find(rule), is = after.rules.find(rule);
    const auto& old_record = was == before.rules.end() ? kSilent : was->second;
    const auto& new_record = is == after.rules.end() ? kSilent : is->second;
    out += fmt::format("{:<34} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>16}\n", rule, old_record.fired, new_record.fired,
                       percent(old_record.denied, old_record.fired), percent(new_record.denied, new_record.fired),
                       percent(old_record.denied, report.denied), percent(new_record.denied, report.denied),
                       format_money(new_record.charge_flagged));
  }

  if (!report.examples.empty()) out += "\nthe largest changes\n";
  for (const auto& flip : report.examples)
    out +=
        fmt::format("  {:<24} {} ({:.4f}, {}) -> {} ({:.4f}, {}){}\n", flip.claim_identifier, name_of(flip.before),
                    flip.before_bps / 1e4, format_money(flip.advance_before), name_of(flip.after), flip.after_bps / 1e4,
                    format_money(flip.advance_after), flip.answer.empty() ? "" : "; " + flip.answer);
  return out;
}

/// Who bears what payers took back, and the fees, per payer and in all; empty without an event and a fee.
std::string text_of(const usecases::RecourseComparison& comparison) {
  if (comparison.payers.empty()) return {};
  std::string out =
      fmt::format("\nrecourse: {} events, {} with other bearers", comparison.total.events, comparison.changed);
  if (comparison.refused > 0) out += fmt::format(", {} with an answer that is refused", comparison.refused);
  out += '\n';
  const auto add = [&](const std::string& payer, const usecases::RecourseComparison::OfPayer& sums) {
    out += fmt::format("{:<26} {:>16} {:>16} {:>16}\n", payer, "before", "after", "change");
    out += line("  loss of the funder", sums.before.funder_loss, sums.after.funder_loss);
    out += line("  debt of practices", sums.before.practice_debt, sums.after.practice_debt);
    out += line("  paid by reserves", sums.before.reserve_used, sums.after.reserve_used);
    out += line("  paid into reserves", sums.before.reserve_filled, sums.after.reserve_filled);
    out += line("  fees", sums.before.fees, sums.after.fees);
  };
  add("all payers", comparison.total);
  for (const auto& [payer, sums] : comparison.payers) add("payer " + payer, sums);
  return out;
}

/// Files new answers in the learning journal. A running service does so itself; without one, answers since its stop or
/// from commands are still to be filed.
void file_new_answers(AdminContext& context, const AdminRequest& request, const crypto::LastingDigest& digests) {
  const usecases::Learner learner(context.store, digests);
  usecases::LearningJournalOptions options;
  options.settle = std::chrono::milliseconds(
      0);  // recent answers count at once; answers of other nodes that become visible later are filed by the next run
  usecases::KeepLearningJournal keep(context.store, context.clock, learner, options);
  expect(keep([&] { return !request.progress(""); }));
}

AdminReply backtest(AdminContext& context, const AdminRequest& request) {
  const auto max_flips = count_of(request, "max-flips");
  const auto max_loss = money_of(request, "max-extra-loss"), max_drop = money_of(request, "max-advance-drop");
  usecases::BacktestOptions options;
  options.from = day_of(request, "from");
  options.to = day_of(request, "to");
  if (const auto examples = count_of(request, "examples")) options.examples = static_cast<std::size_t>(*examples);

  const auto reason_codes = node::load_reason_codes(context.settings);
  const auto limits = node::rule_options(context.settings, reason_codes);
  const auto folder = request.option("folder").empty() ? context.settings.rules.folder
                                                       : std::filesystem::path(request.option("folder"));
  auto before = ruleset_in_force(context, limits);
  if (!request.option("against").empty())
    before = sound(lua::load_ruleset(std::filesystem::path(request.option("against")), limits), "older");
  auto after = sound(lua::load_ruleset(folder, limits), "candidate");
  std::string head = fmt::format("before {} ({:.12}), after {} ({:.12})\n", before->stamp.version, before->stamp.sha256,
                                 after->stamp.version, after->stamp.sha256);
  lua::Engine engine_before(std::move(before), limits.limits), engine_after(std::move(after), limits.limits);

  const auto tenant = tenant_named(context, request.option("tenant"));
  const crypto::LastingDigest digests(context.keys);
  if (!context.learner) file_new_answers(context, request, digests);
  usecases::BacktestRules run(context.store, reason_codes, node::terms_limits(context.settings),
                              context.settings.environment, digests);
  bool is_wanted = true;
  const auto report = expect(
      run(tenant.id, engine_before, engine_after, now_of(context.clock, tenant.id), options, [&](std::int64_t reviews) {
        is_wanted = request.progress(fmt::format("\r{} reviews", reviews));
        return is_wanted;
      }));
  if (!is_wanted) return {1, "", "Stopped before the end.\n"};

  const auto recourse = expect(usecases::BacktestRecourse(context.store, node::terms_limits(context.settings))(
      tenant.id, engine_before, engine_after, {options.from, options.to}));

  AdminReply reply{0, head + text_of(report) + text_of(recourse), ""};
  const auto refuse = [&](const std::string& why) {
    reply.exit_code = kRegression;
    reply.err += "Regression: " + why + '\n';
  };
  if (max_flips && report.flips > *max_flips)
    refuse(fmt::format("{} reviews changed their decision; --max-flips allows {}.", report.flips, *max_flips));
  if (const auto extra = report.after.lost - report.before.lost; max_loss && extra > *max_loss)
    refuse(
        fmt::format("The loss grows by {}; --max-extra-loss allows {}.", format_money(extra), format_money(*max_loss)));
  if (const auto drop = report.before.advanced - report.after.advanced; max_drop && drop > *max_drop)
    refuse(fmt::format("The advances fall by {}; --max-advance-drop allows {}.", format_money(drop),
                       format_money(*max_drop)));
  return reply;
}

}  // namespace

std::vector<AdminVerb> rule_backtest_verbs() {
  using Kind = AdminOption::Kind;
  return {taking_long({"backtest",
                       "Apply a rule folder to recorded claims and events and compare decisions and money",
                       {{"--folder", "Folder of the candidate rules (default: the configured folder)", "", Kind::path},
                        {"--against", "Compare with this folder instead of the live rules", "", Kind::path},
                        {"--tenant", "Tenant by name (default: `default`, else the only tenant)"},
                        {"--from", "First day of the reviews"},
                        {"--to", "Last day of the reviews"},
                        {"--examples", "Number of changed claims to show", "10"},
                        {"--max-flips", "Exit with 3 when more reviews change their decision"},
                        {"--max-extra-loss", "Exit with 3 when the loss grows by more than this amount"},
                        {"--max-advance-drop", "Exit with 3 when the advances fall by more than this amount"}},
                       backtest})};
}

}  // namespace tideover::admin
