// One service with its folder, its store and a client that may do everything, for one test. When the test ends,
// whatever became of the service, `ledger verify` and `audit verify` must pass.
#pragma once

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/service/http_client.hpp"
#include "tests/support/service/service_folder.hpp"
#include "tests/support/service/service_process.hpp"

namespace tideover::test {

enum class Store { sqlite, mariadb };
std::ostream& operator<<(std::ostream& out, Store store);
/// Both, or SQLite alone when TIDEOVER_TEST_MARIADB=skip.
std::vector<Store> stores();

struct World {
  /// `configure` may change settings before the first start.
  explicit World(Store store = Store::sqlite, const std::function<void(ServiceFolder&)>& configure = nullptr);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void start();
  /// SIGTERM, the end awaited, and a start on the same data.
  void restart();
  /// What both verifications say, as failures of the test.
  void verify() const;

  ServiceFolder folder;
  Credentials client;
  std::optional<ServiceProcess> service;
  std::optional<ApiClient> api;
  /// False for a test that breaks the books on purpose. One that puts back an older state runs `audit restored`
  /// instead.
  bool verify_at_end = true;
};

}  // namespace tideover::test
