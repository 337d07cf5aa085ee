// NDJSON files of claims: one review request per line (api/imports/README.md). The format is immutable; a reader is
// used by one thread at a time.
#include "claim_rows/byte_buffer.hpp"
#include "claim_rows/mapping.hpp"
#include "json_row.hpp"
#include "tideover/import_format.hpp"

namespace ndjson {
namespace {

namespace sdk = tideover::sdk;

class Reader : public sdk::ImportReader {
 public:
  Reader(sdk::ByteSource source, claim_rows::Mapping mapping) : buffer_(source), mapping_(std::move(mapping)) {
    buffer_.start();
  }

  bool next(sdk::Record& record) override {
    while (!buffer_.unread().empty() || buffer_.fill()) {
      record = {++line_, buffer_.offset(), {}, {}};
      const std::size_t length = line_length();
      if (length > claim_rows::kLongestRow) {
        record.fault = "the row is longer than 1 MiB";
        buffer_.skip_line();
        return true;
      }
      const auto text = buffer_.unread().substr(0, length);
      const bool is_blank = text.find_first_not_of(" \t\r") == std::string_view::npos;
      if (!is_blank) {
        if (const auto fault = claim_rows::text_fault(text); !fault.empty()) record.fault = "the row " + fault;
        if (record.fault.empty()) record.fault = flatten(text, mapping_, record.fields);
        if (!record.fault.empty()) record.fields.clear();
      }
      buffer_.consume(std::min(length + 1, buffer_.unread().size()));
      if (!is_blank) return true;
    }
    return false;
  }

 private:
  /// Length of the first line without its line feed; more than kLongestRow when it is longer.
  std::size_t line_length() {
    std::size_t searched = 0;
    for (;;) {
      const auto newline = buffer_.unread().find('\n', searched);
      if (newline != std::string_view::npos) return newline;
      searched = buffer_.unread().size();
      if (searched > claim_rows::kLongestRow || !buffer_.fill()) return searched;
    }
  }

  claim_rows::ByteBuffer buffer_;
  const claim_rows::Mapping mapping_;
  std::int64_t line_ = 0;
};

class Format : public sdk::ImportFormat {
 public:
  static constexpr std::array<tideover_config_key, 0> kConfigKeys{};
  Format(const sdk::Host&, const sdk::Config&) {}

  std::unique_ptr<sdk::ImportReader> open(sdk::ByteSource source, const sdk::Pairs& mapping) override {
    return std::make_unique<Reader>(source, claim_rows::Mapping(mapping));
  }
};

}  // namespace
}  // namespace ndjson

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::ImportFormat, ndjson::Format, "ndjson", "Claims as NDJSON", "1.0.0", "0.1.0");
