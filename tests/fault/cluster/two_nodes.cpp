#include <boost/test/unit_test.hpp>

#include "tests/fault/cluster/two_nodes.hpp"

#include <iostream>

#include "tests/fault/cluster/bank.hpp"

namespace tideover::test {
namespace {

/// One cluster for the whole program, ended before its statics are.
struct OneCluster {
  ~OneCluster() { cluster.reset(); }
  static inline std::optional<tests::GaleraCluster> cluster;
};
BOOST_TEST_GLOBAL_FIXTURE(OneCluster);

void configure(ServiceFolder& folder, const std::string& name, const sql::MySqlOptions& database,
               const ServiceFolder& shared) {
  folder.set("node.name", name);
  folder.use_mysql(database);
  folder.set("security.key_ring_file", (shared.path() / "keys").string());
  use_bank(folder, shared.path() / "bank");
  folder.set("funding.submit_timeout_ms", "1000");
}

}  // namespace

tests::GaleraCluster& galera() {
  if (!OneCluster::cluster) OneCluster::cluster.emplace();
  return *OneCluster::cluster;
}

boost::test_tools::assertion_result GaleraIsThere::operator()(boost::unit_test::test_unit_id) const {
  const std::string obstacle = tests::GaleraCluster::obstacle();
  boost::test_tools::assertion_result there(obstacle.empty());
  there.message() << obstacle;
  if (!obstacle.empty()) std::cout << "skipped: " << obstacle << std::endl;
  return there;
}

TwoNodes::TwoNodes(const sql::MySqlOptions& database, const std::function<void(ServiceFolder&, ServiceFolder&)>& change)
    : bank(folder_a.path() / "bank") {
  configure(folder_a, "node-a", database, folder_a);
  configure(folder_b, "node-b", database, folder_a);
  if (change) change(folder_a, folder_b);
  client = folder_a.create_client({"--tenant", "cluster", "--role", "admin"});
  a.emplace(folder_a);
  b.emplace(folder_b);
  folder_a.set("server.port", std::to_string(a->port()));  // a restart keeps its address
  folder_b.set("server.port", std::to_string(b->port()));
  token = ApiClient(a->port(), client).token();
}

}  // namespace tideover::test
