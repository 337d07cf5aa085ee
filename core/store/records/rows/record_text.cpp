#include "core/store/records/rows/record_text.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace tideover::store {
namespace {

constexpr char kFieldEnd = '\x1f';
constexpr char kRecordEnd = '\x1e';
constexpr char kEscape = '\\';

[[noreturn]] void damaged(const char* what) {
  throw std::runtime_error(std::string("a stored list is damaged: ") + what);
}

/// The byte after the escape byte; unescaped bytes are not passed here.
char letter_of(char byte) {
  return byte == kFieldEnd ? 'f' : byte == kRecordEnd ? 'r' : kEscape;
}

char byte_of(char letter) {
  switch (letter) {
    case 'f':
      return kFieldEnd;
    case 'r':
      return kRecordEnd;
    case kEscape:
      return kEscape;
    default:
      damaged("unknown escape");
  }
}

std::int64_t parsed(const std::string& digits) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) damaged("a number was expected");
  return value;
}

}  // namespace

RecordWriter& RecordWriter::text(std::string_view field) {
  for (;;) {
    const auto special = std::find_if(field.begin(), field.end(), [](char byte) {
      return byte == kFieldEnd || byte == kRecordEnd || byte == kEscape;
    });
    text_.append(field.begin(), special);
    if (special == field.end()) break;
    text_ += kEscape;
    text_ += letter_of(*special);
    field.remove_prefix(static_cast<std::size_t>(special - field.begin()) + 1);
  }
  text_ += kFieldEnd;
  return *this;
}

RecordWriter& RecordWriter::integer(std::int64_t field) {
  return text(std::to_string(field));
}

RecordWriter& RecordWriter::optional_integer(const std::optional<std::int64_t>& field) {
  return field ? integer(*field) : text("");
}

void RecordWriter::end_record() {
  text_ += kRecordEnd;
}

bool RecordReader::next() {
  if (text_.empty()) return false;
  const auto end = text_.find(kRecordEnd);
  if (end == std::string_view::npos) damaged("its last record is truncated");
  record_ = text_.substr(0, end);
  text_.remove_prefix(end + 1);
  return true;
}

std::string RecordReader::text() {
  const auto end = record_.find(kFieldEnd);
  if (end == std::string_view::npos) damaged("a record has too few fields");
  std::string field;
  for (std::size_t at = 0; at < end; ++at) {
    if (record_[at] != kEscape) {
      field += record_[at];
    } else {
      if (++at == end) damaged("an escape at the end of a field");
      field += byte_of(record_[at]);
    }
  }
  record_.remove_prefix(end + 1);
  return field;
}

bool RecordReader::skips(std::string_view word) {
  if (!record_.starts_with(word) || record_.size() == word.size() || record_[word.size()] != kFieldEnd) return false;
  record_.remove_prefix(word.size() + 1);
  return true;
}

std::int64_t RecordReader::integer() {
  return parsed(text());
}

std::optional<std::int64_t> RecordReader::optional_integer() {
  const auto field = text();
  return field.empty() ? std::nullopt : std::optional(parsed(field));
}

}  // namespace tideover::store
