// BAI2 balance reports: checks the file, group and account envelopes with their control totals around the transactions.
// The format is immutable and can parse on many threads at once.
#include <array>
#include <optional>

#include "bank_text/values.hpp"
#include "records.hpp"
#include "tideover/money.hpp"
#include "transaction.hpp"

namespace bai2 {
namespace {

namespace sdk = tideover::sdk;
using bank_text::fault_at;
using bank_text::printable;

/// ACH and corporate trade payments, incoming wires, lockbox and other check deposits.
constexpr const char* kTypeCodes = "115,121,142,164,165,166,169,174,175,191,195,301";

/// Codes of the summary of an account (03).
constexpr std::string_view kOpeningLedger = "010", kClosingLedger = "015", kTotalCredits = "100", kTotalDebits = "400";

constexpr std::size_t kLongestAccount = 100;

/// Counts of an envelope, to compare with its trailer.
struct Counted {
  std::int64_t total = 0;    // of an account: its amounts; else the totals of the inner envelopes
  std::int64_t members = 0;  // accounts of a group, groups of a file
  std::int64_t records = 0;  // physical lines, with header and trailer
};

/// Reads 01 > 02 > 03 > 16 and checks the open envelopes and their counts.
class Walk {
 public:
  Walk(std::string_view bytes, const sdk::Deadline& deadline, const std::vector<int>& type_codes,
       sdk::DepositSink& sink)
      : reader_(bytes, deadline), type_codes_(type_codes), sink_(sink) {}

  void run() {
    Record record;
    bool any = false;
    while (reader_.next(record)) {
      any = true;
      last_line_ = record.line;
      take(record);
    }
    if (!any) throw fault_at(1, "the file is empty");
    if (file_) throw fault_at(last_line_, "the file is truncated: it has no file trailer (99)");
  }

 private:
  void take(const Record& record) {
    switch (record.code) {
      case 1:
        return open_file(record);
      case 2:
        return open_group(record);
      case 3:
        return open_account(record);
      case 16:
        return take_detail(record);
      case 49:
        return close_account(record);
      case 98:
        return close_group(record);
      default:
        return close_file(record);
    }
  }

  void open_file(const Record& record) {
    if (file_) throw fault_at(record.line, "the file before this header (01) has no trailer (99)");
    file_ = Counted{0, 0, record.physical_lines()};
  }

  void open_group(const Record& record) {
    if (!file_) throw fault_at(record.line, "a group (02) is outside of a file (01)");
    if (group_) throw fault_at(record.line, "the group before this header (02) has no trailer (98)");
    group_ = Counted{0, 0, record.physical_lines()};
    FieldCursor fields(record);
    fields.next();  // the ultimate receiver
    where_ = {};
    where_.bank = printable(fields.next());
    where_.group_status = printable(fields.next());
    where_.as_of_date = printable(fields.next());
    fields.next();  // the as-of time
    group_currency_ = printable(fields.next());
    const auto modifier = bank_text::trim(fields.next());
    where_.is_final = modifier != "1" && modifier != "3";
    if (!bank_text::parse_short_date(where_.as_of_date))
      sink_.warning(record.line, "the as-of date of the group is not a date (YYMMDD)");
    if (where_.group_status == "3")
      sink_.warning(record.line,
                    "the group corrects an earlier one (02 status 3): deposits imported before do not change");
  }

  void open_account(const Record& record) {
    if (!group_) throw fault_at(record.line, "an account (03) is outside of a group (02)");
    if (account_) throw fault_at(record.line, "the account before this record (03) has no trailer (49)");
    account_ = Counted{0, 0, record.physical_lines()};
    FieldCursor fields(record);
    where_.account = printable(fields.next());
    where_.currency = printable(fields.next());
    if (where_.currency.empty()) where_.currency = group_currency_;
    if (where_.currency.empty() || sdk::is_us_dollars(where_.currency)) where_.currency = "USD";
    auto statement = new_statement(record);
    while (!fields.at_end()) {
      const auto type = fields.next();
      if (type.empty() && fields.at_end()) break;
      const auto text = fields.next();
      const auto amount = amount_in(record, text);
      account_->total += amount;
      const auto count = bank_text::parse_digits(fields.next());
      take_availability(record, fields);
      if (!bank_text::trim(text).empty()) take_summary(statement, bank_text::trim(type), amount, count);
    }
    give_statement(record, statement);
  }

  tideover_bank_statement new_statement(const Record& record) const {
    tideover_bank_statement statement{};
    statement.size = sizeof statement;
    statement.line = record.line;
    statement.account = sdk::lend(where_.account);
    statement.currency = sdk::lend(where_.currency);
    statement.date = bank_text::parse_short_date(where_.as_of_date).value_or(tideover_date{});
    statement.opening = statement.closing = statement.credit_sum = statement.debit_sum = TIDEOVER_NO_AMOUNT;
    statement.credit_count = statement.debit_count = -1;
    return statement;
  }

  static void take_summary(tideover_bank_statement& statement, std::string_view type, std::int64_t amount,
                           std::optional<std::int64_t> count) {
    if (type == kOpeningLedger) statement.opening = amount;
    if (type == kClosingLedger) statement.closing = amount;
    if (type == kTotalCredits && amount >= 0) {
      statement.credit_sum = amount;
      statement.credit_count = count.value_or(-1);
    }
    if (type == kTotalDebits && amount >= 0) {
      statement.debit_sum = amount;
      statement.debit_count = count.value_or(-1);
    }
  }

  /// An account without ledger balances lists transactions only. A report during the day, a test and a deletion are no
  /// statement either.
  void give_statement(const Record& record, const tideover_bank_statement& statement) {
    const bool has_balance = statement.opening != TIDEOVER_NO_AMOUNT || statement.closing != TIDEOVER_NO_AMOUNT;
    const bool counts = where_.is_final && where_.group_status != "2" && where_.group_status != "4";
    const bool is_named = !where_.account.empty() && where_.account.size() <= kLongestAccount;
    where_.has_statement = has_balance && counts && is_named;
    if (has_balance && counts && !is_named)
      sink_.warning(record.line,
                    "the account has balances and no number of at most 100 characters: its statement is not stored");
    if (where_.has_statement) sink_.statement(statement);
  }

  void take_detail(const Record& record) {
    if (!account_) throw fault_at(record.line, "a transaction (16) is outside of an account (03)");
    account_->records += record.physical_lines();
    account_->total += take_transaction(record, where_, type_codes_, sink_);
  }

  void close_account(const Record& record) {
    if (!account_) throw fault_at(record.line, "an account trailer (49) without its account (03)");
    FieldCursor fields(record);
    account_->records += record.physical_lines();
    group_->total += check_total(record, fields, account_->total, "account");
    check_count(record, fields, account_->records, "records");
    group_->records += account_->records;
    ++group_->members;
    account_.reset();
  }

  void close_group(const Record& record) {
    if (!group_) throw fault_at(record.line, "a group trailer (98) without its group (02)");
    if (account_) throw fault_at(record.line, "the account before this trailer (98) has no trailer (49)");
    FieldCursor fields(record);
    group_->records += record.physical_lines();
    file_->total += check_total(record, fields, group_->total, "group");
    check_count(record, fields, group_->members, "accounts");
    check_count(record, fields, group_->records, "records");
    file_->records += group_->records;
    ++file_->members;
    group_.reset();
  }

  void close_file(const Record& record) {
    if (!file_) throw fault_at(record.line, "a file trailer (99) without its header (01)");
    if (group_) throw fault_at(record.line, "the group before this trailer (99) has no trailer (98)");
    if (!record.ended) throw fault_at(record.line, "the file is truncated: its trailer (99) has no end (/)");
    FieldCursor fields(record);
    file_->records += record.physical_lines();
    check_total(record, fields, file_->total, "file");
    check_count(record, fields, file_->members, "groups");
    check_count(record, fields, file_->records, "records");
    file_.reset();
  }

  /// A control total that differs from the amounts refuses the file: records were lost or read incorrectly. Returns the
  /// total.
  std::int64_t check_total(const Record& record, FieldCursor& fields, std::int64_t counted, const char* what) {
    const auto text = fields.next();
    if (text.empty())
      sink_.warning(record.line, std::string("the trailer has no control total of the ") + what);
    else if (const auto stated = amount_in(record, text); stated != counted)
      throw fault_at(record.line, std::string("the control total of the ") + what + " is " + std::to_string(stated) +
                                      " cents, but its amounts add up to " + std::to_string(counted) +
                                      ": records are missing, truncated or joined");
    return counted;
  }

  void check_count(const Record& record, FieldCursor& fields, std::int64_t counted, const char* things) {
    if (bank_text::parse_digits(fields.next()) != counted)
      sink_.warning(record.line, std::string("the trailer has another count of ") + things + "; the file has " +
                                     std::to_string(counted));
  }

  RecordReader reader_;
  const std::vector<int>& type_codes_;
  sdk::DepositSink& sink_;
  std::optional<Counted> file_, group_, account_;
  Surroundings where_;
  std::string group_currency_;
  std::int64_t last_line_ = 0;
};

class Format : public sdk::DepositFormat {
 public:
  static constexpr std::array<tideover_config_key, 1> kConfigKeys{
      {{TIDEOVER_STR("type_codes"),
        TIDEOVER_STR("BAI2 type codes of payers' payments, e.g. 142,165; a credit with a TRN counts whatever its code"),
        0}}};

  Format(const sdk::Host&, const sdk::Config& config) {
    const auto codes = config.find("type_codes").value_or(kTypeCodes);
    for (const auto text : bank_text::split(codes, ',')) {
      const auto code = bank_text::parse_digits(bank_text::trim(text));
      if (!code || *code < 100 || *code > 399)
        throw sdk::Fault(TIDEOVER_FAULT_INVALID_CONFIG,
                         "setting 'type_codes' must be credit codes from 100 to 399, separated by commas: 142,165");
      type_codes_.push_back(static_cast<int>(*code));
    }
  }

  void parse(std::string_view bytes, sdk::DepositSink& sink, const sdk::Deadline& deadline) override {
    Walk(bytes, deadline, type_codes_, sink).run();
  }

 private:
  std::vector<int> type_codes_;
};

}  // namespace
}  // namespace bai2

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::DepositFormat, bai2::Format, "bai2", "BAI2 bank statement", "1.1.0", "0.1.0");
