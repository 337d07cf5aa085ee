// Signed checkpoints of the heads of all hash chains, kept outside the database. An attacker who rewrites a whole chain
// or cuts its end would have to rewrite these as well, and lacks the key.
//
// Threads: thread-safe.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/result.hpp"
#include "core/ports/records/hash_chain.hpp"

namespace tideover::ports {

struct Checkpoint {
  enum class Kind {
    passed,   // the chains continue from the previous checkpoint
    restored  // an older state was restored on purpose: the chains start here, earlier checkpoints are void
  } kind = Kind::passed;
  domain::Timestamp at;
  std::map<std::string, std::vector<ChainHead>> heads;  // by table
};

struct NotedHead {
  domain::Timestamp at;
  std::int64_t position = 0;
  std::string hash;
};

/// The checkpoints of one table.
struct CheckpointTrail {
  std::map<std::string, std::vector<NotedHead>> chains;  // by chain, ordered by position; the newest few thousand
  std::int64_t checkpoints = 0;
  std::optional<domain::Timestamp> newest;
  std::optional<domain::Timestamp> restored;  // when an older state was last restored
  std::vector<std::string> faults;            // faults in the checkpoint file itself, with the line
};

class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  /// On disk when it returns.
  virtual domain::Status append(const Checkpoint& checkpoint) = 0;
  virtual domain::Result<CheckpointTrail> trail(std::string_view table) const = 0;
};

}  // namespace tideover::ports
