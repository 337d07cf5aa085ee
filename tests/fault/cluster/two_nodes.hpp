// Two Tideover nodes over one database, with one key ring and one bank, whose book is the oracle.
#pragma once

#include <functional>
#include <optional>

#include "core/store/sql/mysql_session.hpp"
#include "tests/fault/rail/bank_book.hpp"
#include "tests/support/galera/galera_cluster.hpp"
#include "tests/support/service/http_client.hpp"
#include "tests/support/service/service_folder.hpp"
#include "tests/support/service/service_process.hpp"

namespace tideover::test {

/// The cluster of this program, started when it is first asked for.
tests::GaleraCluster& galera();

/// Whether the cluster tests can run here; says why not, and counts it, when they cannot.
struct GaleraIsThere {
  boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const;
};

class TwoNodes {
 public:
  /// Both run when it returns. `change` may change settings before.
  explicit TwoNodes(const sql::MySqlOptions& database,
                    const std::function<void(ServiceFolder& folder_a, ServiceFolder& folder_b)>& change = nullptr);

  ServiceFolder folder_a;
  ServiceFolder folder_b;
  fault::BankBook bank;
  Credentials client;
  std::optional<ServiceProcess> a;
  std::optional<ServiceProcess> b;

  /// The token is good at both.
  std::string token;
  /// Port of node 0 (a) or 1 (b).
  std::uint16_t port(int node) const { return (node == 0 ? a : b)->port(); }
};

}  // namespace tideover::test
