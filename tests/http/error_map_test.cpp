// The HTTP status of each error code, by the table of errors of the contract.
#include <boost/test/unit_test.hpp>

#include <regex>
#include <set>
#include <sstream>

#include "core/http/document/openapi_document.hpp"
#include "core/http/error_map.hpp"

using tideover::domain::ErrorCode;
using namespace tideover;

namespace {

/// Rows of the table: a status and its codes, such as "| 403 | `baa_required`, `tenant_suspended` | Reserved. |".
std::vector<std::pair<int, std::string>> documented_codes() {
  const std::regex row("\\| ([0-9]{3}) \\| ([^|]*) \\|.*"), name("`([a-z_]+)`");
  std::vector<std::pair<int, std::string>> codes;
  std::istringstream lines{http::openapi_description()};
  for (std::string line; std::getline(lines, line);) {
    std::smatch cells;
    if (!std::regex_match(line, cells, row)) continue;
    const auto named = cells[2].str();
    for (std::sregex_iterator found(named.begin(), named.end(), name), end; found != end; ++found)
      codes.emplace_back(std::stoi(cells[1].str()), (*found)[1].str());
  }
  return codes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_error_map)

BOOST_AUTO_TEST_CASE(each_code_has_the_status_of_its_row) {
  std::set<std::string> listed;
  for (const auto& [status, name] : documented_codes()) {
    const auto code = domain::error_code_named(name);
    BOOST_REQUIRE_MESSAGE(code.has_value(), "no such code: " << name);
    BOOST_TEST(http::status_of(*code) == status, name);
    BOOST_TEST(listed.insert(name).second, name << " has two rows");
  }
  BOOST_TEST(listed.size() == domain::kErrorCodes);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_retryable_if_the_same_request_can_succeed_later) {
  std::set<std::string> retryable;
  for (const auto& [status, name] : documented_codes())
    if (status < 500 && http::is_retryable(*domain::error_code_named(name))) retryable.insert(name);
  const std::set<std::string> expected{"conflict", "idempotency_in_progress", "rate_limited", "request_timeout"};
  BOOST_TEST(retryable == expected, boost::test_tools::per_element());
  for (const auto& [status, name] : documented_codes())
    if (status >= 500) BOOST_TEST(http::is_retryable(*domain::error_code_named(name)), name);
}

BOOST_AUTO_TEST_CASE(a_401_and_a_missing_scope_name_the_way_to_authenticate) {
  for (const auto& [status, name] : documented_codes()) {
    const auto challenge = http::challenge_of(*domain::error_code_named(name));
    BOOST_TEST(challenge.empty() == (status != 401 && name != "insufficient_scope"), name);
  }
  BOOST_TEST(http::challenge_of(ErrorCode::token_expired) == "Bearer realm=\"tideover\", error=\"invalid_token\"");
}

BOOST_AUTO_TEST_SUITE_END()
