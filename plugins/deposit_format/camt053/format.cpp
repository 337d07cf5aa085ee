// ISO 20022 bank statements (camt.053). The format is immutable and can parse on many threads at once.
#include <array>

#include "bank_text/lines.hpp"
#include "bank_text/values.hpp"
#include "document.hpp"
#include "statement.hpp"

namespace camt053 {
namespace {

namespace sdk = tideover::sdk;

/// Received credit transfers, real-time credit transfers, lockbox transactions and cheques.
constexpr const char* kTransactionCodes = "PMNT-RCDT,PMNT-RRCT,PMNT-LBOX,PMNT-RCHQ";
constexpr std::size_t kCodeCharacters = 9;  // four letters, a hyphen, four letters

class Format : public sdk::DepositFormat {
 public:
  static constexpr std::array<tideover_config_key, 1> kConfigKeys{
      {{TIDEOVER_STR("transaction_codes"),
        TIDEOVER_STR("domain and family of payers' payments, e.g. PMNT-RCDT,PMNT-LBOX; a credit with a TRN counts "
                     "whatever its code"),
        0}}};

  Format(const sdk::Host&, const sdk::Config& config) {
    const auto codes = config.find("transaction_codes").value_or(kTransactionCodes);
    for (const auto text : bank_text::split(codes, ',')) {
      const auto code = bank_text::trim(text);
      if (code.size() != kCodeCharacters || code[4] != '-')
        throw sdk::Fault(TIDEOVER_FAULT_INVALID_CONFIG,
                         "setting 'transaction_codes' must be domains with families, separated by commas: PMNT-RCDT");
      transaction_codes_.emplace(code);
    }
  }

  void parse(std::string_view bytes, sdk::DepositSink& sink, const sdk::Deadline& deadline) override {
    StatementWalk walk(transaction_codes_, sink);
    read_document(bytes, deadline, walk);
    if (!walk.found_statement()) throw bank_text::fault_at(1, "the file has no statement (Stmt)");
  }

 private:
  std::set<std::string> transaction_codes_;
};

}  // namespace
}  // namespace camt053

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::DepositFormat, camt053::Format, "camt053", "ISO 20022 bank statement (camt.053)",
                       "1.0.0", "0.1.0");
