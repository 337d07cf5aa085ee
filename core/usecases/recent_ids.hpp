// The ids of the last minutes: many thousands a second, nearly in order, sixteen bytes each.
#pragma once
#include <algorithm>
#include <vector>

#include "core/domain/id.hpp"

namespace tideover::usecases {

class RecentIds {
 public:
  bool contains(const domain::Ulid& id) const { return std::binary_search(ids_.begin(), ids_.end(), id); }
  std::size_t size() const { return ids_.size(); }

  void insert(std::vector<domain::Ulid> more) {
    std::sort(more.begin(), more.end());
    more.erase(std::unique(more.begin(), more.end()), more.end());
    const auto middle = static_cast<std::ptrdiff_t>(ids_.size());
    const bool is_in_order = ids_.empty() || more.empty() || ids_.back() < more.front();
    ids_.insert(ids_.end(), more.begin(), more.end());
    if (is_in_order) return;
    std::inplace_merge(ids_.begin(), ids_.begin() + middle, ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  }
  /// Those up to and with `last`.
  void forget(const domain::Ulid& last) { ids_.erase(ids_.begin(), std::upper_bound(ids_.begin(), ids_.end(), last)); }

 private:
  std::vector<domain::Ulid> ids_;  // in order
};

}  // namespace tideover::usecases
