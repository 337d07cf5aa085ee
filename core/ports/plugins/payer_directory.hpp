// The directory of payers. Thread-safe; results are copies and stay valid.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/domain/claims/payer.hpp"

namespace tideover::ports {

class PayerDirectory {
 public:
  virtual ~PayerDirectory() = default;
  /// Finds a payer by id, alias or crosswalk identifier, case-insensitive. nullopt: no such payer. Error: the directory
  /// failed.
  virtual domain::Result<std::optional<domain::Payer>> get(std::string_view payer_id) = 0;
  /// Best match first. Empty `text`: all payers in id order, after the payer_id `after`. `system` is one of systems().
  /// Error when no directory responds; warnings when only some do.
  virtual domain::Result<domain::PayerMatches> search(std::string_view text, std::string_view system,
                                                      std::string_view after, std::size_t limit) = 0;
  /// The identifier systems that can be searched: internal, any and its own.
  virtual std::vector<std::string> systems() const = 0;
};

}  // namespace tideover::ports
