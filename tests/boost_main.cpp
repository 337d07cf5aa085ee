// The one main() that every Boost.Test program of the project links.
#define BOOST_TEST_MODULE tideover
#include <boost/test/unit_test.hpp>
