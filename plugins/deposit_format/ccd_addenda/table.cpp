// A text table with one payment per line, as exported by bank portals. The first line names the columns; the last
// column is `addenda`, which may contain any text. A line `total` with the count and the amount ends the table.
#include <algorithm>
#include <array>
#include <cstdlib>
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

constexpr std::string_view kSeparators = "\t|;,";
constexpr std::array<std::string_view, 8> kColumns{"date",       "effective_date", "amount",    "currency",
                                                   "company_id", "company_name",   "reference", "addenda"};
constexpr std::string_view kTotal = "total";
constexpr std::size_t kLongestCell = 200;

struct Table {
  char separator = ',';
  std::vector<std::string> columns;
};

Table read_header(const Line& line) {
  Table table;
  const auto separator = line.text.find_first_of(kSeparators);
  if (separator == std::string_view::npos)
    throw fault_at(line.number,
                   "neither a Nacha file nor a table: the first line must be a Nacha header (1 or 5) or name the "
                   "columns date, amount, ..., addenda");
  table.separator = line.text[separator];
  for (const auto cell : bank_text::split(line.text, table.separator)) {
    const auto name = trim(cell);
    const bool known = std::find(kColumns.begin(), kColumns.end(), name) != kColumns.end();
    const bool twice = std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end();
    if (!known || twice)
      throw fault_at(line.number, "column " + std::to_string(table.columns.size() + 1) +
                                      " is unknown or duplicate; the columns are date, effective_date, amount, "
                                      "currency, company_id, company_name, reference, addenda");
    table.columns.emplace_back(name);
  }
  const auto has = [&](std::string_view name) {
    return std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end();
  };
  if (!has("date") || !has("amount") || table.columns.back() != "addenda")
    throw fault_at(line.number, "the table needs the columns date and amount, and addenda as its last one");
  return table;
}

/// The cells of a line; the last has the rest of the line. Fewer cells than columns when the line is short.
std::vector<std::string_view> cells_of(std::string_view text, const Table& table) {
  std::vector<std::string_view> cells;
  while (cells.size() + 1 < table.columns.size()) {
    const auto end = text.find(table.separator);
    if (end == std::string_view::npos) break;
    cells.push_back(trim(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  cells.push_back(trim(text));
  return cells;
}

/// "790.00", "790", "-12.5" as cents.
std::optional<std::int64_t> parse_cents(std::string_view text) {
  const auto point = text.find('.');
  const auto whole = bank_text::parse_signed(text.substr(0, point));
  std::string fraction(point == std::string_view::npos ? "" : text.substr(point + 1));
  if (!whole || fraction.size() > 2 || (point != std::string_view::npos && fraction.empty())) return std::nullopt;
  fraction.resize(2, '0');
  const auto cents = bank_text::parse_digits(fraction);
  if (!cents) return std::nullopt;
  const auto magnitude = std::min(std::abs(*whole) * 100 + *cents, bank_text::kBeyondAllAmounts);
  return text.front() == '-' ? -magnitude : magnitude;
}

/// YYYY-MM-DD or YYYYMMDD.
std::optional<tideover_date> parse_date(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '-') digits += c;
  const bool dashed = text.size() == 10 && text[4] == '-' && text[7] == '-';
  return dashed || text.size() == 8 ? sdk::parse_compact_date(digits) : std::nullopt;
}

class Rows {
 public:
  Rows(Table table, sdk::DepositSink& sink) : table_(std::move(table)), sink_(sink) {}

  void take(const Line& line) {
    if (has_total_) throw fault_at(line.number, "a line follows the total");
    if (!line.ended) throw fault_at(line.number, "the file is truncated: its last line has no end");
    const auto cells = cells_of(line.text, table_);
    if (cells.front() == kTotal) return check_total(line);
    ++rows_;
    const bool is_short = cells.size() < table_.columns.size();
    const auto amount = is_short ? std::nullopt : parse_cents(cell(cells, "amount"));
    has_unread_amount_ = has_unread_amount_ || !amount;
    if (is_short) return sink_.refused(line.number, "The line has fewer columns than the first line names.");
    if (!amount)
      return sink_.refused(line.number, "The amount is not valid. Write dollars and cents with a point: 790.00");
    amount_ += *amount;
    if (const auto currency = cell(cells, "currency"); !currency.empty() && !sdk::is_us_dollars(currency))
      return sink_.refused(line.number, "The amount is not in US dollars. Only US dollars are accepted.");
    const auto date = parse_date(cell(cells, "date"));
    if (!date) return sink_.refused(line.number, "The date is not valid. Use YYYY-MM-DD.");
    const auto effective_text = cell(cells, "effective_date");
    const auto effective = effective_text.empty() ? date : parse_date(effective_text);
    if (!effective) return sink_.refused(line.number, "The effective date is not valid. Use YYYY-MM-DD.");
    if (*amount < 0)
      return sink_.refused(line.number,
                           "A negative amount: the bank has taken money back. Ask the bank for the reason.");
    if (*amount == 0) return sink_.ignored(line.number, "its amount is zero");
    give(line, cells, *amount, *date, *effective);
  }

  void end(std::int64_t last_line) {
    if (!has_total_) sink_.warning(last_line, "the table has no total line, so it may be incomplete");
  }

 private:
  std::string_view cell(const std::vector<std::string_view>& cells, std::string_view name) const {
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      if (table_.columns[i] == name) return cells[i];
    return {};
  }

  void check_total(const Line& line) {
    has_total_ = true;
    const auto cells = bank_text::split(line.text, table_.separator);
    if (cells.size() < 2 || bank_text::parse_digits(trim(cells[1])) != rows_)
      sink_.warning(line.number, "the total has another count of payments; the table has " + std::to_string(rows_));
    if (cells.size() < 3 || trim(cells[2]).empty())
      sink_.warning(line.number, "the total has no amount");
    else if (has_unread_amount_)
      sink_.warning(line.number, "the total cannot be checked: an amount above it cannot be read");
    else if (parse_cents(trim(cells[2])) != amount_)
      throw fault_at(line.number, "the total amount is wrong; the payments add up to " + std::to_string(amount_) +
                                      " cents: rows are missing or damaged");
  }

  void give(const Line& line, const std::vector<std::string_view>& cells, std::int64_t amount, tideover_date date,
            tideover_date effective) {
    const auto addenda = printable(cell(cells, "addenda")).substr(0, kLongestAddenda);
    const auto trn = bank_text::find_trn({addenda});
    if (trn && !trn->ended)
      sink_.warning(line.number, "the TRN segment in the addenda has no end (~); its trace number may be truncated");
    const auto company_id = printable(cell(cells, "company_id")).substr(0, kLongestCell);
    const auto company_name = printable(cell(cells, "company_name")).substr(0, kLongestCell);
    const auto originator = trn && !trn->originator.empty() ? trn->originator : company_id;
    const auto ids = bank_text::payer_ids_of(trn, company_id);
    const auto reference = sdk::date_text(date) + "|" + std::to_string(amount) + "|" + company_id + "|" + company_name +
                           "|" + printable(cell(cells, "reference")).substr(0, kLongestCell) + "|" + addenda;

    tideover_deposit deposit{};
    deposit.size = sizeof deposit;
    deposit.line = line.number;
    deposit.reference = sdk::lend(reference);
    deposit.amount = amount;
    deposit.currency = TIDEOVER_STR("USD");
    deposit.received_date = date;
    deposit.effective_date = effective;
    if (trn) deposit.trace_number = sdk::lend(trn->trace_number);
    deposit.originator = sdk::lend(originator);
    const sdk::LentList lent_ids(ids);
    deposit.payer_ids = lent_ids.list();
    deposit.payer_name = sdk::lend(company_name);
    deposit.addenda = sdk::lend(addenda);
    sink_.deposit(deposit);
  }

  const Table table_;
  sdk::DepositSink& sink_;
  std::int64_t rows_ = 0;
  std::int64_t amount_ = 0;
  bool has_total_ = false;
  bool has_unread_amount_ = false;
};

}  // namespace

void read_table(std::string_view bytes, sdk::DepositSink& sink, const sdk::Deadline& deadline) {
  bank_text::LineReader lines(bytes, deadline);
  Line line;
  if (!lines.next(line)) throw fault_at(1, "the file is empty");
  if (!line.ended) throw fault_at(1, "the file is truncated, or not a file of addenda: its first line has no end");
  Rows rows(read_header(line), sink);
  while (lines.next(line)) rows.take(line);
  rows.end(line.number);
}

}  // namespace ccd_addenda
