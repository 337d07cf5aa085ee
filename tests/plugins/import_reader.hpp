// The shipped import formats through the host, and a file as a stream of pieces.
#pragma once
#include <algorithm>

#include "tests/plugins/world.hpp"

namespace tideover::plugin_test {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Gives its text in pieces of `step` bytes, then breaks off where a test says so.
class TextSource : public ports::ByteSource {
 public:
  TextSource(std::string text, std::size_t step, bool breaks = false)
      : text_(std::move(text)), step_(step), breaks_(breaks) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    const std::size_t count = std::min({step_, capacity, text_.size() - at_});
    if (count == 0 && breaks_) return domain::Error::of(domain::ErrorCode::payload_too_large, "the stream is too long");
    text_.copy(into, count, at_);
    at_ += count;
    return count;
  }

 private:
  const std::string text_;
  const std::size_t step_;
  const bool breaks_;
  std::size_t at_ = 0;
};

struct Formats : World {
  std::unique_ptr<plugin_host::PluginHost> host = load({{shipped("import_format_ndjson"), "import_format", "", {}},
                                                        {shipped("import_format_csv"), "import_format", "", {}},
                                                        {shipped("import_format_x12_837"), "import_format", "", {}}});

  domain::Result<std::vector<ports::ImportRow>> read(const std::string& format, const std::string& text,
                                                     const Pairs& mapping = {}, std::size_t step = 1 << 16) {
    TextSource source(text, step);
    auto reader = host->imports().find(format)->open(source, mapping);
    if (!reader) return reader.error();
    std::vector<ports::ImportRow> rows;
    for (;;) {
      ports::ImportRow row;
      auto more = (*reader)->next(row);
      if (!more) return more.error();
      if (!*more) return rows;
      rows.push_back(std::move(row));
    }
  }
  std::vector<ports::ImportRow> rows(const std::string& format, const std::string& text, const Pairs& mapping = {},
                                     std::size_t step = 1 << 16) {
    auto result = read(format, text, mapping, step);
    if (!result) BOOST_FAIL(result.error().message);
    return std::move(*result);
  }
  domain::Error refused(const std::string& format, const std::string& text, const Pairs& mapping = {}) {
    auto result = read(format, text, mapping);
    BOOST_REQUIRE(!result);
    return result.error();
  }
};

inline std::string value(const ports::ImportRow& row, const std::string& path) {
  for (const auto& [name, text] : row.fields)
    if (name == path) return text;
  return "(none)";
}

}  // namespace tideover::plugin_test
