// Derive from RemittanceFormat to read payers' remittances. parse runs on many threads at the same time.
#pragma once
#include <string_view>

#include "date.hpp"
#include "sdk.hpp"

namespace tideover::sdk {

/// The host's sink. For the order of calls see tideover_remittance_sink.
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
  /// A row that cannot be accepted. Its payment must not be given.
  void left_out(std::int64_t line, std::string_view reason) {
    if (!TIDEOVER_HAS(tideover_remittance_sink, sink_, left_out))
      throw Fault(TIDEOVER_FAULT_INVALID_INPUT, std::string(reason)).at_line(line);  // a host of ABI 1.2 or earlier
    const tideover_left_out record{sizeof(tideover_left_out), 1, line, lend(reason)};
    sink_->left_out(sink_->ctx, &record);
  }

 private:
  const tideover_remittance_sink* sink_;
};

class RemittanceFormat {
 public:
  virtual ~RemittanceFormat() = default;
  /// Throws Fault(...).at_segment(number, byte) for a truncated or malformed file.
  virtual void parse(std::string_view bytes, RemittanceSink& sink, const Deadline& deadline) = 0;
  /// For formats with headers. `mapping`: field -> header of the file, or reversed as a whole.
  virtual void parse_mapped(std::string_view bytes, const Pairs& mapping, RemittanceSink& sink,
                            const Deadline& deadline) {
    if (!mapping.empty())
      throw Fault(TIDEOVER_FAULT_INVALID_MAPPING, "this format has no headers; leave `mapping` out");
    parse(bytes, sink, deadline);
  }

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

inline tideover_status parse_mapped_remittance(void* instance, const tideover_call* call, tideover_str bytes,
                                               tideover_pair_list mapping,
                                               const tideover_remittance_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    RemittanceSink out(sink);
    static_cast<RemittanceFormat*>(instance)->parse_mapped(view(bytes), pairs_of(mapping), out, Deadline(call));
    return TIDEOVER_OK;
  });
}

}  // namespace abi

inline constexpr tideover_remittance_format RemittanceFormat::kFunctions = {
    sizeof(tideover_remittance_format), 0, &abi::parse_remittance, &abi::parse_mapped_remittance};

}  // namespace tideover::sdk
