// All payer directories as one port, asked in configured order. Thread-safe.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/plugin_host/plugin_call.hpp"
#include "core/ports/payer_directory.hpp"

namespace tideover::plugin_host {

class PayerDirectoryAdapter : public ports::PayerDirectory {
 public:
  explicit PayerDirectoryAdapter(std::chrono::milliseconds budget) : budget_(budget) {}
  /// Only while loading. Asks the plugin for its systems.
  domain::Status add(std::shared_ptr<const Plugin> plugin);

  domain::Result<std::optional<domain::Payer>> get(std::string_view payer_id) override;
  domain::Result<std::vector<domain::PayerMatch>> search(std::string_view text, std::string_view system,
                                                         std::string_view after, std::size_t limit) override;
  std::vector<std::string> systems() const override;

 private:
  struct Directory {
    std::shared_ptr<const Plugin> plugin;
    std::vector<std::string> systems;
  };
  std::vector<Directory> directories_;
  const std::chrono::milliseconds budget_;
};

}  // namespace tideover::plugin_host
