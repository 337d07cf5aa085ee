// Reads choices from the bytes of an input; zeros after its end.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tideover::fuzz {

class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}
  bool any() const { return !rest_.empty(); }
  unsigned byte() {
    if (rest_.empty()) return 0;
    const auto first = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  /// The next bytes, at most `most`.
  std::string_view bytes(std::size_t most) {
    const auto taken = rest_.substr(0, std::min(most, rest_.size()));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <class T, std::size_t Size>
  const T& one_of(const std::array<T, Size>& all) {
    return all[byte() % Size];
  }

 private:
  std::string_view rest_;
};

}  // namespace tideover::fuzz
