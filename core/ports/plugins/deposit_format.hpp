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
  /// Every transaction of the file, with warnings for what is odd but readable (a wrong control total). A file that is
  /// cut or malformed gives one Error with its line, and nothing else.
  virtual domain::Result<domain::DepositFile> parse(std::string_view bytes) = 0;
};

class DepositFormats {
 public:
  virtual ~DepositFormats() = default;
  virtual DepositFormat* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;
};

}  // namespace tideover::ports
