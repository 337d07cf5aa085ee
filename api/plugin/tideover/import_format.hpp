// Derive from ImportFormat to read bulk files of claims, record by record, in bounded memory. open runs on many threads
// at the same time; a reader runs on one thread at a time.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sdk.hpp"

namespace tideover::sdk {

/// The host's stream. Valid until the reader is closed.
class ByteSource {
 public:
  explicit ByteSource(const tideover_byte_source* source) : source_(source) {}
  /// Number of bytes read; 0 at the end. Throws if the stream is broken; the host reports its own cause.
  std::size_t read(char* into, std::size_t capacity) {
    const std::int64_t got = source_->read(source_->ctx, into, capacity);
    if (got < 0) throw Fault(TIDEOVER_FAULT_INVALID_INPUT, "the input stream broke off");
    return static_cast<std::size_t>(got);
  }

 private:
  const tideover_byte_source* source_;
};

struct Record {
  std::int64_t line = 0;
  std::int64_t byte = -1;
  Pairs fields;
  std::string fault;  // not empty: why the record cannot be read; never quotes a value
};

class ImportReader {
 public:
  virtual ~ImportReader() = default;
  /// Reads one record. false at the end. Throws only if nothing after this point can be read.
  virtual bool next(Record& record) = 0;
};

/// The answers that the sender of a file expects. Since 1.6.
struct Acknowledgment {
  std::string interchange;     // TA1; empty: none is due
  std::string implementation;  // 999; empty: none is due
  std::int64_t last_control_number = 0;
};

class ImportFormat {
 public:
  virtual ~ImportFormat() = default;
  /// `mapping`: service field -> header of the file. Reads no further than the header needs.
  virtual std::unique_ptr<ImportReader> open(ByteSource source, const Pairs& mapping) = 0;
  /// The answers to a whole file, with the control numbers after `last_control_number`. nullopt: there are none.
  virtual std::optional<Acknowledgment> acknowledge(std::string_view /*bytes*/, std::int64_t /*last_control_number*/,
                                                    std::int64_t /*now_ms*/) {
    return std::nullopt;
  }

  static constexpr tideover_kind kKind = TIDEOVER_KIND_IMPORT_FORMAT;
  static const tideover_import_format kFunctions;
};

namespace abi {

inline tideover_status open_import(void* instance, const tideover_call* call, const tideover_byte_source* source,
                                   tideover_pair_list mapping, void** reader) noexcept {
  return guard(call, [&]() -> tideover_status {
    *reader = static_cast<ImportFormat*>(instance)->open(ByteSource(source), pairs_of(mapping)).release();
    return TIDEOVER_OK;
  });
}

inline tideover_status next_record(void* reader, const tideover_call* call, const tideover_record_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    Record record;
    if (!static_cast<ImportReader*>(reader)->next(record)) return TIDEOVER_END;
    const LentPairs fields(record.fields);
    const tideover_record lent{sizeof lent, 0, record.line, record.byte, fields.list(), lend(record.fault)};
    sink->record(sink->ctx, &lent);
    return TIDEOVER_OK;
  });
}

inline void close_import(void* reader) noexcept {
  delete static_cast<ImportReader*>(reader);
}

inline tideover_status acknowledge_import(void* instance, const tideover_call* call, tideover_str bytes,
                                          std::int64_t last_control_number, std::int64_t now_ms,
                                          const tideover_acknowledgment_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    const auto made = static_cast<ImportFormat*>(instance)->acknowledge(view(bytes), last_control_number, now_ms);
    if (!made) return TIDEOVER_END;
    const tideover_acknowledgment lent{sizeof lent, 0, lend(made->interchange), lend(made->implementation),
                                       made->last_control_number};
    sink->acknowledgment(sink->ctx, &lent);
    return TIDEOVER_OK;
  });
}

}  // namespace abi

inline constexpr tideover_import_format ImportFormat::kFunctions = {
    sizeof(tideover_import_format), 0, &abi::open_import, &abi::next_record, &abi::close_import,
    &abi::acknowledge_import};

}  // namespace tideover::sdk
