// A remittance file: one file may hold several payments. Formats are plugins. Thread-safe.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/remittance.hpp"
#include "core/domain/result.hpp"

namespace tideover::ports {

class RemittanceFormat {
 public:
  virtual ~RemittanceFormat() = default;
  virtual std::string_view name() const = 0;  // x12_835
  /// Every payment of the file, with warnings for what is odd but readable (a wrong SE count). A file that is cut or
  /// malformed gives one Error with segment number and byte position, and nothing else.
  virtual domain::Result<std::vector<domain::RemittanceDraft>> parse(std::string_view bytes) = 0;
};

class RemittanceFormats {
 public:
  virtual ~RemittanceFormats() = default;
  virtual RemittanceFormat* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;
};

}  // namespace tideover::ports
