#include "core/http/wire/ledger/export_tables.hpp"

#include <algorithm>

#include "core/usecases/ledger/export_ledger.hpp"

namespace tideover::wire {
namespace {

using domain::Money;

Cell text_or_none(std::string text) {
  return text.empty() ? Cell() : Cell(std::move(text));
}

template <class Id>
Cell id_or_none(const std::optional<Id>& id) {
  return id ? Cell(id->text()) : Cell();
}

Cell day_or_none(const std::optional<domain::Date>& day) {
  return day ? Cell(format_date(*day)) : Cell();
}

/// The rows that a page shows of those that were read.
template <class Item>
std::size_t shown_of(const std::vector<Item>& items, std::size_t limit) {
  return std::min(items.size(), limit);
}

std::vector<Cell> movement_row(const domain::PayeeMovement& movement) {
  return {"movement",
          format_date(movement.effective_on),
          day_or_none(movement.occurred_on),
          movement.cause_kind,
          movement.cause_id,
          id_or_none(movement.settlement),
          movement.transaction.text(),
          text_or_none(movement.payer_id),
          movement.amount};
}

}  // namespace

Table journal_table(const std::vector<domain::LedgerTransaction>& transactions, std::size_t limit,
                    const domain::AccountMap& accounts) {
  Table table{{"effective_on", "occurred_on", "posted_at", "transaction_id", "cause_kind", "cause_id", "settlement_id",
               "account", "account_code", "account_name", "debit", "credit", "payer_id", "payee_npi"},
              {}};
  const auto shown = shown_of(transactions, limit);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& transaction = transactions[i];
    for (const auto& entry : transaction.entries) {
      const auto general = accounts.of(entry.account);
      const bool is_debit = entry.amount > Money{};
      table.rows.push_back({format_date(transaction.effective_on), day_or_none(transaction.occurred_on),
                            format_timestamp(transaction.at), transaction.id.text(), transaction.cause_kind,
                            transaction.cause_id, id_or_none(transaction.settlement), entry.account,
                            text_or_none(general.code), text_or_none(general.name),
                            is_debit ? Cell(entry.amount) : Cell(), is_debit ? Cell() : Cell(-entry.amount),
                            text_or_none(entry.party.payer_id), text_or_none(entry.party.payee_npi)});
    }
  }
  if (transactions.size() > limit)
    table.next_cursor =
        usecases::ExportLedger::cursor_of(transactions[shown - 1].effective_on, transactions[shown - 1].id);
  return table;
}

Table balances_table(const std::vector<domain::AccountBalance>& balances, std::size_t limit,
                     const domain::AccountMap& accounts) {
  Table table{{"account", "account_code", "account_name", "posted", "pending"}, {}};
  const auto shown = shown_of(balances, limit);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto general = accounts.of(balances[i].account);
    table.rows.push_back({balances[i].account, text_or_none(general.code), text_or_none(general.name),
                          balances[i].posted, balances[i].pending});
  }
  if (balances.size() > limit) table.next_cursor = balances[shown - 1].account;
  return table;
}

Table aging_table(const std::vector<domain::PayerOutstanding>& payers) {
  Table table{{"payer_id", "count"}, {}};
  for (const auto name : domain::kOutstandingNames) table.columns.push_back(name);
  table.columns.emplace_back("total");
  domain::PayerOutstanding whole{"total"};
  const auto add = [&](const domain::PayerOutstanding& payer) {
    std::vector<Cell> row{payer.payer_id, std::int64_t{payer.total.count}};
    for (const auto& bucket : payer.buckets) row.emplace_back(bucket.amount);
    row.emplace_back(payer.total.amount);
    table.rows.push_back(std::move(row));
  };
  for (const auto& payer : payers) {
    add(payer);
    for (std::size_t i = 0; i < whole.buckets.size(); ++i) whole.buckets[i].amount += payer.buckets[i].amount;
    whole.total.count += payer.total.count;
    whole.total.amount += payer.total.amount;
  }
  add(whole);
  return table;
}

Table statement_table(const domain::PayeeStatement& statement, std::size_t limit) {
  Table table{{"line", "effective_on", "occurred_on", "reason", "reference", "settlement_id", "transaction_id",
               "payer_id", "amount"},
              {}};
  const auto& movements = statement.movements;
  const auto shown = shown_of(movements, limit);
  for (std::size_t i = 0; i < shown; ++i) table.rows.push_back(movement_row(movements[i]));
  if (movements.size() > limit)
    table.next_cursor =
        usecases::ExportLedger::cursor_of(movements[shown - 1].effective_on, movements[shown - 1].transaction);
  return table;
}

Table statement_lines(const domain::PayeeStatement& statement, std::size_t limit, bool is_first) {
  auto table = statement_table(statement, limit);
  const auto sum = [](const char* line, domain::Date day, Money amount) {
    return std::vector<Cell>{line, format_date(day), {}, {}, {}, {}, {}, {}, amount};
  };
  if (is_first) table.rows.insert(table.rows.begin(), sum("opening", statement.from, statement.opening));
  if (table.next_cursor.empty()) table.rows.push_back(sum("closing", statement.to, statement.closing));
  return table;
}

}  // namespace tideover::wire
