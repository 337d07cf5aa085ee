// Tables in a rule bundle: schemas, samples, official files, and what a rule can ask.
#include <boost/test/unit_test.hpp>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/lua/engine/explain.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

const std::string kLimitsSchema =
    "return {\n  columns = {\n    { name = 'code', type = 'code' },\n    { name = 'units', type = 'integer' },\n  },\n "
    " key = { 'code' },\n}\n";
const std::string kPairsSchema =
    "return { columns = { { name = 'code', type = 'code' }, { name = 'other', type = 'code' }, { name = 'from', type = "
    "'date' }, { name = 'to', type = 'date', may_be_empty = true } },\n"
    "  key = { 'code', 'other' }, from = 'from', to = 'to' }\n";

/// A bundle with a table of limits and one of pairs, and a rule that fires where a line has more units than the table
/// lets it.
class TableBundle : public RuleFolder {
 public:
  TableBundle() {
    write("tables/limits.lua", kLimitsSchema);
    write("tables/limits.csv", "# edition: sample\ncode,units\n00010,1\n");
    write("tables/pairs.lua", kPairsSchema);
    write("tables/pairs.csv", "code,other,from,to\n00010,00011,2020-01-01,2025-12-31\n");
    rule(
        "local row = limits.get(claim.lines[1] and claim.lines[1].cpt or '')\nif row and claim.lines[1].units_milli > "
        "row.units * 1000 then return { probability = 0.5 } end");
    write("cases/zero.lua",
          "return { rule = 'denial.zero', cases = { { name = 'clean', expect = 'nothing' },\n"
          "  { name = 'two', claim = { lines = { { cpt = '00010', units_milli = 2000 } } }, expect = {} } } }\n");
  }
  void rule(const std::string& body) const {
    write("denial/zero.lua", "local limits, pairs_of = table('limits'), table('pairs')\n" + denial_rule("zero", body));
  }
  /// What a rule with this body fails with.
  std::string fault_of(const std::string& body) const {
    rule(body);
    return faults_of(load());
  }
};

/// A folder for the official files of a bundle.
class OfficialFolder {
 public:
  void write(const std::string& file, const std::string& text) const { folder_.write("official/" + file, text); }
  lua::LoadOptions options() const {
    lua::LoadOptions options{kCodes, {}};
    options.tables.folder = folder_.path() / "official";
    return options;
  }

 private:
  RuleFolder folder_;
};

std::size_t findings(const std::shared_ptr<const lua::Ruleset>& rules, const std::string& code,
                     std::int64_t units_milli) {
  lua::Engine engine(rules);
  TestClaim claim;
  claim.claim.service_lines = {{code, "", units_milli, domain::Money::cents(100)}};
  const auto assessed = engine.assess_denial(claim.facts());
  for (const auto& fault : assessed.faults) BOOST_ERROR(fault.rule_id + ": " + fault.problem);
  return assessed.findings.size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule_tables)

BOOST_AUTO_TEST_CASE(a_rule_looks_rows_up_and_its_cases_run) {
  const TableBundle folder;
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  BOOST_TEST(findings(loaded.ruleset, "00010", 2000) == 1u);
  BOOST_TEST(findings(loaded.ruleset, "00010", 1000) == 0u);
  BOOST_TEST(findings(loaded.ruleset, "00099", 9000) == 0u);
}

BOOST_AUTO_TEST_CASE(every_kind_of_question_gets_its_answer) {
  const TableBundle folder;
  folder.rule(
      "local day = claim.date_of_service\nlocal function sure(yes, what) if not yes then error(what) end end\n"
      "sure(limits.has('00010') and not limits.has('00011') and not limits.has('much too long to be a code'), 'has')\n"
      "sure(limits.get('00011') == nil and limits.get('00010').code == '00010' and limits.row_count == 1, 'get')\n"
      "sure(pairs_of.lists('00010') and not pairs_of.lists('00011'), 'lists')\n"
      "sure(not pairs_of.has('00010', '00011', day) and pairs_of.has('00010', '00011', day - 365), 'day')\n"
      "sure(pairs_of.get('00010', '00011', day - 365).to < day and not pairs_of.has('00011', '00010', day - 365), "
      "'dates')\n"
      "if claim.lines[1].cpt == '00010' then return { probability = 0.5 } end");
  BOOST_TEST(folder.load().ruleset != nullptr, faults_of(folder.load()));
}

BOOST_AUTO_TEST_CASE(a_wrong_question_of_a_rule_is_named) {
  const TableBundle folder;
  BOOST_TEST(folder.fault_of("return limits.get('00010').unit")
                     .find("unknown column 'limits.unit' (did you mean 'limits.units'?)") != std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(
      folder.fault_of("return limits.got('00010')")
              .find("unknown field 'table('limits').got' (did you mean 'table('limits').get'?)") != std::string::npos,
      faults_of(folder.load()));
  BOOST_TEST(folder.fault_of("return limits.get(nil)").find("get: table 'limits' needs the arguments (code)") !=
                 std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(folder.fault_of("return pairs_of.has('00010', '00011')")
                     .find("has: table 'pairs' needs the arguments (code, other, day)") != std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(
      folder.fault_of("return pairs_of.has('00010', '00011', 1.5)").find("needs the arguments (code, other, day)") !=
          std::string::npos,
      faults_of(folder.load()));
  BOOST_TEST(folder.fault_of("limits.get('00010').units = 9").find("a row of table 'limits' is read-only") !=
                 std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(folder.fault_of("limits.get = 9").find("read-only") != std::string::npos, faults_of(folder.load()));
  BOOST_TEST(folder.fault_of("return table('limits').get('00010')").find("must be at the top of the file") !=
                 std::string::npos,
             faults_of(folder.load()));
  folder.write("denial/zero.lua", "local limits = table('limit')\nreturn {}");
  BOOST_TEST(faults_of(folder.load()).find("denial/zero.lua:1:") != std::string::npos, faults_of(folder.load()));
  BOOST_TEST(
      faults_of(folder.load()).find("file not found: tables/limit.lua (did you mean 'limits'?)") != std::string::npos,
      faults_of(folder.load()));
}

BOOST_AUTO_TEST_CASE(look_ups_cost_fuel_so_that_none_goes_on_for_ever) {
  const TableBundle folder;
  BOOST_TEST(folder.fault_of("for i = 1, 100000 do limits.has('00010') end").find("instructions") != std::string::npos,
             faults_of(folder.load()));
}

BOOST_AUTO_TEST_CASE(bad_rows_and_bad_schemas_are_refused_and_reported_with_their_position) {
  const TableBundle folder;
  folder.write("tables/limits.csv", "code,units\n00010,1\n00011,many\n00012,\n");
  const auto text = faults_of(folder.load());
  BOOST_TEST(!folder.load().ruleset);
  BOOST_TEST(
      text.find("tables/limits.csv:3:7: units must be a whole number, not 'many'\n  3 | 00011,many\n    |       ^") !=
          std::string::npos,
      text);
  BOOST_TEST(text.find("tables/limits.csv:4:7: units is empty") != std::string::npos, text);
  BOOST_TEST(text.find("denial/zero.lua") == std::string::npos, text);

  folder.write("tables/limits.csv", "code,units\n00010,1\n");
  const auto slip = [&](const std::string& from, const std::string& to) {
    auto schema = kLimitsSchema;
    folder.write("tables/limits.lua", schema.replace(schema.find(from), from.size(), to));
    return faults_of(folder.load());
  };
  BOOST_TEST(
      slip("'integer'", "'intger'")
              .find("tables/limits.lua:4:31: type is 'intger' but must be one of 'code', 'text'") != std::string::npos,
      slip("'integer'", "'intger'"));
  BOOST_TEST(faults_of(folder.load()).find("denial/zero.lua") == std::string::npos, faults_of(folder.load()));
  BOOST_TEST(
      slip("'integer'", "'integer', min = 2, max = 9")
              .find("tables/limits.csv:2:7: units must be a whole number from 2 to 9, not '1'") != std::string::npos,
      faults_of(folder.load()));
  BOOST_TEST(slip("'integer'", "'integer', min = 1.5").find("min is a whole number") != std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(slip("'integer'", "'integer', min = 9, max = 2").find("min is larger than max") != std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(slip("'integer'", "'text', max = 2").find("max is for columns of type 'integer' and 'decimal'") !=
                 std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(slip("key = { 'code' }", "key = { 'cpt' }").find("key names the column 'cpt', which is not declared") !=
                 std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(
      slip("key = { 'code' }", "key = { 'code' }, from = 'units'").find("from must be a column of type 'date'") !=
          std::string::npos,
      faults_of(folder.load()));
  BOOST_TEST(slip("name = 'units'", "name = 'code'").find("the column 'code' is declared twice") != std::string::npos,
             faults_of(folder.load()));
  BOOST_TEST(slip("key =", "keys =").find("did you mean 'key'?") != std::string::npos, faults_of(folder.load()));
  std::filesystem::remove(folder.path() / "tables/limits.csv");
  BOOST_TEST(faults_of(folder.load()).find("tables/limits.lua: needs its sample rows in tables/limits.csv") !=
                 std::string::npos,
             faults_of(folder.load()));
}

BOOST_AUTO_TEST_CASE(an_official_file_replaces_the_sample_and_the_cases_still_run_on_the_sample) {
  const TableBundle folder;
  const OfficialFolder official;
  official.write("limits@2026q2.csv", "code,units\n99213,3\n");
  const auto loaded = lua::load_ruleset(folder.path(), official.options());
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  BOOST_TEST(findings(loaded.ruleset, "99213", 4000) == 1u);
  BOOST_TEST(findings(loaded.ruleset, "00010", 2000) == 0u);
  const auto report = lua::check_rules(folder.path(), official.options());
  BOOST_TEST(report.text.find("table limits: 1 rows, edition 2026q2, sha256 ") != std::string::npos, report.text);
  BOOST_TEST(report.text.find("limits@2026q2.csv\n  table pairs: 1 rows, edition unnamed") != std::string::npos,
             report.text);
}

BOOST_AUTO_TEST_CASE(the_digest_of_a_bundle_is_also_that_of_its_tables) {
  const TableBundle folder;
  const OfficialFolder official;
  std::set<std::string> digests = {lua::digest_of(folder.path())};
  folder.write("tables/limits.csv", "code,units\n00010,2\n");
  BOOST_TEST(digests.insert(lua::digest_of(folder.path())).second);
  const auto tables = official.options().tables;
  official.write("limits.csv", "code,units\n00010,1\n");
  BOOST_TEST(digests.insert(lua::digest_of(folder.path(), tables)).second);
  official.write("limits.csv", "code,units\n00010,3\n");
  BOOST_TEST(digests.insert(lua::digest_of(folder.path(), tables)).second);
  official.write("README.md", "not a table");
  BOOST_TEST(!digests.insert(lua::digest_of(folder.path(), tables)).second);
}

BOOST_AUTO_TEST_CASE(a_packed_bundle_comes_back_with_its_samples_and_needs_its_official_tables) {
  const TableBundle folder;
  const OfficialFolder official;
  official.write("limits@2026q2.csv", "code,units\n99213,3\n");
  const auto loaded = lua::load_ruleset(folder.path(), official.options());
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  const auto packed = lua::pack(*loaded.ruleset->bundle);
  const auto unpack = [&] { return *lua::unpack(packed, loaded.sha256); };
  const auto again = lua::load_ruleset(unpack(), official.options());
  BOOST_REQUIRE_MESSAGE(again.ruleset, faults_of(again));
  BOOST_TEST(again.ruleset->stamp.sha256 == loaded.sha256);
  BOOST_TEST(findings(again.ruleset, "99213", 4000) == 1u);

  const OfficialFolder other;  // an edition of the same name
  other.write("limits@2026q2.csv", "code,units\n99213,4\n");
  const auto elsewhere = lua::load_ruleset(unpack(), other.options());
  BOOST_TEST(
      faults_of(elsewhere).find("tables/limits.lua: was read from an official file (edition '2026q2', sha256 ") == 0u,
      faults_of(elsewhere));
  BOOST_TEST(faults_of(lua::load_ruleset(unpack(), {kCodes, {}})).find("set rules.tables_folder") != std::string::npos);

  // The file that was replaced lies where earlier editions do: the bundle is as it was, and a folder that is read again
  // does not see it.
  other.write("earlier/limits@2026q1.csv", "code,units\n99213,2\n");
  BOOST_TEST(faults_of(lua::load_ruleset(unpack(), other.options())).find("/earlier") != std::string::npos);
  other.write("earlier/limits@2026q2.csv", "code,units\n99213,3\n");
  const auto earlier = lua::load_ruleset(unpack(), other.options());
  BOOST_REQUIRE_MESSAGE(earlier.ruleset, faults_of(earlier));
  BOOST_TEST(earlier.ruleset->stamp.sha256 == loaded.sha256);
  BOOST_TEST(findings(earlier.ruleset, "99213", 4000) == 1u);
  const auto reloaded = lua::load_ruleset(folder.path(), other.options());
  BOOST_REQUIRE_MESSAGE(reloaded.ruleset, faults_of(reloaded));
  BOOST_TEST(findings(reloaded.ruleset, "99213", 4000) == 0u);

  BOOST_TEST(!lua::unpack(packed.substr(1), loaded.sha256));
  for (std::size_t size = 0; size < packed.size();
       size += 7)  // half a text that has its own digest is no bundle either, or a smaller one
    if (const auto half =
            lua::unpack(packed.substr(0, size), crypto::hex_encode(crypto::sha256(packed.substr(0, size)))))
      BOOST_TEST(half->files.size() < loaded.ruleset->bundle->files.size());
}

BOOST_AUTO_TEST_CASE(an_official_file_without_a_table_or_given_twice_is_reported) {
  const TableBundle folder;
  const OfficialFolder official;
  official.write("limit.csv", "code,units\n00010,1\n");
  const auto stray = lua::load_ruleset(folder.path(), official.options());
  BOOST_TEST(
      faults_of(stray).find("limit.csv: there is no table 'limit' (did you mean 'limits'?)") != std::string::npos,
      faults_of(stray));
  const OfficialFolder twice;
  twice.write("limits.csv", "code,units\n00010,1\n");
  twice.write("limits@b.txt", "code,units\n00010,1\n");
  BOOST_TEST(faults_of(lua::load_ruleset(folder.path(), twice.options())).find("has another file, limits") !=
             std::string::npos);
  auto absent = official.options();
  absent.tables.folder /= "nowhere";
  BOOST_TEST(
      faults_of(lua::load_ruleset(folder.path(), absent)).find("the folder of official tables cannot be listed") !=
      std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_explanation_cites_edition_and_digest_of_each_look_up) {
  const TableBundle folder;
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  TestClaim claim;
  claim.claim.service_lines = {{"00010", "", 2000, domain::Money::cents(100)}};
  const auto explained = lua::explain_denial(loaded.ruleset, {}, claim.facts());
  BOOST_REQUIRE(explained.front().table_reads.size() == 1u);
  const auto& read = explained.front().table_reads.front();
  BOOST_TEST(read.name == "table('limits').get('00010')");
  const auto sha256 = loaded.ruleset->tables.find("limits")->second->provenance().sha256;
  BOOST_TEST(read.value == "{ code = \"00010\", units = 1 } (edition sample, sha256 " + sha256.substr(0, 12) + ")");
}

BOOST_AUTO_TEST_SUITE_END()
