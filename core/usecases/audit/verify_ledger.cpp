#include "core/usecases/audit/verify_ledger.hpp"

#include "core/domain/claims/claim_status.hpp"
#include "core/usecases/audit/walk_chains.hpp"
#include "core/usecases/nodes/own_journal.hpp"

namespace tideover::usecases {
namespace {

constexpr std::size_t kMostOffenders = 5;

/// Empty when the transaction is sound.
std::string_view fault_of(const std::vector<domain::LedgerEntry>& entries) {
  domain::LedgerTransaction transaction;
  transaction.entries = entries;
  if (transaction.balanced()) return "";
  return entries.empty() ? "has no entries" : "does not balance";
}

/// The reason why a claim cannot have made this move; empty when it can.
std::string fault_of(const ports::StoredMove& move) {
  const auto from = domain::claim_status_named(move.from);
  const auto to = domain::claim_status_named(move.to);
  const auto source = domain::status_source_named(move.source);
  if (from && to && source && may_move(*from, *to, *source)) return "";
  return "a claim went from " + move.from + " to " + move.to + " by " + move.source;
}

}  // namespace

domain::Result<Verification> VerifyLedger::operator()(const VerificationProgress& progress) const {
  Verification found;
  const auto walked = walk_chains(
      store_, checkpoints_, kLedgerTable, [](const ports::Records& records) -> auto& { return records.ledger(); },
      found, progress,
      [&](const std::string& chain, const ports::LedgerLink& link) {
        if (const auto fault = fault_of(link.entries); !fault.empty())
          found.add(row_name(kLedgerTable, chain, link), std::string(fault));
      });
  if (!walked) return walked.error();
  if (const auto checked = check_rules(found, progress); !checked) return checked.error();
  if (const auto checked = check_closings(found, progress); !checked) return checked.error();
  if (const auto checked = check_witness(found, progress); !checked) return checked.error();
  return found;
}

domain::Status VerifyLedger::check_closings(Verification& found, const VerificationProgress& progress) const {
  constexpr std::string_view kRule = "a closed period has the digest of its closing balances";
  if (!progress(kRule)) return verification_stopped();
  ++found.rules;
  const auto periods = fetch(store_, [](const ports::Records& records) { return records.ledger().all_periods(); });
  if (!periods) return periods.error();
  for (const auto& [tenant, period] : *periods) {
    // In one snapshot: the period may be reopened, or closed again, meanwhile.
    const auto holds = fetch(store_, [&, &of = tenant, month = period.month](const ports::Records& records) {
      for (const auto& now : records.ledger().periods(of))
        if (now.month == month) return records.ledger().digest_of_closing(of, month) == now.balances_sha256;
      return true;
    });
    if (!holds) return holds.error();
    if (!*holds) found.add(std::string(kRule), "violated by " + period.month.text() + " of " + tenant.text());
  }
  return {};
}

domain::Status VerifyLedger::check_witness(Verification& found, const VerificationProgress& progress) const {
  constexpr std::size_t kPage = 1000;
  constexpr std::string_view kRule = "a payment that this node sent is in its rail journal";
  if (!witness_) return {};
  if (!progress(kRule)) return verification_stopped();
  ++found.rules;
  const auto now = witness_->clock.now();
  // The journal has the real time: it is not compared with payments of a tenant whose clock was moved.
  const auto shifts = fetch_one(store_, [](const ports::Records& records) { return records.clients().clock_shifts(); });
  if (!shifts) return shifts.error();
  const auto is_moved = [&](const domain::TenantId& tenant) {
    const auto shift = shifts->find(tenant.text());
    return shift != shifts->end() && shift->second != 0;
  };
  for (std::string after;;) {
    const auto page = fetch(store_, [&](const ports::Records& records) {
      const auto from = now.plus_days(-kJournalKeeps_days), to = now.plus_days(1);
      return records.settlements().attempts_between(from, to, after, kPage);
    });
    if (!page) return page.error();
    const auto journal = witness_->look();  // after the database: its payments must be in the journal
    if (!journal) return journal.error();
    for (const auto& [tenant, attempt] : *page)
      if (!is_moved(tenant) && lacks_witness(attempt, **journal, witness_->node, now))
        found.add(std::string(kRule), "violated by " + attempt.id.text());
    if (page->size() < kPage) return {};
    after = page->back().second.id.text();
  }
}

domain::Status VerifyLedger::check_rules(Verification& found, const VerificationProgress& progress) const {
  std::vector<std::string_view> rules;
  std::vector<ports::StoredMove> moves;
  const auto read = store_.read([&](const ports::Records& records) {
    rules = records.invariants().rules();
    moves = records.invariants().claim_moves();
  });
  if (!read) return read;
  for (const auto& move : moves)
    if (auto fault = fault_of(move); !fault.empty()) found.add("claims move along their graph only", std::move(fault));
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    if (!progress(rules[rule])) return verification_stopped();
    const auto offenders = fetch(
        store_, [&](const ports::Records& records) { return records.invariants().offenders(rule, kMostOffenders); });
    if (!offenders) return offenders.error();
    for (const auto& offender : *offenders) found.add(std::string(rules[rule]), "violated by " + offender);
  }
  found.rules = static_cast<std::int64_t>(rules.size()) + 1;
  return {};
}

}  // namespace tideover::usecases
