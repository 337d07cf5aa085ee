// A directory of the payers that a test puts in. Not thread-safe while it changes.
#pragma once
#include <algorithm>
#include <cctype>

#include "core/ports/plugins/payer_directory.hpp"

namespace tideover::fakes {

class FakePayers final : public ports::PayerDirectory {
 public:
  std::vector<domain::Payer> payers;
  bool down = false;
  int down_after = -1;  // answers until then; below 0 for ever
  std::string refused;  // an identifier that the directory takes for nonsense

  domain::Result<std::optional<domain::Payer>> get(std::string_view payer_id) override {
    if (down || down_after == 0) return failure();
    if (down_after > 0) --down_after;
    if (!refused.empty() && payer_id == refused)
      return domain::Error::of(domain::ErrorCode::invalid_parameter, "This cannot be a payer's identifier.");
    for (const auto& payer : payers)
      if (same(payer.payer_id, payer_id) || std::any_of(payer.aliases.begin(), payer.aliases.end(),
                                                        [&](const auto& alias) { return same(alias, payer_id); }))
        return std::optional(payer);
    return std::optional<domain::Payer>{};
  }
  domain::Result<domain::PayerMatches> search(std::string_view, std::string_view, std::string_view,
                                              std::size_t limit) override {
    if (down) return failure();
    domain::PayerMatches matches;
    for (const auto& payer : payers)
      if (matches.found.size() < limit) matches.found.push_back({payer, domain::kOneInBps, {}});
    return matches;
  }
  std::vector<std::string> systems() const override { return {"internal", "any"}; }

 private:
  static domain::Error failure() {
    return domain::Error::of(domain::ErrorCode::service_unavailable, "The payer directory is down.");
  }
  static bool same(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
      return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
  }
};

}  // namespace tideover::fakes
