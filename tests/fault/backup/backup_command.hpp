// What the backup drills share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/world/flow.hpp"

namespace tideover::test {

inline CommandResult backup(const ServiceFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "backup");
  arguments.insert(arguments.end(), {"--config", folder.config_file().string()});
  return run_tideover(arguments);
}

/// Payments that the simulated bank of the RTP rail has made.
inline std::size_t payments(const ServiceFolder& folder) {
  const auto text = read_file(folder.path() / "rtp.bank");
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The sum of one count ("adopted", "tasks") over all log lines of the service about replaying its rail journal.
inline std::int64_t counted(const ServiceFolder& folder, const std::string& what) {
  const auto log = read_file(folder.log_file());
  const std::string event = "\"rail_journal_replayed\"";
  std::int64_t sum = 0;
  for (auto at = log.find(event); at != std::string::npos; at = log.find(event, at + 1)) {
    const auto line = log.substr(at, log.find('\n', at) - at);
    const auto count = line.find('"' + what + "\":");
    if (count != std::string::npos) sum += std::atoll(line.c_str() + count + what.size() + 3);
  }
  return sum;
}

}  // namespace tideover::test
