// The claims of a trial run's own file, of which nothing is kept in the database: a second row of a claim is told as
// the real run would find it.
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
  /// Some 50 bytes a claim; rows of claims behind these are told as if they were the first of theirs.
  static constexpr std::size_t kMostClaims = 2'000'000;

  /// Of the texts of a row: an amount written in two ways is two contents.
  static Hash content_of(const ports::ImportRow& row) {
    std::string text;
    for (const auto& [path, value] : row.fields) text += path + '=' + std::to_string(value.size()) + ':' + value;
    return std::hash<std::string>{}(text);
  }

  void note(const std::string& claim_identifier, Hash content) {
    const Hash claim = std::hash<std::string>{}(claim_identifier);
    if (contents_.size() < kMostClaims || contents_.contains(claim)) contents_[claim] = content;
  }
  /// Content of the claim's last row that the real run would take; null without one.
  const Hash* find(const std::string& claim_identifier) const {
    const auto at = contents_.find(std::hash<std::string>{}(claim_identifier));
    return at == contents_.end() ? nullptr : &at->second;
  }

 private:
  std::unordered_map<Hash, Hash> contents_;
};

}  // namespace tideover::usecases
