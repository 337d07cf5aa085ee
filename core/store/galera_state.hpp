// How the database node behind a session sees its cluster.
#pragma once
#include <string>

#include "core/store/sql/session.hpp"

namespace tideover::store {

/// "db1 is Synced, Primary, 3 nodes"; empty on a database that is no Galera node. Throws SqlError connection_lost, with
/// the same words, when the node may not be used: not ready, not synced or cut off from the majority.
std::string galera_state(sql::Session& session);

}  // namespace tideover::store
