// A remittance file: one file may hold several payments. Formats are plugins. Thread-safe.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/remittance.hpp"
#include "core/domain/result.hpp"

namespace tideover::ports {

class RemittanceFormat {
 public:
  virtual ~RemittanceFormat() = default;
  virtual std::string_view name() const = 0;  // x12_835 | csv
  /// Every payment of the file that can be taken whole, with warnings for what is odd but readable (a wrong SE count), and the rows
  /// that kept others out. `mapping`: field -> header in the file, where the format has headers. A file that is cut or malformed
  /// gives one Error with its position (segment and byte, or line), and nothing else.
  virtual domain::Result<domain::RemittanceFile> parse(std::string_view bytes, const std::vector<std::pair<std::string, std::string>>& mapping) = 0;
};

class RemittanceFormats {
 public:
  virtual ~RemittanceFormats() = default;
  virtual RemittanceFormat* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;
};

}  // namespace tideover::ports
