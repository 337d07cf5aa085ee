// The claims of a trial run. A trial run stores nothing in the database, so a second row of a claim is compared with
// the first here, as a real run would find it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "core/ports/plugins/import_format.hpp"

namespace tideover::usecases {

class TrialRows {
 public:
  using Hash = std::uint64_t;
  /// About 50 bytes per claim. Rows beyond the limit count as the first of their claim.
  static constexpr std::size_t kMostClaims = 2'000'000;

  /// The hash of a row's text: an amount in two spellings is two contents.
  static Hash content_of(const ports::ImportRow& row) {
    std::string text;
    for (const auto& [path, value] : row.fields) text += path + '=' + std::to_string(value.size()) + ':' + value;
    return std::hash<std::string>{}(text);
  }

  void note(const std::string& claim_identifier, Hash content) {
    const Hash claim = std::hash<std::string>{}(claim_identifier);
    if (contents_.size() < kMostClaims || contents_.contains(claim)) contents_[claim] = content;
  }
  /// The content of the claim's last row that a real run would accept; null when there is none.
  const Hash* find(const std::string& claim_identifier) const {
    const auto at = contents_.find(std::hash<std::string>{}(claim_identifier));
    return at == contents_.end() ? nullptr : &at->second;
  }

 private:
  std::unordered_map<Hash, Hash> contents_;
};

}  // namespace tideover::usecases
