#include "core/tables/table_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <set>

namespace tideover::tables {
namespace {

constexpr std::size_t kMostFaults = 20;
constexpr std::size_t kMostTitleLines = 40;  // before the header
constexpr std::size_t kMostSplitLines = 2;   // above a header's last line
constexpr std::size_t kLongestText = 80;
constexpr std::size_t kLongestShown = 120;

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alnum(char c) {
  return is_digit(c) || (upper(c) >= 'A' && upper(c) <= 'Z');
}

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Normal form of a header: upper case, one blank between words, no leading year.
std::string plain_header(std::string_view header) {
  std::string plain;
  for (const char c : header) {
    if (is_alnum(c))
      plain += upper(c);
    else if (!plain.empty() && plain.back() != ' ')
      plain += ' ';
  }
  if (!plain.empty() && plain.back() == ' ') plain.pop_back();
  if (plain.size() > 5 && plain.starts_with("20") && is_digit(plain[2]) && is_digit(plain[3]) && plain[4] == ' ')
    plain.erase(0, 5);
  return plain;
}

struct Cell {
  std::string text;
  int column = 1;  // where it starts in its line
};

/// Records of a text, by RFC 4180; lines end with LF, CR or both.
class Records {
 public:
  explicit Records(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  }

  /// False at the end. Cells are overwritten by the next call.
  bool next(char separator) {
    if (at_ >= text_.size()) return false;
    line_ = next_line_;
    start_ = at_;
    count_ = 0;
    unclosed_ = false;
    bool more = true;
    while (more) more = read_cell(separator);
    return true;
  }
  std::size_t count() const { return count_; }
  const Cell& cell(std::size_t i) const { return cells_[i]; }
  int line() const { return line_; }
  bool is_unclosed() const { return unclosed_; }
  /// The first line of the record, as written.
  std::string_view raw() const {
    const auto whole = text_.substr(start_, at_ - start_);
    return whole.substr(0, whole.find_first_of("\r\n"));
  }
  struct Place {
    std::size_t at;
    int line;
  };
  Place place() const { return {at_, next_line_}; }
  void go_to(const Place& place) { at_ = place.at, next_line_ = place.line; }

 private:
  bool read_cell(char separator) {
    if (count_ == cells_.size()) cells_.emplace_back();
    Cell& cell = cells_[count_++];
    cell.text.clear();
    cell.column = static_cast<int>(at_ - start_) + 1;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_;; ++at_) {
        if (at_ >= text_.size()) {
          unclosed_ = true;
          return false;
        }
        if (text_[at_] == '"') {
          if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
          ++at_;
        }
        if (text_[at_] == '\n') ++next_line_;
        cell.text += text_[at_];
      }
      ++at_;
    }
    const auto end = std::min(text_.find_first_of(std::string{separator, '\r', '\n'}, at_), text_.size());
    cell.text.append(text_.substr(at_, end - at_));
    at_ = end;
    if (at_ >= text_.size()) return false;
    if (text_[at_] == separator) {
      ++at_;
      return true;
    }
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    ++at_;
    ++next_line_;
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0, start_ = 0, count_ = 0;
  int line_ = 0, next_line_ = 1;
  bool unclosed_ = false;
  std::vector<Cell> cells_;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size() || number == kNothing) return std::nullopt;
  return number;
}

std::optional<std::int64_t> scaled_decimal(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const auto point = text.find('.');
  const auto whole = text.substr(0, point);
  auto fraction = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (whole.size() > 9 || fraction.size() > 6 || (whole.empty() && fraction.empty())) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : whole) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const char c = i < fraction.size() ? fraction[i] : '0';
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return negative ? -number : number;
}

/// The number; nullopt when the column does not allow it.
std::optional<std::int64_t> within(const Column& column, std::optional<std::int64_t> number) {
  if (number && ((column.least && *number < *column.least) || (column.most && *number > *column.most)))
    return std::nullopt;
  return number;
}

/// " from 0 to 1.5", for messages.
std::string range_of(const Column& column, std::int64_t scale) {
  const auto shown = [&](std::int64_t number) {
    std::string text = std::to_string(number / scale);
    auto fraction = std::to_string(scale + std::abs(number % scale)).substr(1);
    while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    if (number < 0 && number / scale == 0) text.insert(0, "-");
    return fraction.empty() ? text : text + '.' + fraction;
  };
  return (column.least ? " from " + shown(*column.least) : "") +
         (column.most ? (column.least ? " to " : " up to ") + shown(*column.most) : "");
}

std::optional<domain::Date> date_of(std::string_view text) {
  if (text.size() == 8 && std::all_of(text.begin(), text.end(), is_digit))
    return domain::parse_date(std::string(text.substr(0, 4)) + '-' + std::string(text.substr(4, 2)) + '-' +
                              std::string(text.substr(6)));
  if (text.size() == 10 && text[2] == '/' && text[5] == '/')
    return domain::parse_date(std::string(text.substr(6)) + '-' + std::string(text.substr(0, 2)) + '-' +
                              std::string(text.substr(3, 2)));
  return domain::parse_date(text);
}

class Reader {
 public:
  Reader(std::string_view text, const Schema& schema, Provenance provenance)
      : records_(text), schema_(schema), provenance_(std::move(provenance)) {}

  TableReading run() {
    if (find_header()) read_rows();
    auto table = std::make_shared<const Table>(schema_, std::move(provenance_), std::move(cells_), std::move(texts_));
    if (const auto& twice = table->duplicate())
      fault(lines_[twice->second_row], 1,
            "has the key of line " + std::to_string(lines_[twice->first_row]) +
                (schema_.is_dated() ? " and starts on the same day" : ""),
            {});
    if (untold_ > 0) faults_.push_back({0, 0, "and " + std::to_string(untold_) + " more", {}});
    return {std::move(table), std::move(faults_)};
  }

 private:
  void fault(int line, int column, std::string message, std::string_view source) {
    if (faults_.size() == kMostFaults) {
      ++untold_;
      return;
    }
    std::string shown(source.substr(0, kLongestShown));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, ' ');
    faults_.push_back({line, column, std::move(message), std::move(shown)});
  }

  /// The position of each column, by the headers of one line, or of that line and the lines above it joined by column.
  bool match(const std::vector<std::vector<std::string>>& above) {
    std::vector<std::string> joined;
    for (const auto& line : above)
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (joined.size() <= i) joined.resize(i + 1);
        if (!trim(line[i]).empty()) joined[i] += (joined[i].empty() ? "" : " ") + line[i];
      }
    for (auto& header : joined) header = plain_header(header);
    std::vector<std::optional<std::size_t>> places;
    missing_.clear();
    for (const auto& column : schema_.columns) {
      std::optional<std::size_t> place;
      const auto look_for = [&](std::string_view name) {
        const auto found = std::find(joined.begin(), joined.end(), plain_header(name));
        if (!place && found != joined.end()) place = static_cast<std::size_t>(found - joined.begin());
      };
      look_for(column.name);
      for (const auto& header : column.headers) look_for(header);
      if (!place && !column.may_be_empty) missing_.push_back(column.name);
      places.push_back(place);
    }
    if (missing_.size() < fewest_missing_.size() || fewest_missing_.empty()) {
      fewest_missing_ = missing_;
      nearest_line_ = records_.line();
    }
    if (!missing_.empty()) return false;
    places_ = std::move(places);
    return true;
  }

  bool find_header() {
    for (const char separator : {',', '\t', ';', '|'}) {
      records_.go_to({0, 1});
      std::vector<std::vector<std::string>> lines;
      while (lines.size() < kMostTitleLines && records_.next(separator)) {
        auto& line = lines.emplace_back();
        for (std::size_t i = 0; i < records_.count(); ++i) line.push_back(records_.cell(i).text);
        note_edition(records_.raw());
        // The fewest joined lines that give every column: lines further up are titles.
        for (std::size_t joined = 0; joined <= std::min(kMostSplitLines, lines.size() - 1); ++joined)
          if (match({lines.end() - 1 - static_cast<std::ptrdiff_t>(joined), lines.end()})) {
            separator_ = separator;
            return true;
          }
      }
    }
    std::string wanted;
    for (const auto& column : fewest_missing_) wanted += (wanted.empty() ? "'" : ", '") + column + "'";
    fault(nearest_line_, 1,
          "no header line has the columns that table '" + schema_.table +
              "' needs; the closest is this line, without " + wanted,
          {});
    return false;
  }

  void note_edition(std::string_view line) {
    constexpr std::string_view kMark = "# edition:";
    if (line.starts_with(kMark) && provenance_.edition.empty())
      provenance_.edition = std::string(trim(line.substr(kMark.size())));
  }

  void read_rows() {
    const auto needed = std::count_if(schema_.columns.begin(), schema_.columns.end(),
                                      [](const Column& column) { return !column.may_be_empty; });
    while (records_.next(separator_)) {
      if (records_.is_unclosed())
        return fault(records_.line(), 1, "a quote is not closed; check whether the file is truncated", records_.raw());
      std::size_t filled = 0;
      for (std::size_t i = 0; i < records_.count(); ++i) filled += trim(records_.cell(i).text).empty() ? 0 : 1;
      if (filled == 0 || records_.raw().starts_with('#')) continue;
      if (filled == 1 && needed > 1 && trim(records_.cell(0).text).find(' ') != std::string_view::npos)
        continue;  // a note below the rows
      if (lines_.size() == kMostRows)
        return fault(records_.line(), 1, "the table has more than " + std::to_string(kMostRows) + " rows", {});
      read_row();
    }
  }

  void read_row() {
    const auto before = cells_.size();
    for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
      const auto& column = schema_.columns[i];
      const bool is_there = places_[i] && *places_[i] < records_.count();
      if (!is_there && !column.may_be_empty) {
        fault(records_.line(), 1, "the row ends before the column '" + column.name + "'", records_.raw());
        return cells_.resize(before);
      }
      static const Cell kEmpty;
      const Cell& given = is_there ? records_.cell(*places_[i]) : kEmpty;
      if (auto problem = take(column, i, trim(given.text))) {
        fault(records_.line(), given.column, column.name + " " + *problem, records_.raw());
        return cells_.resize(before);
      }
    }
    lines_.push_back(records_.line());
  }

  bool is_key(std::size_t column) const {
    return std::find(schema_.key.begin(), schema_.key.end(), column) != schema_.key.end();
  }

  /// Appends the cell, or returns why the text is not valid.
  std::optional<std::string> take(const Column& column, std::size_t index, std::string_view text) {
    const auto quoted = [&] { return "'" + std::string(text.substr(0, 40)) + "'"; };
    const auto add = [&](std::optional<std::int64_t> cell, const char* wanted) -> std::optional<std::string> {
      if (!cell) return std::string("must be ") + wanted + ", not " + quoted();
      cells_.push_back(*cell);
      return std::nullopt;
    };
    const bool is_text =
        column.type == ColumnType::code || column.type == ColumnType::text || column.type == ColumnType::word;
    const bool is_empty = text.empty() || (column.type == ColumnType::date && text == "*");
    if (is_empty && !(is_key(index) && is_text)) {
      if (!column.may_be_empty) return "is empty";
      cells_.push_back(kNothing);
      return std::nullopt;
    }
    if (is_empty && !column.may_be_empty) return "is empty";
    switch (column.type) {
      case ColumnType::code: {
        std::string code(text);
        std::transform(code.begin(), code.end(), code.begin(), upper);
        const bool plain = std::all_of(code.begin(), code.end(), is_alnum);
        return add(plain ? pack_code(code) : std::nullopt, "a code of at most 8 letters and digits");
      }
      case ColumnType::word: {
        std::string word(text.substr(0, text.find(' ')));
        std::transform(word.begin(), word.end(), word.begin(), upper);
        return add(text_number(word), "a word");
      }
      case ColumnType::text: {
        const bool printable = text.size() <= kLongestText &&
                               std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
        return add(printable ? text_number(text) : std::nullopt, "at most 80 printable ASCII characters");
      }
      case ColumnType::integer:
        return add(within(column, whole_number(text)), ("a whole number" + range_of(column, 1)).c_str());
      case ColumnType::decimal:
        return add(within(column, scaled_decimal(text)),
                   ("a number with at most six decimals" + range_of(column, kOneInDecimal)).c_str());
      case ColumnType::date: {
        const auto date = date_of(text);
        return add(date ? std::optional<std::int64_t>(date->days()) : std::nullopt, "a date such as 2026-01-31");
      }
      case ColumnType::flag: {
        std::string word(text);
        std::transform(word.begin(), word.end(), word.begin(), upper);
        const bool yes = word == "Y" || word == "YES" || word == "TRUE" || word == "1",
                   no = word == "N" || word == "NO" || word == "FALSE" || word == "0";
        return add(yes || no ? std::optional<std::int64_t>(yes ? 1 : 0) : std::nullopt, "y or n");
      }
    }
    return "has an unknown type";
  }

  std::optional<std::int64_t> text_number(std::string_view text) {
    const auto known = text_numbers_.find(text);
    if (known != text_numbers_.end()) return known->second;
    const auto number = static_cast<std::int64_t>(texts_.size());
    text_numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }

  Records records_;
  const Schema& schema_;
  Provenance provenance_;
  char separator_ = ',';
  std::vector<std::optional<std::size_t>> places_;  // of the schema's columns
  std::vector<std::string> missing_, fewest_missing_;
  int nearest_line_ = 0;
  std::vector<std::int64_t> cells_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::int64_t> text_numbers_;
  std::vector<int> lines_;  // of the accepted rows
  std::vector<TableFault> faults_;
  std::size_t untold_ = 0;
};

}  // namespace

TableReading read_table(std::string_view text, const Schema& schema, Provenance provenance) {
  return Reader(text, schema, std::move(provenance)).run();
}

}  // namespace tideover::tables
