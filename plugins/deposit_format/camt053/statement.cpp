#include "statement.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "bank_text/lines.hpp"
#include "bank_text/values.hpp"
#include "tideover/money.hpp"
#include "values.hpp"

namespace camt053 {
namespace {

namespace sdk = tideover::sdk;
using bank_text::fault_at;

constexpr std::size_t kMostDetails = 10'000;
constexpr std::size_t kMostRemittanceLines = 100;
constexpr std::size_t kLongestAccount = 100;
constexpr std::string_view kEntry = "Stmt/Ntry";
constexpr std::string_view kDetail = "Stmt/Ntry/NtryDtls/TxDtls";

/// The path below `parent`; empty when it is not below.
std::string_view below(std::string_view path, std::string_view parent) {
  return path.size() > parent.size() && path.substr(0, parent.size()) == parent && path[parent.size()] == '/'
             ? path.substr(parent.size() + 1)
             : std::string_view();
}

template <class Object, std::size_t N>
std::string* find_field(Object& object, const std::array<std::pair<std::string_view, std::string Object::*>, N>& fields,
                        std::string_view path) {
  for (const auto& [known, member] : fields)
    if (known == path) return &(object.*member);
  return nullptr;
}

}  // namespace

std::string* StatementWalk::field_of_head(std::string_view path) {
  static const std::array<std::pair<std::string_view, std::string Head::*>, 10> kHead{
      {{"Stmt/Acct/Id/IBAN", &Head::iban},
       {"Stmt/Acct/Id/Othr/Id", &Head::other_id},
       {"Stmt/Acct/Ccy", &Head::currency},
       {"Stmt/FrToDt/ToDtTm", &Head::from_to},
       {"Stmt/StmtPgntn/PgNb", &Head::page},
       {"Stmt/StmtPgntn/LastPgInd", &Head::last_page},
       {"Stmt/TxsSummry/TtlCdtNtries/Sum", &Head::credit_sum},
       {"Stmt/TxsSummry/TtlCdtNtries/NbOfNtries", &Head::credit_count},
       {"Stmt/TxsSummry/TtlDbtNtries/Sum", &Head::debit_sum},
       {"Stmt/TxsSummry/TtlDbtNtries/NbOfNtries", &Head::debit_count}}};
  static const std::array<std::pair<std::string_view, std::string Balance::*>, 5> kBalance{
      {{"Stmt/Bal/Tp/CdOrPrtry/Cd", &Balance::code},
       {"Stmt/Bal/Amt", &Balance::amount},
       {"Stmt/Bal/CdtDbtInd", &Balance::direction},
       {"Stmt/Bal/Dt/Dt", &Balance::day},
       {"Stmt/Bal/Dt/DtTm", &Balance::day}}};
  if (auto* field = find_field(head_, kHead, path)) return field;
  return find_field(balance_, kBalance, path);
}

std::string* StatementWalk::field_of_entry(std::string_view path) {
  static const std::array<std::pair<std::string_view, std::string Entry::*>, 16> kFields{
      {{"NtryRef", &Entry::reference},
       {"AcctSvcrRef", &Entry::servicer_reference},
       {"Amt", &Entry::amount},
       {"CdtDbtInd", &Entry::direction},
       {"RvslInd", &Entry::reversal},
       {"Sts", &Entry::status},
       {"Sts/Cd", &Entry::status},
       {"BookgDt/Dt", &Entry::booked},
       {"BookgDt/DtTm", &Entry::booked},
       {"ValDt/Dt", &Entry::value},
       {"ValDt/DtTm", &Entry::value},
       {"BkTxCd/Domn/Cd", &Entry::domain},
       {"BkTxCd/Domn/Fmly/Cd", &Entry::family},
       {"BkTxCd/Domn/Fmly/SubFmlyCd", &Entry::sub_family},
       {"BkTxCd/Prtry/Cd", &Entry::proprietary},
       {"AddtlNtryInf", &Entry::more}}};
  return find_field(entry_, kFields, path);
}

std::string* StatementWalk::field_of_detail(std::string_view path) {
  static const std::array<std::pair<std::string_view, std::string Detail::*>, 18> kFields{
      {{"Amt", &Detail::amount},
       {"AmtDtls/TxAmt/Amt", &Detail::amount},
       {"CdtDbtInd", &Detail::direction},
       {"Refs/EndToEndId", &Detail::end_to_end_id},
       {"Refs/InstrId", &Detail::instruction_id},
       {"Refs/TxId", &Detail::transaction_id},
       {"Refs/ClrSysRef", &Detail::transaction_id},
       {"Refs/AcctSvcrRef", &Detail::servicer_reference},
       {"RltdPties/Dbtr/Nm", &Detail::debtor_name},
       {"RltdPties/Dbtr/Pty/Nm", &Detail::debtor_name},
       {"RltdPties/Dbtr/Id/OrgId/Othr/Id", &Detail::debtor_id},
       {"RltdPties/Dbtr/Pty/Id/OrgId/Othr/Id", &Detail::debtor_id},
       {"RmtInf/Strd/CdtrRefInf/Ref", &Detail::transaction_id},
       {"AddtlTxInf", &Detail::more},
       {"BkTxCd/Domn/Cd", &Detail::domain},
       {"BkTxCd/Domn/Fmly/Cd", &Detail::family},
       {"BkTxCd/Domn/Fmly/SubFmlyCd", &Detail::sub_family},
       {"RltdPties/UltmtDbtr/Nm", &Detail::debtor_name}}};
  return find_field(entry_.details.back(), kFields, path);
}

std::string* StatementWalk::field_of(std::string_view path) {
  if (const auto inner = below(path, kDetail); !inner.empty())
    return entry_.details.empty() ? nullptr : field_of_detail(inner);
  if (const auto inner = below(path, kEntry); !inner.empty()) return field_of_entry(inner);
  return field_of_head(path);
}

void StatementWalk::begin(std::string_view path, std::string_view currency, std::int64_t line) {
  if (path == "Stmt") return open_statement(line);
  if (path == "Stmt/Bal") {
    balance_ = {};
  } else if (path == "Stmt/Bal/Amt") {
    balance_.currency = currency;
  } else if (path == kEntry) {
    give_head();
    entry_ = {};
    entry_.line = line;
  } else if (path == "Stmt/Ntry/Amt") {
    entry_.currency = currency;
  } else if (path == kDetail) {
    if (entry_.details.size() == kMostDetails)
      throw sdk::Fault(TIDEOVER_FAULT_LIMIT, "an entry has more than 10000 details");
    entry_.details.emplace_back();
  } else if (!entry_.details.empty() &&
             (path == "Stmt/Ntry/NtryDtls/TxDtls/Amt" || path == "Stmt/Ntry/NtryDtls/TxDtls/AmtDtls/TxAmt/Amt")) {
    entry_.details.back().currency = currency;
  }
}

void StatementWalk::end(std::string_view path, const std::string& text, std::int64_t line) {
  if (path == "Stmt/Bal") return take_balance(line);
  if (path == "Stmt") return give_head();
  if (path == kEntry) {
    give_movements(entry_, account_, transaction_codes_, sink_);
    entry_ = {};
    return;
  }
  if (path == "Stmt/Ntry/NtryDtls/TxDtls/RmtInf/Ustrd") {
    auto& lines = entry_.details.back().remittance;
    if (lines.size() < kMostRemittanceLines) lines.push_back(clean(text));
    return;
  }
  auto* field = field_of(path);
  if (field && field->empty()) *field = clean(text);  // the first of several
}

void StatementWalk::open_statement(std::int64_t line) {
  ++statements_;
  head_ = {};
  head_.line = line;
  account_ = {};
  is_head_given_ = false;
}

void StatementWalk::take_balance(std::int64_t line) {
  const bool is_opening = balance_.code == "OPBD", is_closing = balance_.code == "CLBD";
  const bool is_earlier = balance_.code == "PRCD";
  if (!is_opening && !is_closing && !is_earlier) return;
  const auto amount = parse_amount(balance_.amount);
  if (!amount || (balance_.direction != "CRDT" && balance_.direction != "DBIT"))
    throw fault_at(line, "a balance is not an amount with a direction (CdtDbtInd CRDT or DBIT)");
  const auto cents = balance_.direction == "DBIT" ? -*amount : *amount;
  auto& known = is_opening ? head_.opening : is_closing ? head_.closing : head_.earlier_closing;
  if (!known) known = cents;
  if (is_closing && !head_.closing_day) head_.closing_day = parse_day(balance_.day);
  if (head_.balance_currency.empty()) head_.balance_currency = balance_.currency;
}

void StatementWalk::give_head() {
  if (is_head_given_) return;
  is_head_given_ = true;
  const auto day = head_.closing_day ? head_.closing_day : parse_day(head_.from_to);
  account_.number = bank_text::printable(head_.iban.empty() ? head_.other_id : head_.iban);
  account_.currency = head_.currency.empty() ? head_.balance_currency : head_.currency;
  if (sdk::is_us_dollars(account_.currency)) account_.currency = "USD";
  account_.currency = bank_text::printable(account_.currency);
  account_.day = day.value_or(tideover_date{});
  const auto opening = head_.opening ? head_.opening : head_.earlier_closing;
  if (!opening && !head_.closing) return;
  if ((!head_.page.empty() && head_.page != "1") || head_.last_page == "false" || head_.last_page == "0")
    return sink_.warning(head_.line, "the statement has several pages: it is not stored");
  if (account_.number.empty() || account_.number.size() > kLongestAccount)
    return sink_.warning(head_.line, "the statement has no account number of at most 100 characters: it is not stored");
  tideover_bank_statement statement{};
  statement.size = sizeof statement;
  statement.line = head_.line;
  statement.account = sdk::lend(account_.number);
  statement.currency = sdk::lend(account_.currency);
  statement.date = account_.day;
  statement.opening = opening.value_or(TIDEOVER_NO_AMOUNT);
  statement.closing = head_.closing.value_or(TIDEOVER_NO_AMOUNT);
  statement.credit_sum = parse_amount(head_.credit_sum).value_or(TIDEOVER_NO_AMOUNT);
  statement.debit_sum = parse_amount(head_.debit_sum).value_or(TIDEOVER_NO_AMOUNT);
  // The bank counts entries; a movement is a detail of one, so counts say nothing about movements.
  statement.credit_count = statement.debit_count = -1;
  account_.has_statement = true;
  sink_.statement(statement);
}

}  // namespace camt053
