// tideover rails list|reconcile: the configured rails, and the comparison of their statements with the service.
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/clock/new_york_time.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/journal/file_journal.hpp"
#include "core/node/start.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/ports/clock.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"

namespace tideover::admin {
namespace {

/// The exit code when an operator must check differences.
constexpr int kDifferences = 3;

/// The rails, without a service, for one command.
struct OwnRails {
  explicit OwnRails(AdminContext& given) : context(given) {}
  AdminContext& context;
  clock::NewYorkTime bank_time;
  std::unique_ptr<plugin_host::PluginHost> plugins =
      node::load_plugins(context.settings, {context.clock, bank_time, {}, {}});
};

/// A payment that returned may post payments that waited for it.
usecases::DisburseOptions posting_by(ports::RulePolicy& rules) {
  usecases::DisburseOptions options;
  options.rules = &rules;
  return options;
}

/// Further parts for the comparison, where no service runs on this node. One process at a time may open the journal.
struct OwnReconciler {
  explicit OwnReconciler(AdminContext& given) : rails(given) {}
  OwnRails rails;
  std::unique_ptr<journal::FileJournal> journal = node::open_journal(rails.context.settings, rails.context.clock);
  crypto::LastingDigest digests{rails.context.keys};
  std::shared_ptr<ports::RulePolicy> rules = rules_in_force(rails.context);
  usecases::Disburse disburse{rails.context.store, rails.plugins->rails(), *journal,
                              rails.context.clock, rails.context.ids,      digests,
                              posting_by(*rules)};
  usecases::ReconcileRails reconcile{rails.context.store,
                                     disburse,
                                     rails.plugins->rails(),
                                     *journal,
                                     rails.context.clock,
                                     rails.context.ids,
                                     node::reconcile_options(rails.context.settings)};
};

std::string_view name_of(ports::RailRecall recall) {
  switch (recall) {
    case ports::RailRecall::dedup:
      return "dedup";
    case ports::RailRecall::fence:
      return "fence";
    case ports::RailRecall::query:
      return "query";
    case ports::RailRecall::blind:
      return "blind";
  }
  return "";
}

AdminReply list(AdminContext& context, const AdminRequest&) {
  std::optional<OwnRails> own;
  if (!context.rails) own.emplace(context);
  AdminReply reply;
  for (const auto* rail : (context.rails ? *context.rails : own->plugins->rails()).all()) {
    const auto& about = rail->describe();
    reply.out += fmt::format(
        "{:<12}  {:<11}  recall={}  final_on_accept={}  statement={}  simulated={}  max_latency_s={}  max_amount={}  "
        "plugin={} {}\n",
        about.rail, about.status, name_of(about.recall), about.final_on_accept ? "yes" : "no",
        about.has_statement ? "yes" : "no", about.simulated ? "yes" : "no", about.max_latency_s,
        format_money(about.max_amount), about.plugin_name, about.plugin_version);
  }
  if (reply.out.empty()) reply.out = "No funding rail is configured.\n";
  return reply;
}

/// A date, which means midnight UTC, or an instant.
domain::Timestamp instant_of(const std::string& option, const std::string& text, domain::Timestamp otherwise) {
  if (text.empty()) return otherwise;
  if (const auto at = domain::parse_timestamp(text)) return *at;
  if (const auto date = domain::parse_date(text))
    return domain::Timestamp::from_ms(date->days() * std::int64_t{86'400'000});
  throw node::StartError("--" + option +
                         " is not valid. Use a date (2026-11-20) or an instant (2026-11-20T14:00:00Z).");
}

AdminReply reconcile(AdminContext& context, const AdminRequest& request) {
  const auto to = instant_of("to", request.option("to"), context.clock.now());
  const auto from = instant_of("from", request.option("from"), to.plus_days(-node::kReconcileDays));
  if (to <= from) throw node::StartError("--from must be before --to.");
  std::optional<OwnReconciler> own;
  if (!context.reconcile_rails) own.emplace(context);
  const auto report = (context.reconcile_rails ? *context.reconcile_rails : own->reconcile)(from, to);
  if (!report) throw node::StartError(report.error().message);

  AdminReply reply;
  reply.out = fmt::format("{} to {}: {} attempts, {} journal entries, {} statement lines\n", format_timestamp(from),
                          format_timestamp(to), report->attempts, report->journal_entries, report->statement_lines);
  for (const auto& rail : report->without_statement)
    reply.out += fmt::format("{:<12}  has no statement: compared with the journal only\n", rail);
  for (const auto& problem : report->unreadable) reply.err += "tideover: cannot read the statement: " + problem + '\n';
  const auto amount = [](const std::optional<domain::Money>& money) {
    return money ? format_money(*money) : std::string("-");
  };
  if (!report->findings.empty())
    reply.out += fmt::format("{:<12}  {:<20}  {:<30}  {:>12}  {:>12}  {:<9}  {}\n", "RAIL", "DISAGREEMENT",
                             "SETTLEMENT", "BOOKED", "AT THE RAIL", "NOW", "REFERENCE");
  for (const auto& finding : report->findings)
    reply.out += fmt::format("{:<12}  {:<20}  {:<30}  {:>12}  {:>12}  {:<9}  {}\n", finding.rail, name_of(finding.what),
                             finding.subject.empty() ? "-" : finding.subject, amount(finding.booked),
                             amount(finding.paid), finding.adopted ? "adopted" : "a task", finding.reference);
  reply.out += report->agrees() ? "The records agree.\n" : "The records differ. Check the differences.\n";
  reply.exit_code = report->agrees() ? 0 : kDifferences;
  return reply;
}

AdminVerb with_journal(AdminVerb verb) {
  verb.uses_journal = true;
  return verb;
}

}  // namespace

std::vector<AdminVerb> rails_verbs() {
  return {{"list", "List the rails and their capabilities", {}, list},
          with_journal(
              taking_long({"reconcile",
                           "Compare database, rail journal and rail statements; adopts clear results, exits with 3 "
                           "when an operator must check differences",
                           {{"--from", "Start, a day or instant in UTC (default: a week before --to)"},
                            {"--to", "End, exclusive (default: now)"}},
                           reconcile}))};
}

}  // namespace tideover::admin
