#include "records.hpp"

#include <array>
#include <algorithm>

#include "bank_text/values.hpp"

namespace bai2 {
namespace {

using bank_text::fault_at;

constexpr int kContinuation = 88;
constexpr std::array<std::pair<std::string_view, int>, 8> kCodes{
    {{"01", 1}, {"02", 2}, {"03", 3}, {"16", 16}, {"49", 49}, {"88", kContinuation}, {"98", 98}, {"99", 99}}};
constexpr std::int64_t kMostDistributions = 99;

int code_of(std::string_view text) {
  const auto known = std::find_if(kCodes.begin(), kCodes.end(), [&](const auto& code) { return text.substr(0, 2) == code.first; });
  const bool delimited = text.size() == 2 || (text.size() > 2 && (text[2] == ',' || text[2] == '/'));
  return known != kCodes.end() && delimited ? known->second : 0;
}

}  // namespace

bool RecordReader::read_piece() {
  bank_text::Line line;
  if (!lines_.next(line)) {
    ahead_.reset();
    return false;
  }
  auto text = bank_text::trim(line.text);
  const int code = code_of(text);
  if (code == 0)
    throw fault_at(line.number, started_ ? "the line begins with no record code of BAI2 (01 02 03 16 49 88 98 99)"
                                         : "the file is no BAI2 statement: it does not begin with a file header (01)");
  started_ = true;
  const bool ended = text.back() == '/';
  if (ended) text.remove_suffix(1);
  ahead_ = Piece{line.number, code, text.substr(std::min<std::size_t>(3, text.size())), ended};
  return true;
}

bool RecordReader::next(Record& record) {
  if (!ahead_ && (started_ || !read_piece())) return false;
  if (ahead_->code == kContinuation) throw fault_at(ahead_->line, "a continuation (88) stands first in the file");
  record = {ahead_->line, ahead_->code, {ahead_->text}, ahead_->ended};
  while (read_piece() && ahead_->code == kContinuation) {
    record.lines.push_back(ahead_->text);
    record.ended = ahead_->ended;
  }
  return true;
}

std::string_view FieldCursor::next() {
  if (at_end()) return {};
  const auto text = record_.lines[piece_];
  const auto end = text.find(',', at_);
  const auto field = text.substr(at_, end == std::string_view::npos ? end : end - at_);
  if (end == std::string_view::npos) {
    ++piece_;
    at_ = 0;
  } else {
    at_ = end + 1;
  }
  return bank_text::trim(field);
}

std::vector<std::string_view> FieldCursor::rest() {
  std::vector<std::string_view> left;
  for (; !at_end(); ++piece_, at_ = 0) left.push_back(record_.lines[piece_].substr(at_));
  return left;
}

std::int64_t amount_in(const Record& record, std::string_view field) {
  if (field.empty()) return 0;
  if (const auto amount = bank_text::parse_signed(field)) return *amount;
  throw fault_at(record.line, "an amount is no whole number of cents; BAI2 writes digits without a point");
}

Availability take_availability(const Record& record, FieldCursor& fields) {
  Availability availability;
  const auto type = fields.next();
  if (type == "S") {
    for (int day = 0; day < 3; ++day) amount_in(record, fields.next());
  } else if (type == "V") {
    const auto date = fields.next();
    fields.next();  // the time
    availability.value_date = bank_text::parse_short_date(date);
    if (!date.empty() && !availability.value_date) throw fault_at(record.line, "the value date is no date (YYMMDD)");
  } else if (type == "D") {
    const auto count = bank_text::parse_digits(fields.next());
    if (!count || *count > kMostDistributions) throw fault_at(record.line, "the number of distributions (funds type D) is none");
    for (std::int64_t i = 0; i < *count; ++i) {
      fields.next();  // in how many days
      amount_in(record, fields.next());
    }
  } else if (!type.empty() && type != "0" && type != "1" && type != "2" && type != "Z") {
    throw fault_at(record.line, "the funds type is none of 0 1 2 S V D Z");
  }
  return availability;
}

}  // namespace bai2
