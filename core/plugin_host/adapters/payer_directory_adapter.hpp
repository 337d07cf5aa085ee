// All payer directories as one port, called in configured order. Thread-safe.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/plugin_host/calls/plugin_call.hpp"
#include "core/ports/plugins/payer_directory.hpp"

namespace tideover::plugin_host {

/// A cache of results of get(): a call on the plugin's thread costs several times as much as the lookup itself, and
/// each review needs one lookup. Thread-safe.
class RecentPayers {
 public:
  using Answer = std::shared_ptr<const std::optional<domain::Payer>>;
  using Clock = std::chrono::steady_clock;
  explicit RecentPayers(std::chrono::milliseconds fresh_for) : fresh_for_(fresh_for) {}
  /// Null when the id is not in the cache.
  Answer find(const std::string& payer_id) const;
  void put(const std::string& payer_id, Answer answer);

 private:
  struct Known {
    Answer answer;
    Clock::time_point until;
  };
  const std::chrono::milliseconds fresh_for_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, Known> known_;  // guarded by mutex_
};

class PayerDirectoryAdapter : public ports::PayerDirectory {
 public:
  PayerDirectoryAdapter(std::chrono::milliseconds budget, std::chrono::milliseconds fresh_for)
      : budget_(budget), recent_(fresh_for) {}
  /// Only during loading. Calls the plugin for its systems.
  domain::Status add(std::shared_ptr<const Plugin> plugin, std::chrono::milliseconds budget);

  domain::Result<std::optional<domain::Payer>> get(std::string_view payer_id) override;
  domain::Result<domain::PayerMatches> search(std::string_view text, std::string_view system, std::string_view after,
                                              std::size_t limit) override;
  std::vector<std::string> systems() const override;

 private:
  domain::Result<std::optional<domain::Payer>> ask(const std::string& payer_id) const;
  domain::Result<std::optional<domain::Payer>> get_from(const std::shared_ptr<const Plugin>& plugin,
                                                        std::string_view payer_id) const;
  domain::Result<std::vector<domain::PayerMatch>> search_in(const std::shared_ptr<const Plugin>& plugin,
                                                            std::string_view text, std::string_view system,
                                                            std::string_view after, std::size_t limit) const;
  /// True when no directory before `index` has the id. Sets `failed` when one of them does not answer; while it is set,
  /// no directory is called and the result is false.
  bool is_free_for(std::size_t index, std::string_view payer_id, bool& failed) const;

  struct Directory {
    std::shared_ptr<const Plugin> plugin;
    std::vector<std::string> systems;
  };
  std::vector<Directory> directories_;
  const std::chrono::milliseconds budget_;
  RecentPayers recent_;
};

}  // namespace tideover::plugin_host
