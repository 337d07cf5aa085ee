// Three Galera nodes behind HAProxy for the life of this object: the shipped packaging/cluster with its shipped
// settings. Make it on the main thread, before others start: with separate networks the whole program moves into a
// network namespace of its own. Taken down also when the test program is killed.
#pragma once

#include <filesystem>
#include <string>

#include "core/store/sql/mysql_session.hpp"

namespace tideover::tests {

class GaleraCluster {
 public:
  /// What is missing on this machine, or why it is not wanted; empty when a cluster can be started.
  static std::string obstacle();
  /// Whether nodes can be cut off from each other: root, with network namespaces to make.
  static bool can_be_cut();

  GaleraCluster();
  GaleraCluster(const GaleraCluster&) = delete;
  GaleraCluster& operator=(const GaleraCluster&) = delete;
  ~GaleraCluster();

  /// One of its commands: run("kill", 2), run("recover"). Returns what it wrote; throws when it fails.
  std::string run(const std::string& command, int node = 0) const;
  /// All nodes at once, SIGKILL.
  void kill_all() const;

  /// The database through HAProxy, and one node of it.
  sql::MySqlOptions front() const;
  sql::MySqlOptions node(int number) const;
  /// Empties the one database of the cluster, once it is whole. No other test may use it then. Returns front().
  sql::MySqlOptions fresh_database() const;
  /// All three are there, in one cluster and up to date, and HAProxy knows: it cuts no connection any more.
  bool is_whole() const;
  /// The node through which new connections go.
  int writer() const;

 private:
  bool proxy_trusts_all() const;

  std::filesystem::path folder_;
  bool separate_ = false;
};

}  // namespace tideover::tests
