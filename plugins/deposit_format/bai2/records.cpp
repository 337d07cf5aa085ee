#include "records.hpp"

#include <algorithm>
#include <array>

#include "bank_text/values.hpp"

namespace bai2 {
namespace {

using bank_text::fault_at;

constexpr int kDetail = 16, kAccountTrailer = 49, kContinuation = 88;
constexpr std::array<std::pair<std::string_view, int>, 8> kCodes{
    {{"01", 1}, {"02", 2}, {"03", 3}, {"16", 16}, {"49", 49}, {"88", kContinuation}, {"98", 98}, {"99", 99}}};
constexpr std::int64_t kMostDistributions = 99;

int code_of(std::string_view text) {
  const auto known =
      std::find_if(kCodes.begin(), kCodes.end(), [&](const auto& code) { return text.substr(0, 2) == code.first; });
  const bool delimited = text.size() == 2 || (text.size() > 2 && (text[2] == ',' || text[2] == '/'));
  return known != kCodes.end() && delimited ? known->second : 0;
}

/// Where a record ends, after its "/": at another record on the same line, else at the end of the line. The text of a
/// transaction and of its continuations may contain such characters, so after those another record must have the shape
/// of one.
std::size_t end_of_record(std::string_view text, int code) {
  const bool has_text = code == kDetail || code == kContinuation;
  for (auto slash = text.find('/'); slash != std::string_view::npos; slash = text.find('/', slash + 1)) {
    const auto behind = bank_text::trim(text.substr(slash + 1));
    const int next = behind.size() > 2 && behind[2] == ',' ? code_of(behind) : 0;
    if (next == 0) continue;
    const auto fields = bank_text::split(behind.substr(0, behind.find('/')), ',');
    const auto is_number = [&](std::size_t at) {
      return at < fields.size() && bank_text::parse_signed(bank_text::trim(fields[at])).has_value();
    };
    const bool is_shaped = next == kDetail         ? is_number(1) && fields[1].size() == 3 && is_number(2)
                           : next == kContinuation ? slash > 0 && text[slash - 1] == ','
                                                   : next >= kAccountTrailer && is_number(1) && is_number(2);
    if (!has_text || is_shaped) return slash + 1;
  }
  return text.size();
}

}  // namespace

bool RecordReader::next_line() {
  rest_ = bank_text::trim(rest_);
  if (!rest_.empty()) return true;
  if (!lines_.next(line_)) return false;
  rest_ = bank_text::trim(line_.text);
  return true;
}

bool RecordReader::read_piece() {
  if (!next_line()) {
    ahead_.reset();
    return false;
  }
  const int code = code_of(rest_);
  const auto end = end_of_record(rest_, code);
  auto text = bank_text::trim(rest_.substr(0, end));
  rest_.remove_prefix(end);
  if (code == 0)
    throw fault_at(line_.number, started_
                                     ? "the line does not start with a BAI2 record code (01 02 03 16 49 88 98 99)"
                                     : "the file is not a BAI2 statement: it does not start with a file header (01)");
  started_ = true;
  const bool ended = text.back() == '/';
  if (ended) text.remove_suffix(1);
  ahead_ = Piece{line_.number, code, text.substr(std::min<std::size_t>(3, text.size())), ended};
  return true;
}

bool RecordReader::next(Record& record) {
  if (!ahead_ && (started_ || !read_piece())) return false;
  if (ahead_->code == kContinuation) throw fault_at(ahead_->line, "the file starts with a continuation (88)");
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
  throw fault_at(record.line, "an amount is not a whole number of cents; BAI2 amounts are digits without a point");
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
    if (!date.empty() && !availability.value_date) throw fault_at(record.line, "the value date is not a date (YYMMDD)");
  } else if (type == "D") {
    const auto count = bank_text::parse_digits(fields.next());
    if (!count || *count > kMostDistributions)
      throw fault_at(record.line, "the number of distributions (funds type D) is not a number");
    for (std::int64_t i = 0; i < *count; ++i) {
      fields.next();  // number of days
      amount_in(record, fields.next());
    }
  } else if (!type.empty() && type != "0" && type != "1" && type != "2" && type != "Z") {
    throw fault_at(record.line, "the funds type is not one of 0 1 2 S V D Z");
  }
  return availability;
}

}  // namespace bai2
