#include "movements.hpp"

#include <algorithm>
#include <optional>

#include "bank_text/lines.hpp"
#include "bank_text/trn.hpp"
#include "bank_text/values.hpp"
#include "tideover/money.hpp"
#include "values.hpp"

namespace camt053 {
namespace {

namespace sdk = tideover::sdk;
using bank_text::fault_at;
using bank_text::printable;

constexpr std::size_t kLongestText = 2000;
constexpr std::size_t kLongestReference = 200;
constexpr std::size_t kLongestTypeCode = 60;
constexpr std::string_view kNoReference = "NOTPROVIDED";
/// Credits of these sub-families bring back money that was sent.
constexpr std::string_view kReturns[] = {"RRTN", "ARET", "RPCR", "RVSL"};

std::int64_t amount_of(const Entry& entry, const std::string& text) {
  if (const auto amount = parse_amount(text)) return *amount;
  throw fault_at(entry.line, "an amount of the entry is not a decimal number with at most two decimals");
}

bool is_debit_side(const Entry& entry, const std::string& direction) {
  if (direction == "DBIT") return true;
  if (direction == "CRDT") return false;
  throw fault_at(entry.line, "the entry is neither a credit nor a debit (CdtDbtInd CRDT or DBIT)");
}

/// One movement, and what is said about it.
struct Movement {
  const Entry& entry;
  const Detail& detail;
  bool is_debit = false;
  std::int64_t amount = 0;
  std::string domain, family, sub_family;
  std::optional<bank_text::Trn> trn{};

  Movement(const Entry& of, const Detail& given, bool debit, std::int64_t cents)
      : entry(of), detail(given), is_debit(debit), amount(cents) {
    const bool own = !given.family.empty();
    domain = printable(own ? given.domain : of.domain);
    family = printable(own ? given.family : of.family);
    sub_family = printable(own ? given.sub_family : of.sub_family);
    std::vector<std::string_view> lines(given.remittance.begin(), given.remittance.end());
    lines.emplace_back(given.more);
    trn = bank_text::find_trn(lines);
  }

  std::string code() const {
    if (family.empty()) return printable(entry.proprietary).substr(0, kLongestTypeCode);
    return (domain + '-' + family + (sub_family.empty() ? "" : '-' + sub_family)).substr(0, kLongestTypeCode);
  }

  std::vector<std::string> references() const {
    std::vector<std::string> known;
    for (const auto& reference :
         {trn ? trn->trace_number : std::string(), detail.end_to_end_id, detail.instruction_id, detail.transaction_id,
          detail.servicer_reference, entry.servicer_reference, entry.reference}) {
      auto text = printable(clean(reference)).substr(0, kLongestReference);
      if (!text.empty() && text != kNoReference && std::find(known.begin(), known.end(), text) == known.end())
        known.push_back(std::move(text));
    }
    return known;
  }

  std::string text() const {
    std::string all;
    for (const auto& part : detail.remittance) all += (all.empty() ? "" : " ") + clean(part);
    for (const auto& part : {detail.more, entry.more})
      if (!part.empty()) all += (all.empty() ? "" : " ") + clean(part);
    return shortened(std::move(all), kLongestText);
  }
};

/// Why this is not a payment of a payer; empty when it is.
std::string reason_to_ignore(const Movement& movement, const std::set<std::string>& transaction_codes) {
  if (movement.is_debit) return "it is a debit";
  if (movement.amount == 0) return "its amount is zero";
  if (movement.entry.reversal == "true" || movement.entry.reversal == "1") return "it reverses an earlier debit";
  if (movement.trn) return {};
  if (std::find(std::begin(kReturns), std::end(kReturns), movement.sub_family) != std::end(kReturns))
    return "it brings back a payment";
  if (transaction_codes.count(movement.domain + '-' + movement.family) == 0)
    return "it is not a payment of a payer: it has no trace (TRN) and its code is not in the setting "
           "`transaction_codes`";
  return {};
}

void give_entry(const Movement& movement, const Account& account, sdk::DepositSink& sink) {
  if (!account.has_statement || movement.amount == 0) return;
  const auto references = movement.references();
  const auto code = movement.code(), text = movement.text();
  const sdk::LentList lent(references);
  tideover_bank_entry entry{};
  entry.size = sizeof entry;
  entry.is_debit = movement.is_debit ? 1 : 0;
  entry.line = movement.entry.line;
  entry.amount = movement.amount;
  entry.date = parse_day(movement.entry.booked).value_or(account.day);
  entry.references = lent.list();
  entry.type_code = sdk::lend(code);
  entry.text = sdk::lend(text);
  sink.entry(entry);
}

void give_deposit(const Movement& movement, const Account& account, sdk::DepositSink& sink) {
  const auto& trn = movement.trn;
  const auto& detail = movement.detail;
  if (trn && !trn->ended)
    sink.warning(movement.entry.line, "the TRN segment has no end (~); its trace number may be truncated");
  const auto company = printable(clean(detail.debtor_id)).substr(0, kLongestReference);
  const auto name = shortened(clean(detail.debtor_name), kLongestReference);
  const auto ids = bank_text::payer_ids_of(trn, company);
  const auto originator = trn && !trn->originator.empty() ? trn->originator : company;
  const auto currency = sdk::is_us_dollars(movement.entry.currency) ? "USD" : printable(movement.entry.currency);
  const auto text = movement.text();
  std::string reference = printable(account.number) + '|' + movement.entry.booked + '|' +
                          std::to_string(movement.amount) + '|' + movement.code();
  for (const auto& one : movement.references()) reference += '|' + one;
  reference = printable(reference) + '|' + printable(text);

  tideover_deposit deposit{};
  deposit.size = sizeof deposit;
  deposit.line = movement.entry.line;
  deposit.reference = sdk::lend(reference);
  deposit.amount = movement.amount;
  deposit.currency = sdk::lend(currency);
  deposit.received_date = parse_day(movement.entry.booked).value_or(account.day);
  deposit.effective_date = parse_day(movement.entry.value).value_or(tideover_date{});
  if (trn) deposit.trace_number = sdk::lend(trn->trace_number);
  deposit.originator = sdk::lend(originator);
  const sdk::LentList lent_ids(ids);
  deposit.payer_ids = lent_ids.list();
  deposit.payer_name = sdk::lend(name);
  deposit.addenda = sdk::lend(text);
  sink.deposit(deposit);
}

/// The details as movements of their own; empty when their amounts are absent or do not add up to the entry.
std::vector<Movement> detailed(const Entry& entry, bool is_debit, std::int64_t amount, sdk::DepositSink& sink) {
  std::vector<Movement> movements;
  std::int64_t sum = 0;
  for (const auto& detail : entry.details) {
    if (detail.amount.empty() || (!detail.currency.empty() && detail.currency != entry.currency)) return {};
    const bool debit = detail.direction.empty() ? is_debit : is_debit_side(entry, detail.direction);
    const auto part = amount_of(entry, detail.amount);
    sum += debit == is_debit ? part : -part;
    movements.emplace_back(entry, detail, debit, part);
  }
  if (!movements.empty() && sum != amount) {
    sink.warning(entry.line, "the amounts of the details do not add up to the entry: it is read as one movement");
    movements.clear();
  }
  return movements;
}

}  // namespace

void give_movements(const Entry& entry, const Account& account, const std::set<std::string>& transaction_codes,
                    sdk::DepositSink& sink) {
  if (entry.status != "BOOK") return sink.ignored(entry.line, "the entry is not booked");
  const bool is_debit = is_debit_side(entry, entry.direction);
  const auto amount = amount_of(entry, entry.amount);
  auto movements = detailed(entry, is_debit, amount, sink);
  // One detail without an amount describes the whole entry; several describe parts that are not known.
  static const Detail kNone;
  if (movements.empty())
    movements.emplace_back(entry, entry.details.size() == 1 ? entry.details.front() : kNone, is_debit, amount);
  for (const auto& movement : movements) {
    give_entry(movement, account, sink);
    if (const auto reason = reason_to_ignore(movement, transaction_codes); !reason.empty())
      sink.ignored(entry.line, reason);
    else
      give_deposit(movement, account, sink);
  }
}

}  // namespace camt053
