#include "transaction.hpp"

#include <algorithm>
#include <array>

#include "bank_text/trn.hpp"
#include "bank_text/values.hpp"

namespace bai2 {
namespace {

using bank_text::printable;
using bank_text::trim;

constexpr int kFirstCredit = 100, kLastCredit = 399, kFirstDebit = 400, kLastDebit = 699;
/// Lines that only itemize a deposit that has its own line: lockbox, DTC, ACH.
constexpr std::array<int, 3> kItemsOfDeposits{116, 136, 143};
/// The same of an ACH disbursement.
constexpr int kItemOfDisbursement = 452;
constexpr std::size_t kLongestKeptText = 2000;
constexpr std::size_t kLongestReferencePart = 200;

/// Labels of values in the text of an ACH credit, as banks write them.
constexpr std::array<std::string_view, 18> kLabels{
    "ORIG CO NAME:",   "ORIG CO ID:", "ORIG ID:",        "COMPANY NAME:", "COMPANY ID:",   "CO NAME:",
    "CO ID:",          "DESC DATE:",  "CO ENTRY DESCR:", "SEC:",          "TRACE#:",       "EED:",
    "EFFECTIVE DATE:", "IND ID:",     "IND NAME:",       "ADDENDA:",      "ADDENDA INFO:", "TRN:"};

/// The text after the label up to the next label, two blanks or the end of the line; empty when no line has the label.
std::string labelled(const std::vector<std::string_view>& lines, std::initializer_list<std::string_view> labels) {
  for (const auto line : lines)
    for (const auto label : labels) {
      const auto at = line.find(label);
      if (at == std::string_view::npos) continue;
      auto value = line.substr(at + label.size());
      while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
      auto end = std::min(value.find("  "), value.size());
      for (const auto other : kLabels) end = std::min(end, value.find(other));
      return printable(trim(value.substr(0, end)));
    }
  return {};
}

std::string joined(const std::vector<std::string_view>& lines, std::string_view between) {
  std::string text;
  for (const auto line : lines) {
    if (text.size() > kLongestKeptText) break;
    if (!text.empty()) text += between;
    text += printable(trim(line));
  }
  return text.substr(0, kLongestKeptText);
}

/// Why this is not a payment of a payer; empty when it is.
std::string reason_to_ignore(int type, std::int64_t amount, bool has_trace, const std::vector<int>& type_codes) {
  const auto code = "type code " + std::to_string(type);
  if (type < kFirstCredit || type > kLastCredit) return code + " is not a credit";
  if (amount == 0) return "its amount is zero";
  if (std::find(kItemsOfDeposits.begin(), kItemsOfDeposits.end(), type) != kItemsOfDeposits.end())
    return code + " itemizes a deposit that has its own line";
  if (!has_trace && std::find(type_codes.begin(), type_codes.end(), type) == type_codes.end())
    return code + " is not a payment of a payer: it has no trace (TRN) and is not in the setting `type_codes`";
  return {};
}

/// A movement that the ledger balances contain. A negative amount is a movement to the other side.
void give_entry(const Record& record, const Surroundings& where, int type, std::int64_t amount,
                const std::vector<std::string>& references, const std::string& text, tideover::sdk::DepositSink& sink) {
  const bool is_item = type == kItemOfDisbursement ||
                       std::find(kItemsOfDeposits.begin(), kItemsOfDeposits.end(), type) != kItemsOfDeposits.end();
  if (!where.has_statement || is_item || amount == 0 || type < kFirstCredit || type > kLastDebit) return;
  std::vector<std::string> known;
  for (const auto& reference : references)
    if (!reference.empty() && std::find(known.begin(), known.end(), reference) == known.end())
      known.push_back(reference.substr(0, kLongestReferencePart));
  const tideover::sdk::LentList lent(known);
  const auto code = std::to_string(type);
  tideover_bank_entry entry{};
  entry.size = sizeof entry;
  entry.is_debit = (type >= kFirstDebit) != (amount < 0) ? 1 : 0;
  entry.line = record.line;
  entry.amount = amount < 0 ? -amount : amount;
  entry.date = bank_text::parse_short_date(where.as_of_date).value_or(tideover_date{});
  entry.references = lent.list();
  entry.type_code = tideover::sdk::lend(code);
  entry.text = tideover::sdk::lend(text);
  sink.entry(entry);
}

}  // namespace

std::int64_t take_transaction(const Record& record, const Surroundings& where, const std::vector<int>& type_codes,
                              tideover::sdk::DepositSink& sink) {
  FieldCursor fields(record);
  const auto type = bank_text::parse_digits(fields.next());
  if (!type || *type < 1 || *type > 999)
    throw bank_text::fault_at(record.line, "the type code is not a number of three digits");
  const auto amount = amount_in(record, fields.next());
  const auto availability = take_availability(record, fields);
  const auto bank_reference = printable(fields.next()), customer_reference = printable(fields.next());
  const auto text = fields.rest();
  const auto trn = bank_text::find_trn(text);
  const auto addenda = joined(text, " ");
  give_entry(record, where, static_cast<int>(*type), amount,
             {trn ? trn->trace_number : "", customer_reference, bank_reference, labelled(text, {"TRACE#:"})}, addenda,
             sink);

  if (where.group_status == "4") {
    sink.ignored(record.line, "the group is a test (02 status 4)");
    return amount;
  }
  if (const auto reason = reason_to_ignore(static_cast<int>(*type), amount, trn.has_value(), type_codes);
      !reason.empty()) {
    sink.ignored(record.line, reason);
    return amount;
  }
  if (amount < 0) {
    sink.refused(record.line,
                 "A credit with a negative amount: the bank has taken money back. Ask the bank for the reason.");
    return amount;
  }
  if (where.group_status == "2") {
    sink.refused(record.line, "The bank deletes this transaction (02 status 2). If its deposit was posted, check it.");
    return amount;
  }
  if (trn && !trn->ended)
    sink.warning(record.line, "the TRN segment in the text has no end (~); its trace number may be truncated");

  const auto company_id = labelled(text, {"ORIG ID:", "ORIG CO ID:", "COMPANY ID:", "CO ID:"});
  const auto company_name = labelled(text, {"ORIG CO NAME:", "COMPANY NAME:", "CO NAME:"});
  const auto ids = bank_text::payer_ids_of(trn, company_id);
  const auto effective = availability.value_date
                             ? availability.value_date
                             : bank_text::parse_short_date(labelled(text, {"EED:", "EFFECTIVE DATE:"}));
  const auto received = bank_text::parse_short_date(where.as_of_date);
  const auto originator = trn && !trn->originator.empty() ? trn->originator : company_id;
  std::string reference;
  for (const auto& part : {where.bank, where.account, where.as_of_date, std::to_string(*type), std::to_string(amount),
                           bank_reference, customer_reference})
    reference += part.substr(0, kLongestReferencePart) + "|";
  reference += joined(text, "");

  tideover_deposit deposit{};
  deposit.size = sizeof deposit;
  deposit.line = record.line;
  deposit.reference = tideover::sdk::lend(reference);
  deposit.amount = amount;
  deposit.currency = tideover::sdk::lend(where.currency);
  deposit.received_date = received.value_or(tideover_date{});
  deposit.effective_date = effective.value_or(tideover_date{});
  if (trn) deposit.trace_number = tideover::sdk::lend(trn->trace_number);
  deposit.originator = tideover::sdk::lend(originator);
  const tideover::sdk::LentList lent_ids(ids);
  deposit.payer_ids = lent_ids.list();
  deposit.payer_name = tideover::sdk::lend(company_name);
  deposit.addenda = tideover::sdk::lend(addenda);
  sink.deposit(deposit);
  return amount;
}

}  // namespace bai2
