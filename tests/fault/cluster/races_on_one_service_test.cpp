#include <boost/test/unit_test.hpp>

#include "tests/fault/cluster/bank.hpp"
#include "tests/fault/cluster/race.hpp"
#include "tests/fault/figure.hpp"
#include "tests/support/service/service_process.hpp"

using namespace tideover::test;

BOOST_AUTO_TEST_SUITE(races)

BOOST_AUTO_TEST_CASE(sixty_four_clients_of_one_service_confirm_at_once) {
  ServiceFolder folder;
  tideover::fault::BankBook bank(folder.path() / "bank");
  use_bank(folder, folder.path() / "bank");
  const Credentials client = folder.create_client({"--role", "admin"});
  ServiceProcess service(folder);
  race({service.port()}, ApiClient(service.port(), client).token(), cases(940, 18'800), bank, "on one service");
}

BOOST_AUTO_TEST_SUITE_END()
