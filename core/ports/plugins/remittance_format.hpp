// A remittance file, which may have several payments. Formats are plugins. Thread-safe.
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
  /// field -> header in the file, for formats with headers.
  using Mapping = std::vector<std::pair<std::string, std::string>>;
  /// Receives one payment. Its Error ends the reading and is returned; its exceptions pass through.
  using Take = std::function<domain::Status(domain::RemittanceDraft payment)>;

  /// Passes on every complete payment of the file, in order and as soon as it is complete, with warnings for unusual
  /// but readable contents (a wrong SE count). Returns the rows that prevented others. A truncated or malformed file
  /// gives one Error with its position (segment and byte, or line); payments that were passed on before are not
  /// revoked.
  virtual domain::Result<std::vector<domain::LeftOutRow>> read(std::string_view bytes, const Mapping& mapping,
                                                               const Take& take) = 0;
  /// The same for a whole file: all of its payments, or one Error and nothing else.
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
