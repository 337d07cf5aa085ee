// CCD+ addenda: payments whose addenda have the trace number of their remittance. The format has no state and can parse
// on many threads at once.
#include <array>

#include "readers.hpp"

namespace ccd_addenda {
namespace {

namespace sdk = tideover::sdk;

class Format : public sdk::DepositFormat {
 public:
  static constexpr std::array<tideover_config_key, 0> kConfigKeys{};
  Format(const sdk::Host&, const sdk::Config&) {}

  void parse(std::string_view bytes, sdk::DepositSink& sink, const sdk::Deadline& deadline) override {
    is_nacha(bytes) ? read_nacha(bytes, sink, deadline) : read_table(bytes, sink, deadline);
  }
};

}  // namespace
}  // namespace ccd_addenda

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::DepositFormat, ccd_addenda::Format, "ccd_addenda", "CCD+ addenda", "1.0.0",
                       "0.1.0");
