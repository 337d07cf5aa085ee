// Nacha files: file header 1, batch header 5, entry 6, addenda 7, batch control 8, file control 9 (Nacha operating
// rules, appendix three). Positions are counted from 1, as the rules do.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bank_text/lines.hpp"
#include "bank_text/trn.hpp"
#include "bank_text/values.hpp"
#include "readers.hpp"
#include "tideover/money.hpp"

namespace ccd_addenda {
namespace {

namespace sdk = tideover::sdk;
using bank_text::fault_at;
using bank_text::Line;
using bank_text::printable;
using bank_text::trim;

constexpr std::size_t kRecordLength = 94;
constexpr std::size_t kFileControlLength = 55;  // only blanks follow, which editors remove
constexpr std::size_t kFileHeaderLength = 63;   // destination and origin names and the reference code may be blank
constexpr std::size_t kMostAddendaLines = 10'000;
/// Entry classes of international payments: the current ones, and older ones that bank files still use.
constexpr std::array<std::string_view, 3> kInternational{"IAT", "CBR", "PBR"};

std::string_view at(std::string_view record, std::size_t from, std::size_t to) {
  return record.size() < from ? std::string_view() : record.substr(from - 1, to - from + 1);
}

/// Sums of a batch or a file, to compare with its control record.
struct Totals {
  std::int64_t records = 0;  // entries and addenda
  std::int64_t debit = 0, credit = 0;
  std::int64_t hash = 0;  // of the receiving banks; ten digits count
};
constexpr std::int64_t kHashModulus = 10'000'000'000;

struct Batch {
  std::string company_name, company_id, entry_class, effective_date;
  std::string foreign_currency;  // of an international batch
  Totals totals;
};

struct Entry {
  std::int64_t line = 0;
  std::string_view record;
  int code = 0;
  std::int64_t amount = 0;
  std::vector<std::string_view> addenda;  // payment related information of each 705
  bool is_return = false;                 // 798 or 799
};

bool is_debit(int code) {
  return code % 10 >= 5;
}
/// 22 32 42 52: incoming money. 23 and 33 are prenotes, 24 and 34 have no amount, 21 and 31 are returns.
bool is_payment(int code) {
  return code % 10 == 2;
}

class Walk {
 public:
  explicit Walk(sdk::DepositSink& sink) : sink_(sink) {}

  void take(const Line& line) {
    last_line_ = line.number;
    const char type = line.text.front();
    if (closed_) {
      if (line.text.find_first_not_of("9 ") != std::string_view::npos)
        throw fault_at(line.number, "a record follows the file control (9)");
      return;  // filler
    }
    check_length(line, type);
    switch (type) {
      case '1':
        return open_file(line);
      case '5':
        return open_batch(line);
      case '6':
        return open_entry(line);
      case '7':
        return take_addenda(line);
      case '8':
        return close_batch(line);
      case '9':
        return close_file(line);
      default:
        throw fault_at(line.number, "the line is not a Nacha record (1 5 6 7 8 9)");
    }
  }

  void end() {
    if (batch_) throw fault_at(last_line_, "the file is truncated: the last batch has no control record (8)");
    if (has_header_ && !closed_) throw fault_at(last_line_, "the file is truncated: it has no file control (9)");
    if (!closed_)
      sink_.warning(last_line_, "the file has no header and control record (1, 9), so it may be incomplete");
  }

 private:
  static void check_length(const Line& line, char type) {
    const auto least = type == '9' ? kFileControlLength : type == '1' ? kFileHeaderLength : kRecordLength;
    if (line.text.size() < least)
      throw fault_at(line.number, "the record has " + std::to_string(line.text.size()) +
                                      " characters instead of 94: the file is truncated or not a Nacha file");
  }

  static std::int64_t number_in(const Line& line, std::size_t from, std::size_t to, const char* what) {
    if (const auto number = bank_text::parse_digits(trim(at(line.text, from, to)))) return *number;
    throw fault_at(line.number, std::string(what) + " (positions " + std::to_string(from) + "-" + std::to_string(to) +
                                    ") is not a number");
  }

  void open_file(const Line& line) {
    if (has_header_ || batch_ || batches_ > 0) throw fault_at(line.number, "a file header (1) is within a file");
    has_header_ = true;
    creation_date_ = printable(at(line.text, 24, 29));
  }

  void open_batch(const Line& line) {
    if (batch_) throw fault_at(line.number, "the batch before this header (5) has no control record (8)");
    Batch batch;
    batch.company_name = printable(trim(at(line.text, 5, 20)));
    batch.company_id = printable(trim(at(line.text, 41, 50)));
    batch.entry_class = printable(trim(at(line.text, 51, 53)));
    batch.effective_date = printable(at(line.text, 70, 75));
    batch.foreign_currency = foreign_currency_in(line.text, batch.entry_class);
    if (!bank_text::parse_short_date(batch.effective_date)) batch.effective_date = creation_date_;
    batch_ = std::move(batch);
  }

  /// The currency of an international batch that is not the US dollar; empty for other batches.
  static std::string foreign_currency_in(std::string_view header, std::string_view entry_class) {
    if (std::find(kInternational.begin(), kInternational.end(), entry_class) == kInternational.end()) return {};
    for (const auto code : {trim(at(header, 67, 69)), trim(at(header, 64, 66))})
      if (!sdk::is_us_dollars(code)) return code.empty() ? "???" : printable(code);
    return {};
  }

  void open_entry(const Line& line) {
    if (!batch_) throw fault_at(line.number, "an entry (6) is outside of a batch (5)");
    close_entry();
    Entry entry;
    entry.line = line.number;
    entry.record = line.text.substr(0, kRecordLength);
    entry.code = static_cast<int>(number_in(line, 2, 3, "the transaction code"));
    entry.amount = number_in(line, 30, 39, "the amount");
    ++batch_->totals.records;
    (is_debit(entry.code) ? batch_->totals.debit : batch_->totals.credit) += entry.amount;
    batch_->totals.hash = (batch_->totals.hash + number_in(line, 4, 11, "the receiving bank")) % kHashModulus;
    entry_ = std::move(entry);
  }

  void take_addenda(const Line& line) {
    if (!entry_) throw fault_at(line.number, "addenda (7) without their entry (6)");
    ++batch_->totals.records;
    const auto type = at(line.text, 2, 3);
    if (type == "98" || type == "99") entry_->is_return = true;
    if (type == "05" && entry_->addenda.size() < kMostAddendaLines) entry_->addenda.push_back(at(line.text, 4, 83));
  }

  void close_batch(const Line& line) {
    if (!batch_) throw fault_at(line.number, "a batch control (8) without its batch (5)");
    close_entry();
    check(line, 5, 10, batch_->totals.records, "the entry and addenda count of the batch");
    demand(line, 11, 20, batch_->totals.hash, "the entry hash of the batch");
    demand(line, 21, 32, batch_->totals.debit, "the debit total of the batch");
    demand(line, 33, 44, batch_->totals.credit, "the credit total of the batch");
    file_.records += batch_->totals.records;
    file_.debit += batch_->totals.debit;
    file_.credit += batch_->totals.credit;
    file_.hash = (file_.hash + batch_->totals.hash) % kHashModulus;
    ++batches_;
    batch_.reset();
  }

  void close_file(const Line& line) {
    if (batch_) throw fault_at(line.number, "the batch before the file control (9) has no control record (8)");
    if (!has_header_) throw fault_at(line.number, "a file control (9) without its header (1)");
    if (line.text.find_first_not_of('9') == std::string_view::npos)
      throw fault_at(line.number, "the file has no file control (9) before its filler: it is damaged");
    check(line, 2, 7, batches_, "the batch count of the file");
    check(line, 14, 21, file_.records, "the entry and addenda count of the file");
    demand(line, 22, 31, file_.hash, "the entry hash of the file");
    demand(line, 32, 43, file_.debit, "the debit total of the file");
    demand(line, 44, 55, file_.credit, "the credit total of the file");
    closed_ = true;
  }

  /// A wrong amount or a wrong hash of receiving banks refuses the file: entries are missing or damaged.
  static void demand(const Line& line, std::size_t from, std::size_t to, std::int64_t counted, const char* what) {
    if (bank_text::parse_digits(trim(at(line.text, from, to))) != counted)
      throw fault_at(line.number, std::string(what) + " (positions " + std::to_string(from) + "-" + std::to_string(to) +
                                      ") is wrong; its records add up to " + std::to_string(counted) +
                                      ": entries are missing or damaged");
  }

  void check(const Line& line, std::size_t from, std::size_t to, std::int64_t counted, const char* what) {
    if (bank_text::parse_digits(trim(at(line.text, from, to))) != counted)
      sink_.warning(line.number, std::string(what) + " is wrong; its records add up to " + std::to_string(counted));
  }

  std::string reason_to_ignore(const std::optional<bank_text::Trn>& trn) const {
    if (entry_->is_return) return "the entry is a return or a notification of change";
    if (is_debit(entry_->code)) return "transaction code " + std::to_string(entry_->code) + " is not a credit";
    if (!is_payment(entry_->code) || entry_->amount == 0)
      return "the entry does not move money (prenote, return or zero amount)";
    if (!trn && batch_->foreign_currency.empty() && batch_->entry_class != "CCD" && batch_->entry_class != "CTX")
      return "its entry class is neither CCD nor CTX and it has no trace (TRN): not a payment of a payer";
    return {};
  }

  void close_entry() {
    if (!entry_) return;
    const auto trn = bank_text::find_trn(entry_->addenda);
    if (const auto reason = reason_to_ignore(trn); !reason.empty())
      sink_.ignored(entry_->line, reason);
    else
      give(trn);
    entry_.reset();
  }

  void give(const std::optional<bank_text::Trn>& trn) {
    if (!batch_->foreign_currency.empty())
      return sink_.refused(
          entry_->line,
          "An international entry (" + batch_->entry_class + ") of a payment in " + batch_->foreign_currency +
              ". Only US dollars are accepted. Create the amount credited in dollars with POST /v1/deposits.");
    if (trn && !trn->ended)
      sink_.warning(entry_->line, "the TRN segment in the addenda has no end (~); its trace number may be truncated");
    if (entry_->record[78] == '1' && entry_->addenda.empty())
      sink_.warning(entry_->line, "the entry announces addenda that are missing");
    const auto date = bank_text::parse_short_date(batch_->effective_date).value_or(tideover_date{});
    const auto ids = bank_text::payer_ids_of(trn, batch_->company_id);
    const auto& originator = trn && !trn->originator.empty() ? trn->originator : batch_->company_id;
    const auto reference = batch_->company_id + "|" + batch_->effective_date + "|" + printable(entry_->record);
    std::string addenda;
    for (const auto line : entry_->addenda) {
      addenda += printable(line);
      if (addenda.size() > kLongestAddenda) break;
    }
    const auto kept = trim(std::string_view(addenda).substr(0, kLongestAddenda));

    tideover_deposit deposit{};
    deposit.size = sizeof deposit;
    deposit.line = entry_->line;
    deposit.reference = sdk::lend(reference);
    deposit.amount = entry_->amount;
    deposit.currency = TIDEOVER_STR("USD");
    deposit.received_date = date;
    deposit.effective_date = date;
    if (trn) deposit.trace_number = sdk::lend(trn->trace_number);
    deposit.originator = sdk::lend(originator);
    const sdk::LentList lent_ids(ids);
    deposit.payer_ids = lent_ids.list();
    deposit.payer_name = sdk::lend(batch_->company_name);
    deposit.addenda = sdk::lend(kept);
    sink_.deposit(deposit);
  }

  sdk::DepositSink& sink_;
  bool has_header_ = false, closed_ = false;
  std::string creation_date_;
  std::optional<Batch> batch_;
  std::optional<Entry> entry_;
  Totals file_;
  std::int64_t batches_ = 0;
  std::int64_t last_line_ = 0;
};

}  // namespace

bool is_nacha(std::string_view bytes) {
  const auto first = bytes.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : bytes.find_first_not_of(" \t\r\n");
  return first < bytes.size() && bytes[first] >= '0' && bytes[first] <= '9';
}

void read_nacha(std::string_view bytes, sdk::DepositSink& sink, const sdk::Deadline& deadline) {
  bank_text::LineReader lines(bytes, deadline);
  Walk walk(sink);
  Line line;
  std::int64_t joined = 0;  // records that share a line with the record before: each counts as a line
  while (lines.next(line)) {
    for (auto rest = line.text;; ++joined) {
      walk.take({line.number + joined, rest.substr(0, kRecordLength), line.ended});
      rest.remove_prefix(std::min(kRecordLength, rest.size()));
      if (trim(rest).empty()) break;
    }
  }
  walk.end();
}

}  // namespace ccd_addenda
