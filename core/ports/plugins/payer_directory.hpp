// Who the payers are. Thread-safe; an answer is a copy and stays valid.
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
  /// By id, alias or crosswalk identifier, case-insensitive. nullopt = no such payer; Error = the directory failed.
  virtual domain::Result<std::optional<domain::Payer>> get(std::string_view payer_id) = 0;
  /// Best first. `text` empty = all payers in id order; `after` is the payer_id to continue behind (only when `text` is
  /// empty); `system` is one of systems(). Error when no directory answers; warnings when only some do.
  virtual domain::Result<domain::PayerMatches> search(std::string_view text, std::string_view system,
                                                      std::string_view after, std::size_t limit) = 0;
  /// Identifier namespaces it can search: internal, any and its own.
  virtual std::vector<std::string> systems() const = 0;
};

}  // namespace tideover::ports
