// tideover ledger verify|balances|statement|aging
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/commands/verification_text.hpp"
#include "core/admin/tenant_named.hpp"
#include "core/http/wire/ledger/statement_json.hpp"
#include "core/journal/file_journal.hpp"
#include "core/node/start.hpp"
#include "core/ports/clock.hpp"
#include "core/settings/settings.hpp"
#include "core/store/integrity/checkpoint_file.hpp"
#include "core/usecases/audit/verify_ledger.hpp"
#include "core/usecases/reconciliation/read_ledger.hpp"

namespace tideover::admin {
namespace {

/// The rail journal of the running service, or its file; none when there is no file.
std::optional<usecases::OwnWitness> own_witness(AdminContext& context) {
  using Journal = std::shared_ptr<const ports::RailJournal>;
  usecases::OwnWitness witness{nullptr, context.clock, node::sender_name(context.settings)};
  if (context.journal) {
    witness.look = [&context] { return domain::Result<Journal>(Journal(Journal(), context.journal)); };
  } else if (std::filesystem::exists(context.settings.funding.journal_path)) {
    witness.look = [&context]() -> domain::Result<Journal> {
      auto looked = journal::FileJournal::look_at(context.settings.funding.journal_path, context.clock);
      if (!looked) return looked.error();
      return Journal(std::move(*looked));
    };
  } else {
    return std::nullopt;
  }
  return witness;
}

AdminReply verify(AdminContext& context, const AdminRequest& request) {
  const auto checkpoints = node::open_checkpoints(context.settings, context.keys);
  auto witness = own_witness(context);
  const bool has_journal = witness.has_value();
  auto reply =
      reply_of("ledger", usecases::VerifyLedger(context.store, *checkpoints, std::move(witness))(request.progress),
               context.clock.now());
  if (!has_journal)
    reply.err += "Rail journal " + context.settings.funding.journal_path.string() +
                 " not found: payments were not compared with it.\n";
  return reply;
}

AdminReply balances(AdminContext& context, const AdminRequest& request) {
  constexpr std::size_t kPage = 500;
  const usecases::ReadLedger ledger(context.store);
  const auto tenant = tenant_named(context, request.option("tenant")).id;
  AdminReply reply;
  domain::Money posted, pending;
  std::string last;
  for (bool more = true; more;) {
    const auto page = ledger.balances(tenant, {last, kPage});
    if (!page) throw node::StartError(page.error().message);
    for (const auto& balance : *page) {
      reply.out += fmt::format("{:<52} {:>16} {:>16}\n", balance.account, format_money(balance.posted),
                               format_money(balance.pending));
      posted += balance.posted;
      pending += balance.pending;
      last = balance.account;
    }
    more = page->size() == kPage;
  }
  reply.out = fmt::format("{:<52} {:>16} {:>16}\n", "account", "posted", "pending") + reply.out +
              fmt::format("{:<52} {:>16} {:>16}\n", "sum", format_money(posted), format_money(pending));
  return reply;
}

AdminReply statement(AdminContext& context, const AdminRequest& request) {
  const auto from = domain::parse_date(request.option("from")), to = domain::parse_date(request.option("to"));
  if (!from || !to) throw node::StartError("--from and --to are required: valid dates, YYYY-MM-DD.");
  const auto made =
      usecases::ReadLedger(context.store).statement(tenant_named(context, request.option("tenant")).id, *from, *to);
  if (!made) throw node::StartError(made.error().message);
  return {0, wire::encode_statement_csv(*made), ""};
}

AdminReply aging(AdminContext& context, const AdminRequest& request) {
  const auto tenant = tenant_named(context, request.option("tenant")).id;
  const auto made = usecases::ReadLedger(context.store).aging(tenant, now_of(context.clock, tenant).utc_date());
  if (!made) throw node::StartError(made.error().message);
  AdminReply reply;
  const auto line = [&](std::string_view name, auto text_of) {
    reply.out += fmt::format("{:<28}", name);
    for (std::size_t i = 0; i < domain::kAgingNames.size(); ++i) reply.out += fmt::format(" {:>14}", text_of(i));
  };
  line("days past the expected date", [](std::size_t i) { return domain::kAgingNames[i]; });
  reply.out += fmt::format(" {:>14}\n", "total");
  const auto ages = [&](std::string_view name, const domain::PayerAging& payer) {
    line(name, [&](std::size_t i) { return format_money(payer.buckets[i].amount); });
    reply.out += fmt::format(" {:>14}\n", format_money(payer.total.amount));
  };
  for (const auto& payer : made->payers) ages(payer.payer_id, payer);
  ages("all payers", made->whole);
  reply.out += fmt::format("{:<28} {:>14}\n", "purchased_receivable", format_money(made->ledger_balance));
  if (made->whole.total.amount != made->ledger_balance) {
    reply.exit_code = 1;
    reply.err = "Open receivables and the ledger differ. Run `tideover ledger verify` to find the difference.\n";
  }
  return reply;
}

}  // namespace

std::vector<AdminVerb> ledger_verbs() {
  const AdminOption tenant{"--tenant", "Tenant by name (default: `default`, else the only tenant)"};
  return {
      taking_long(
          {"verify",
           "Verify the hash chains, every balance, and the consistency of ledger, payments, events, audit trail "
           "and rail journal",
           {},
           verify}),
      taking_long({"balances", "Print the trial balance: every account, posted and pending", {tenant}, balances}),
      taking_long({"aging",
                   "Print open receivables by payer and days past the expected date, and their balance in the ledger",
                   {tenant},
                   aging}),
      taking_long({"statement",
                   "Print opening balance, movements by cause and closing balance of each account, as CSV",
                   {tenant, {"--from", "First day, YYYY-MM-DD (UTC)"}, {"--to", "Last day, YYYY-MM-DD (UTC)"}},
                   statement}),
  };
}

}  // namespace tideover::admin
