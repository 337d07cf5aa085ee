// A read-only view of bytes, so that text and binary data can be passed to the same cryptographic functions without
// casts. Has no data: the caller keeps the bytes alive during the call.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::crypto {

class ByteView {
 public:
  constexpr ByteView() = default;
  constexpr ByteView(std::span<const std::uint8_t> bytes) : data_(bytes.data()), size_(bytes.size()) {}
  ByteView(const std::vector<std::uint8_t>& bytes) : data_(bytes.data()), size_(bytes.size()) {}
  ByteView(std::string_view text) : data_(reinterpret_cast<const std::uint8_t*>(text.data())), size_(text.size()) {}
  ByteView(const std::string& text) : ByteView(std::string_view(text)) {}
  ByteView(const char* text) : ByteView(std::string_view(text)) {}
  template <std::size_t N>
  constexpr ByteView(const std::array<std::uint8_t, N>& bytes) : data_(bytes.data()), size_(N) {}

  constexpr const std::uint8_t* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tideover::crypto
