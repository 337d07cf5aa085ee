// An import format of lines "path=value;path=value". A line that begins with '!' is a row that cannot be read but for
// the fields behind it, one that begins with '#' is where nothing behind can be read. The first line must be "claims".
#pragma once
#include "core/ports/plugins/import_format.hpp"

namespace tideover::fakes {

class LineReader final : public ports::ImportReader {
 public:
  explicit LineReader(ports::ByteSource& source) : source_(source) {}

  domain::Result<bool> next(ports::ImportRow& row) override {
    std::string line;
    const auto start = bytes_;
    const auto more = next_line(line);
    if (!more || !*more) return more;
    row = {};
    row.line = line_;
    row.byte = start;
    if (line.starts_with('#'))
      return domain::Error::of(domain::ErrorCode::invalid_payload, "The rest of the file is not readable.");
    if (line.starts_with('!')) {
      row.fault = "The row is not readable.";
      line.erase(0, 1);
    }
    for (std::size_t at = 0; at < line.size();) {
      const auto end = std::min(line.find(';', at), line.size());
      const auto equals = line.find('=', at);
      row.fields.emplace_back(line.substr(at, equals - at), line.substr(equals + 1, end - equals - 1));
      at = end + 1;
    }
    return true;
  }

  domain::Result<bool> next_line(std::string& line) {
    line.clear();
    char c = 0;
    while (true) {
      const auto n = source_.read(&c, 1);
      if (!n) return n.error();
      bytes_ += static_cast<std::int64_t>(*n);
      if (*n == 0 && line.empty()) return false;
      if (*n == 0 || c == '\n') break;
      line += c;
    }
    ++line_;
    return true;
  }

 private:
  ports::ByteSource& source_;
  std::int64_t line_ = 0;
  std::int64_t bytes_ = 0;
};

class LineFormats final : public ports::ImportFormats, public ports::ImportFormat {
 public:
  std::string_view name() const override { return "lines"; }
  domain::Result<std::unique_ptr<ports::ImportReader>> open(
      ports::ByteSource& source, const std::vector<std::pair<std::string, std::string>>&) override {
    auto reader = std::make_unique<LineReader>(source);
    std::string header;
    const auto read = reader->next_line(header);
    if (!read) return read.error();
    if (header != "claims")
      return domain::Error::of(domain::ErrorCode::invalid_payload, "The file does not begin with 'claims'.");
    return std::unique_ptr<ports::ImportReader>(std::move(reader));
  }
  ports::ImportFormat* find(std::string_view wanted) override { return wanted == name() ? this : nullptr; }
  std::vector<std::string> names() const override { return {"lines"}; }
};

}  // namespace tideover::fakes
