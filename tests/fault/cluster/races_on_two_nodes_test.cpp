#include <boost/test/unit_test.hpp>

#include "tests/fault/cluster/race.hpp"
#include "tests/fault/cluster/two_nodes.hpp"
#include "tests/fault/figure.hpp"

using namespace tideover::test;

BOOST_AUTO_TEST_SUITE(races)

BOOST_AUTO_TEST_CASE(sixty_four_clients_of_two_nodes_confirm_at_once,
                     *boost::unit_test::precondition(GaleraIsThere())) {
  TwoNodes nodes(galera().fresh_database());
  race({nodes.port(0), nodes.port(1)}, nodes.token, cases(60, 1'200), nodes.bank, "on two nodes over Galera");
}

BOOST_AUTO_TEST_SUITE_END()
