// What was acknowledged to clients, and whether the store still has it.
#pragma once

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "core/store/sql/database.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {

inline std::filesystem::path store_file(const ServiceFolder& folder) {
  return folder.path() / "store" / "tideover.db";
}

/// An answer without a status where the service does not listen any more.
template <class Send>
Answer attempt(const Send& send) {
  try {
    return send();
  } catch (const std::system_error&) {
    return {};
  }
}

/// The reviews that were acknowledged. Thread-safe.
class AcknowledgedReviews {
 public:
  /// Sends a review and remembers it if it was acknowledged; returns the status.
  int review(const ApiClient& api, const std::string& identifier) {
    const auto answer = attempt([&] { return api.post("/v1/claims/reviews", claim_body(identifier)); });
    if (answer.status == 200) {
      const auto id = answer.json().text("/claim_id");
      const std::lock_guard held(mutex_);
      acknowledged_.push_back(id);
    }
    return answer.status;
  }
  std::size_t size() const {
    const std::lock_guard held(mutex_);
    return acknowledged_.size();
  }
  /// Those that the store of a service that does not run has no more.
  std::vector<std::string> lost(const ServiceFolder& folder) const {
    std::set<std::string> kept;
    const auto database = sql::Database::open({sql::SqliteOptions{store_file(folder)}});
    {
      const auto reader = database->reader();
      for (const sql::Row& row : reader->query("SELECT id FROM claims")) kept.insert(row.text(0));
    }
    std::vector<std::string> missing;
    const std::lock_guard held(mutex_);
    for (const auto& id : acknowledged_)
      if (!kept.contains(id)) missing.push_back(id);
    return missing;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> acknowledged_;
};

/// Payments that the simulated bank of a rail has made.
inline std::size_t payments(const ServiceFolder& folder, const std::string& rail = "rtp") {
  const auto book = folder.path() / (rail + ".bank");
  if (!std::filesystem::exists(book)) return 0;
  const auto text = read_file(book);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace tideover::test
