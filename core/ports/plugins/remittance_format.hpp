// A remittance file: one file may hold several payments. Formats are plugins. Thread-safe.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::ports {

class RemittanceFormat {
 public:
  virtual ~RemittanceFormat() = default;
  virtual std::string_view name() const = 0;  // x12_835 | csv
  /// field -> header in the file, where the format has headers.
  using Mapping = std::vector<std::pair<std::string, std::string>>;
  /// Takes one payment over. Its Error ends the reading, and is the answer; what it throws comes through.
  using Take = std::function<domain::Status(domain::RemittanceDraft payment)>;

  /// Hands over every payment of the file that can be taken whole, in order and as soon as it is whole, with warnings
  /// for what is odd but readable (a wrong SE count). Gives the rows that kept others out. A file that is cut or
  /// malformed gives one Error with its position (segment and byte, or line); what was handed over before stays with
  /// who took it.
  virtual domain::Result<std::vector<domain::LeftOutRow>> read(std::string_view bytes, const Mapping& mapping,
                                                               const Take& take) = 0;
  /// The same of a whole file: all of its payments, or one Error and nothing else.
  domain::Result<domain::RemittanceFile> parse(std::string_view bytes, const Mapping& mapping) {
    domain::RemittanceFile file;
    auto left_out = read(bytes, mapping, [&](domain::RemittanceDraft payment) -> domain::Status {
      file.payments.push_back(std::move(payment));
      return {};
    });
    if (!left_out) return left_out.error();
    file.left_out = std::move(*left_out);
    return file;
  }
};

class RemittanceFormats {
 public:
  virtual ~RemittanceFormats() = default;
  virtual RemittanceFormat* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;
};

}  // namespace tideover::ports
