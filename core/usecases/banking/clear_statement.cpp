#include "core/usecases/banking/clear_statement.hpp"

#include "core/usecases/ledger/post_entry.hpp"

#include "core/domain/reconciliation/ledger.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/matching/find_proposals.hpp"

namespace tideover::usecases {
namespace {

using domain::BankExceptionKind;
using domain::BankLine;
using domain::ClearingCandidate;
using domain::Deposit;
using domain::FoundCandidate;
using domain::MatchState;

bool is_in_ledger(const Deposit& deposit) {
  return deposit.status != MatchState::suspected_duplicate && deposit.status != MatchState::duplicate;
}

FoundCandidate candidate_of(const UnitOfWork& unit, const Deposit& deposit) {
  const bool settled = unit.records.bank_statements().is_on_statement(unit.tenant, deposit.id, false);
  return {{ClearingCandidate::Kind::deposit, deposit.id.text(), deposit.amount, settled}, true};
}

/// Deposits that reported the money of a held one before.
std::vector<FoundCandidate> twins_in_ledger(const UnitOfWork& unit, const Deposit& held) {
  std::vector<FoundCandidate> found;
  for (const auto& twin : twins_of(unit.records, unit.tenant, held))
    if (is_in_ledger(twin)) found.push_back(candidate_of(unit, twin));
  return found;
}

std::vector<FoundCandidate> search_records(const UnitOfWork& unit, const BankLine& line) {
  const auto& records = unit.records.bank_statements();
  const auto days = domain::clearing_window(line.date);
  std::vector<FoundCandidate> found;
  for (const auto& key : domain::search_keys(line)) {
    for (auto& one : records.deposits_traced(unit.tenant, key.text, line.is_debit, days))
      found.push_back({std::move(one), key.is_reference});
    for (auto& one : records.payments_referenced(unit.tenant, key.text, line.is_debit, days))
      found.push_back({std::move(one), key.is_reference});
  }
  return found;
}

/// A credit that reported a deposit is about that deposit, or about the one that reported the same money before.
void settle_own(const UnitOfWork& unit, BankLine& line, const Deposit& own) {
  if (is_in_ledger(own)) return settle_line(line, {candidate_of(unit, own)});
  settle_line(line, twins_in_ledger(unit, own));
  if (line.finding == BankExceptionKind::credit_without_deposit && own.status == MatchState::suspected_duplicate)
    line.finding = BankExceptionKind::credit_held;
}

void book_cash(const UnitOfWork& unit, const BankLine& line) {
  const auto cash = std::string(domain::account::kFundingCash);
  const auto clearing = std::string(domain::account::kDepositClearing);
  auto entry = domain::LedgerTransaction::of(
      unit.ids.next<domain::LedgerTransactionId>(),
      {line.is_debit ? "bank_statement_return" : "bank_statement", line.deposit->text()}, unit.now, line.date);
  entry.debit(line.is_debit ? clearing : cash, line.amount);
  entry.credit(line.is_debit ? cash : clearing, line.amount);
  post_entry(unit, std::move(entry));
}

}  // namespace

int clear_lines(const UnitOfWork& unit, const domain::BankStatementId& statement, int after) {
  const auto open = unit.records.bank_statements().lines_with_finding(unit.tenant, statement, after, kLinesPerUnit);
  for (auto line : open) {
    const auto before = line.finding;
    const auto own = line.origin ? unit.records.deposits().find(unit.tenant, *line.origin) : std::nullopt;
    if (own && !line.is_debit)
      settle_own(unit, line, *own);
    else
      settle_line(line, search_records(unit, line));
    if (line.finding == before) continue;
    unit.records.bank_statements().settle(unit.tenant, statement, line);
    if (line.deposit) book_cash(unit, line);
    faults::crash_point("bank_line.settled");
  }
  return open.size() < kLinesPerUnit ? 0 : open.back().number;
}

}  // namespace tideover::usecases
