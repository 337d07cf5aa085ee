// Derive from RemittanceFormat to read what payers say they paid. parse runs on many threads at once.
#pragma once
#include <string_view>

#include "date.hpp"
#include "sdk.hpp"

namespace tideover::sdk {

/// The host's sink. Order of calls: see tideover_remittance_sink.
class RemittanceSink {
 public:
  explicit RemittanceSink(const tideover_remittance_sink* sink) : sink_(sink) {}
  void payment(const tideover_payment& payment) { sink_->payment(sink_->ctx, &payment); }
  void claim(const tideover_remittance_claim& claim) { sink_->claim(sink_->ctx, &claim); }
  void line(const tideover_remittance_line& line) { sink_->line(sink_->ctx, &line); }
  void claim_adjustment(const tideover_adjustment& a) { sink_->claim_adjustment(sink_->ctx, &a); }
  void line_adjustment(const tideover_adjustment& a) { sink_->line_adjustment(sink_->ctx, &a); }
  void provider_adjustment(const tideover_provider_adjustment& a) { sink_->provider_adjustment(sink_->ctx, &a); }
  void warning(std::string_view message) { sink_->warning(sink_->ctx, lend(message)); }

 private:
  const tideover_remittance_sink* sink_;
};

class RemittanceFormat {
 public:
  virtual ~RemittanceFormat() = default;
  /// Throw Fault(...).at_segment(number, byte) for a file that is cut or malformed.
  virtual void parse(std::string_view bytes, RemittanceSink& sink, const Deadline& deadline) = 0;

  static constexpr tideover_kind kKind = TIDEOVER_KIND_REMITTANCE_FORMAT;
  static const tideover_remittance_format kFunctions;
};

namespace abi {

inline tideover_status parse_remittance(void* instance, const tideover_call* call, tideover_str bytes,
                                        const tideover_remittance_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    RemittanceSink out(sink);
    static_cast<RemittanceFormat*>(instance)->parse(view(bytes), out, Deadline(call));
    return TIDEOVER_OK;
  });
}

}  // namespace abi

inline constexpr tideover_remittance_format RemittanceFormat::kFunctions = {sizeof(tideover_remittance_format), 0,
                                                                            &abi::parse_remittance};

}  // namespace tideover::sdk
