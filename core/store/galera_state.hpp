// The view of a Galera node on its cluster.
#pragma once
#include <string>

#include "core/store/sql/session.hpp"

namespace tideover::store {

/// "db1 is Synced, Primary, 3 nodes"; empty when the database is no Galera node. Throws SqlError connection_lost with
/// this text when the node is unusable: not ready, not synced or cut off from the majority.
std::string galera_state(sql::Session& session);

}  // namespace tideover::store
