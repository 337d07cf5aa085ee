// The view that the database node of a session has of its cluster.
#pragma once
#include <string>

#include "core/store/sql/session.hpp"

namespace tideover::store {

/// "db1 is Synced, Primary, 3 nodes"; empty on a database that is not a Galera node. Throws SqlError connection_lost
/// with the same text when the node must not be used: not ready, not synced or separated from the majority.
std::string galera_state(sql::Session& session);

}  // namespace tideover::store
