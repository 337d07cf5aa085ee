// The checker itself: a check that cannot fail is none.
#include <boost/test/unit_test.hpp>

#include "tests/contract/schema.hpp"
#include "tests/support/service/json.hpp"

namespace tideover::test {
namespace {

std::size_t faults(const std::string& schema, const std::string& value) {
  const YAML::Node root = YAML::Load("{part: {type: string, maxLength: 2}, schema: " + schema + "}");
  return Schema(root).faults(root["schema"], Json(value).root()).size();
}

BOOST_AUTO_TEST_SUITE(schema)

BOOST_AUTO_TEST_CASE(every_keyword_can_fail) {
  struct Case {
    const char* schema;
    const char* good;
    const char* bad;
  };
  for (const auto& [schema, good, bad] : std::vector<Case>{
           {"{type: string}", "\"a\"", "1"},
           {"{type: integer}", "3", "3.5"},
           {"{type: [string, 'null']}", "null", "1"},
           {"{enum: [a, b]}", "\"b\"", "\"c\""},
           {"{const: 'true'}", "\"true\"", "true"},
           {"{const: true}", "true", "\"true\""},
           {"{required: [a]}", "{\"a\":1}", "{\"b\":1}"},
           {"{properties: {a: {type: string}}}", "{\"a\":\"\"}", "{\"a\":1}"},
           {"{additionalProperties: {type: string}}", "{\"a\":\"\"}", "{\"a\":1}"},
           {"{items: {type: string}}", "[\"\"]", "[1]"},
           {"{allOf: [{minimum: 1}, {maximum: 2}]}", "2", "3"},
           {"{anyOf: [{type: string}, {type: 'null'}]}", "null", "3"},
           {"{oneOf: [{type: number}, {type: integer}]}", "1.5", "1"},
           {"{not: {required: [a]}}", "{}", "{\"a\":1}"},
           {"{pattern: '^[0-9]+$'}", "\"12\"", "\"1x\""},
           {"{format: date}", "\"2026-11-20\"", "\"20.11.2026\""},
           {"{format: date-time}", "\"2026-11-20T00:00:00.000Z\"", "\"2026-11-20\""},
           {"{minLength: 2}", "\"ab\"", "\"a\""},
           {"{minItems: 1}", "[1]", "[]"},
           {"{exclusiveMinimum: 0}", "0.1", "0"},
           {"{$ref: '#/part'}", "\"ab\"", "\"abc\""},
       }) {
    BOOST_TEST(faults(schema, good) == 0u, schema);
    BOOST_TEST(faults(schema, bad) == 1u, schema);
  }
  BOOST_CHECK_THROW(faults("{unheardOf: 1}", "1"), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
