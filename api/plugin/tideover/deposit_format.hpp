// Derive from DepositFormat to read a bank's file of deposits. parse runs on many threads at the same time.
#pragma once
#include <string_view>

#include "date.hpp"
#include "sdk.hpp"

namespace tideover::sdk {

/// The host's sink. Call it in file order.
class DepositSink {
 public:
  explicit DepositSink(const tideover_deposit_sink* sink) : sink_(sink) {}
  void deposit(const tideover_deposit& deposit) { sink_->deposit(sink_->ctx, &deposit); }
  /// Money that cannot be accepted.
  void refused(std::int64_t line, std::string_view reason) { left_out(line, reason, 1); }
  /// Not a subject of this format, such as a debit.
  void ignored(std::int64_t line, std::string_view reason) { left_out(line, reason, 0); }
  void warning(std::int64_t line, std::string_view message) { sink_->warning(sink_->ctx, line, lend(message)); }
  /// The statement that the entries and deposits after it belong to. A host before 1.6 ignores it.
  void statement(const tideover_bank_statement& statement) {
    if (TIDEOVER_HAS(tideover_deposit_sink, sink_, statement)) sink_->statement(sink_->ctx, &statement);
  }
  /// A movement of the latest statement. Call it before the deposit of the same movement.
  void entry(const tideover_bank_entry& entry) {
    if (TIDEOVER_HAS(tideover_deposit_sink, sink_, entry)) sink_->entry(sink_->ctx, &entry);
  }

 private:
  void left_out(std::int64_t line, std::string_view reason, std::int32_t refused) {
    const tideover_left_out record{sizeof(tideover_left_out), refused, line, lend(reason)};
    sink_->left_out(sink_->ctx, &record);
  }

  const tideover_deposit_sink* sink_;
};

class DepositFormat {
 public:
  virtual ~DepositFormat() = default;
  /// Throws Fault(...).at_line(number) for a truncated or malformed file.
  virtual void parse(std::string_view bytes, DepositSink& sink, const Deadline& deadline) = 0;

  static constexpr tideover_kind kKind = TIDEOVER_KIND_DEPOSIT_FORMAT;
  static const tideover_deposit_format kFunctions;
};

namespace abi {

inline tideover_status parse_deposits(void* instance, const tideover_call* call, tideover_str bytes,
                                      const tideover_deposit_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    DepositSink out(sink);
    static_cast<DepositFormat*>(instance)->parse(view(bytes), out, Deadline(call));
    return TIDEOVER_OK;
  });
}

}  // namespace abi

inline constexpr tideover_deposit_format DepositFormat::kFunctions = {sizeof(tideover_deposit_format), 0,
                                                                      &abi::parse_deposits};

}  // namespace tideover::sdk
