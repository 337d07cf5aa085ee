// Signed notes of how far every hash chain went, kept outside the database: whoever rewrites a whole chain or cuts its
// tail would have to rewrite these too, and lacks the key. Thread-safe.
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
    passed,   // the chains went on from the checkpoint before
    restored  // an older state was put back on purpose: the chains start from here, what was noted before is void
  } kind = Kind::passed;
  domain::Timestamp at;
  std::map<std::string, std::vector<ChainHead>> heads;  // by table
};

struct NotedHead {
  domain::Timestamp at;
  std::int64_t position = 0;
  std::string hash;
};

/// What the notes say about one table.
struct CheckpointTrail {
  std::map<std::string, std::vector<NotedHead>> chains;  // by chain, in the order of positions; the newest few thousand
  std::int64_t checkpoints = 0;
  std::optional<domain::Timestamp> newest;
  std::optional<domain::Timestamp> restored;  // when an older state was last put back
  std::vector<std::string> faults;            // what in the notes themselves cannot be believed, with its line
};

class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  /// On disk when it returns.
  virtual domain::Status append(const Checkpoint& checkpoint) = 0;
  virtual domain::Result<CheckpointTrail> trail(std::string_view table) const = 0;
};

}  // namespace tideover::ports
