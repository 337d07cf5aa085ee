// CSV files of remittances (api/imports/README.md): a claim, a service line or a provider adjustment per row. The
// format is immutable and can parse on many threads at once.
#include "payments.hpp"

namespace remittance_csv {
namespace {

namespace sdk = tideover::sdk;

/// Rows between checks of the deadline.
constexpr std::int64_t kRowsPerLook = 1024;

class Format : public sdk::RemittanceFormat {
 public:
  static constexpr std::array<tideover_config_key, 0> kConfigKeys{};
  Format(const sdk::Host& host, const sdk::Config&) : host_(host) {}

  void parse(std::string_view bytes, sdk::RemittanceSink& sink, const sdk::Deadline& deadline) override {
    parse_mapped(bytes, {}, sink, deadline);
  }

  void parse_mapped(std::string_view bytes, const sdk::Pairs& given, sdk::RemittanceSink& sink,
                    const sdk::Deadline& deadline) override {
    const auto source = claim_rows::memory_source(bytes);
    csv::CsvRecords records{sdk::ByteSource(&source)};
    const csv::Columns columns(records, given, {is_field, {kRequiredFields.begin(), kRequiredFields.end()}});
    Payments payments(host_.local_date(host_.now_ms()));
    csv::CsvRecord row;
    std::int64_t rows = 0;
    while (records.next(row)) {
      if (++rows % kRowsPerLook == 0 && deadline.expired())
        throw sdk::Fault(TIDEOVER_FAULT_DEADLINE, "the time limit for reading this file was exceeded")
            .at_line(row.line);
      payments.take(row, columns);
    }
    if (rows == 0) throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "the file has no row after its header");
    payments.give(sink);
  }

 private:
  const sdk::Host host_;
};

}  // namespace
}  // namespace remittance_csv

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::RemittanceFormat, remittance_csv::Format, "csv", "Remittances as CSV", "1.0.0",
                       "0.1.0");
