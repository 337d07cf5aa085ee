// A bank's file of deposits. Formats are plugins. Thread-safe.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/domain/reconciliation/deposit_file.hpp"

namespace tideover::ports {

class DepositFormat {
 public:
  virtual ~DepositFormat() = default;
  virtual std::string_view name() const = 0;  // bai2
  /// All transactions of the file, with warnings for unusual but readable contents (a wrong control total). A truncated
  /// or malformed file gives one Error with its line, and nothing else.
  virtual domain::Result<domain::DepositFile> parse(std::string_view bytes) = 0;
};

class DepositFormats {
 public:
  virtual ~DepositFormats() = default;
  virtual DepositFormat* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;
};

}  // namespace tideover::ports
