// A line of the rail journal. Its hash proves the line, and the hash of the line before proves its position.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/ports/rail_journal.hpp"

namespace tideover::journal {

inline constexpr std::string_view kNoLineBefore = "00000000000000000000000000000000";
/// Longer lines count as damage.
inline constexpr std::size_t kLongestLine = 1024;

struct Begun {
  domain::Timestamp at;
  std::uint64_t dropped = 0;
};
struct Outcome {
  domain::Timestamp at;
  std::string key;
  domain::AttemptState state = domain::AttemptState::unknown;
};
struct Cut {
  domain::Timestamp at;
  std::uint64_t bytes = 0;
};
struct Resumed {
  domain::Timestamp at;
};
using Entry = std::variant<Begun, ports::JournalledSend, Outcome, Cut, Resumed>;

struct Line {
  std::string hash;
  std::string previous;
  Entry entry;
};

/// With the final newline; `hash` becomes the hash of this line.
std::string write_line(const Entry& entry, std::string& hash);
/// `text` without its newline; nullopt when its hash is wrong.
std::optional<Line> read_line(std::string_view text);

}  // namespace tideover::journal
