#include "claim_rows/byte_buffer.hpp"

#include <cstring>

namespace claim_rows {
namespace {

constexpr std::size_t kChunk = std::size_t{64} * 1024;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Length of the UTF-8 sequence at the front (RFC 3629: no overlong forms, no surrogates), 0 = not one.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

tideover_byte_source memory_source(std::string_view& rest) {
  const auto read = [](void* ctx, char* into, std::size_t capacity) noexcept {
    auto& unread = *static_cast<std::string_view*>(ctx);
    const std::size_t count = unread.copy(into, capacity);
    unread.remove_prefix(count);
    return static_cast<std::int64_t>(count);
  };
  return {sizeof(tideover_byte_source), 0, &rest, read};
}

void ByteBuffer::start() {
  while (unread().size() < kByteOrderMark.size() && fill()) {
  }
  const auto head = unread();
  if (head.substr(0, 2) == "\xFF\xFE" || head.substr(0, 2) == "\xFE\xFF")
    throw tideover::sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "the file is UTF-16; save it as UTF-8");
  if (head.substr(0, kByteOrderMark.size()) == kByteOrderMark) consume(kByteOrderMark.size());
  if (unread().empty() && !fill()) throw tideover::sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "the file is empty");
}

bool ByteBuffer::fill() {
  bytes_.erase(0, from_);
  from_ = 0;
  const std::size_t had = bytes_.size();
  bytes_.resize(had + kChunk);
  const std::size_t got = source_.read(bytes_.data() + had, kChunk);
  bytes_.resize(had + got);
  return got > 0;
}

void ByteBuffer::consume(std::size_t count) {
  from_ += count;
  offset_ += static_cast<std::int64_t>(count);
}

void ByteBuffer::skip_line() {
  for (;;) {
    const auto newline = unread().find('\n');
    if (newline != std::string_view::npos) return consume(newline + 1);
    consume(unread().size());
    if (!fill()) return;
  }
}

std::string text_fault(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return "has a NUL byte";
  for (std::size_t i = 0; i < text.size();) {
    if (std::uint64_t bytes = 0;
        text.size() - i >= sizeof bytes) {  // nearly always ASCII, which is checked eight bytes at a time
      std::memcpy(&bytes, text.data() + i, sizeof bytes);
      if ((bytes & 0x8080'8080'8080'8080) == 0) {
        i += sizeof bytes;
        continue;
      }
    }
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) return "is not UTF-8 (byte " + std::to_string(i + 1) + ")";
    i += length;
  }
  return {};
}

}  // namespace claim_rows
