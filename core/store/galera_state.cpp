#include "core/store/galera_state.hpp"

#include <map>

namespace tideover::store {

std::string galera_state(sql::Session& session) {
  if (session.dialect() != sql::Dialect::mysql) return "";
  std::map<std::string, std::string> seen;
  for (const sql::Row& row : session.query("SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', "
                                           "'wsrep_local_state_comment', 'wsrep_cluster_status', "
                                           "'wsrep_cluster_size')"))
    seen[row.text(0)] = row.text(1);
  if (seen["wsrep_cluster_status"].empty() || seen["wsrep_cluster_status"] == "Disconnected") return "";
  for (const sql::Row& row : session.query("SHOW GLOBAL VARIABLES WHERE Variable_name = 'wsrep_node_name'"))
    seen["name"] = row.text(1);

  const std::string state = seen["name"] + " is " + seen["wsrep_local_state_comment"] + ", " +
                            seen["wsrep_cluster_status"] + ", " + seen["wsrep_cluster_size"] + " nodes";
  if (seen["wsrep_ready"] != "ON" || seen["wsrep_local_state_comment"] != "Synced" ||
      seen["wsrep_cluster_status"] != "Primary")
    throw sql::SqlError(sql::SqlError::Kind::connection_lost, 0, "the database node cannot be used: " + state);
  return state;
}

}  // namespace tideover::store
