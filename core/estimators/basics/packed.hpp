// A record in few bytes, for very many records that are seldom read: written field by field, and read in the same
// order.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace tideover::estimators {

/// Immutable, so copies share it.
class Packed {
 public:
  Packed() = default;
  explicit Packed(std::string_view bytes)
      : bytes_(std::make_shared_for_overwrite<char[]>(sizeof(Size) + bytes.size())) {
    const auto size = static_cast<Size>(bytes.size());
    std::memcpy(bytes_.get(), &size, sizeof size);
    std::memcpy(bytes_.get() + sizeof size, bytes.data(), bytes.size());
  }
  std::string_view bytes() const {
    if (!bytes_) return {};
    Size size = 0;
    std::memcpy(&size, bytes_.get(), sizeof size);
    return {bytes_.get() + sizeof size, size};
  }
  explicit operator bool() const { return bytes_ != nullptr; }

 private:
  using Size = std::uint32_t;  // goes before the bytes: a record is one piece of memory and two pointers
  std::shared_ptr<char[]> bytes_;
};

class PackedWriter {
 public:
  template <class Plain>
  void put(Plain value) {
    static_assert(std::is_trivially_copyable_v<Plain>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  /// Small values of either sign, in few bytes.
  void put_number(std::int64_t value) {
    auto rest = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    for (; rest >= 0x80; rest >>= 7) bytes_.push_back(static_cast<char>(rest | 0x80));
    bytes_.push_back(static_cast<char>(rest));
  }
  void put_text(const std::string& text) {
    put_number(static_cast<std::int64_t>(text.size()));
    bytes_ += text;
  }
  Packed packed() const { return Packed(bytes_); }

 private:
  std::string bytes_;
};

class PackedReader {
 public:
  explicit PackedReader(const Packed& packed) : rest_(packed.bytes()) {}
  template <class Plain>
  Plain get() {
    static_assert(std::is_trivially_copyable_v<Plain>);
    Plain value;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::int64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::string text() {
    const auto size = static_cast<std::size_t>(number());
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view rest_;
};

}  // namespace tideover::estimators
