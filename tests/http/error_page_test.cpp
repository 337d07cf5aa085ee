// The page of error codes.
#include <boost/test/unit_test.hpp>

#include "core/http/document/error_page.hpp"

using tideover::http::error_page_of;

BOOST_AUTO_TEST_SUITE(error_page)

BOOST_AUTO_TEST_CASE(each_code_of_the_table_is_a_row_with_its_name_as_id) {
  const auto page = error_page_of(
      "Text.\n\n| Status | `error` | Meaning |\n|---|---|---|\n"
      "| 409 | `rail_rejected` | The rail < refused & `R03`. |\n"
      "| 503 | `rail_unavailable` | Retry. |\n| 403 | `baa_required`, `tenant_suspended` | Reserved. |\n\n| x | y |\n",
      [](std::string_view code) { return code == "rail_unavailable"; });
  BOOST_TEST(page.find("<tr id=\"rail_rejected\"><td>409</td><td><code>rail_rejected</code></td>"
                       "<td>The rail &lt; refused &amp; <code>R03</code>.</td><td>no</td></tr>\n"
                       "<tr id=\"rail_unavailable\"><td>503</td><td><code>rail_unavailable</code></td>"
                       "<td>Retry.</td><td>yes</td></tr>\n"
                       "<tr id=\"baa_required\">") != std::string::npos,
             page);
  BOOST_TEST(page.find("<tr id=\"tenant_suspended\">") != std::string::npos);
  BOOST_TEST(page.find("<td>x</td>") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
