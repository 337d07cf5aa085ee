// bench_rules: what the shipped rules cost a claim and an explanation, and P6, P7 and P13. Processor time of this
// thread; each pair of a ratio is measured in turns, and the median of the rounds counts.
#include <fmt/core.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "core/lua/engine/engine.hpp"
#include "core/lua/facts/facts.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/lua/ruleset/program.hpp"
#include "core/lua/vm/sandbox.hpp"
#include "tests/bench/rules/by_hand.hpp"
#include "tests/bench/rules/claims.hpp"

using namespace tideover;
using bench::Shape;

namespace {

constexpr int kRounds = 9;
constexpr int kClaims = 20'000;
constexpr int kExplained = 40;
const std::filesystem::path kRules = std::filesystem::path(TIDEOVER_SOURCE_DIR) / "rules";

double cpu_us() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

using Work = std::function<void(const ports::ClaimFacts&)>;

/// Microseconds a claim of each work, in turns; one round before is not counted.
std::vector<double> cost(const std::deque<bench::BenchClaim>& claims, const std::vector<Work>& works) {
  std::vector<std::vector<double>> rounds(works.size());
  for (int round = 0; round <= kRounds; ++round)
    for (std::size_t i = 0; i < works.size(); ++i) {
      const double began = cpu_us();
      for (const auto& claim : claims) works[i](claim.facts());
      if (round > 0) rounds[i].push_back((cpu_us() - began) / static_cast<double>(claims.size()));
    }
  std::vector<double> costs;
  for (auto& each : rounds) costs.push_back(median(std::move(each)));
  return costs;
}

lua::CodeSet any_code(const std::filesystem::path& folder) {
  lua::CodeSet codes;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "denial")) {
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (const char* key : {"code = '", "carc = '"})
      if (const auto at = text.find(key); at != std::string::npos)
        codes.insert(text.substr(at + 8, text.find('\'', at + 8) - at - 8));
  }
  return codes;
}

std::shared_ptr<const lua::Ruleset> load(const std::filesystem::path& folder) {
  const auto loaded = lua::load_ruleset(folder, {any_code(folder), {}});
  for (const auto& error : loaded.errors) fmt::print(stderr, "{}\n", error.text());
  if (!loaded.ruleset) std::exit(1);
  return loaded.ruleset;
}

/// The ruleset with some of its rules only.
std::shared_ptr<const lua::Ruleset> only(const lua::Ruleset& rules, const std::set<std::string>& ids) {
  auto some = std::make_shared<lua::Ruleset>(rules);
  std::erase_if(some->denial, [&](const auto& rule) { return !ids.contains(rule.id); });
  return some;
}

Work engine_work(lua::Engine& engine) {
  return [&engine](const ports::ClaimFacts& facts) {
    if (!engine.assess_denial(facts).faults.empty()) std::exit(1);
  };
}

void shipped(const std::shared_ptr<const lua::Ruleset>& rules) {
  for (const auto& [shape, name] : {std::pair{Shape::required_only, "required fields only"},
                                    {Shape::with_lines, "dates and 1 to 4 lines"},
                                    {Shape::with_everything, "everything"}}) {
    lua::Engine engine(rules);
    std::size_t findings = 0;
    const auto claims = bench::bench_claims(shape, kClaims, 1);
    for (const auto& claim : claims) findings += engine.assess_denial(claim.facts()).findings.size();
    fmt::print("all {} shipped rules, {}: {:.2f} us a claim (aim: at most 10), {:.2f} findings a claim\n",
               rules->denial.size(), name, cost(claims, {engine_work(engine)}).front(),
               static_cast<double>(findings) / kClaims);
  }
}

void p6(const std::shared_ptr<const lua::Ruleset>& all) {
  std::set<std::string> ids;
  for (const auto* name : bench::names_by_hand()) ids.insert(std::string("denial.") + name);
  const auto rules = only(*all, ids);
  lua::Engine engine(rules);
  const bench::ByHand by_hand(*rules);
  const auto claims = bench::bench_claims(Shape::with_lines, kClaims, 2);
  const auto ids_of = [](const std::vector<domain::Finding>& findings) {
    std::multiset<std::string> found;
    for (const auto& finding : findings)
      found.insert(finding.rule_id + '|' + std::to_string(finding.line.value_or(-1)) + '|' +
                   std::to_string(finding.probability_bps));
    return found;
  };
  for (const auto& claim : claims)
    if (ids_of(engine.assess_denial(claim.facts()).findings) != ids_of(by_hand(claim.facts()))) {
      fmt::print(stderr, "P6: Lua and C++ disagree on {}\n", claim.claim.claim_identifier);
      std::exit(1);
    }
  std::size_t sink = 0;
  const auto costs =
      cost(claims, {engine_work(engine), [&](const ports::ClaimFacts& facts) { sink += by_hand(facts).size(); }});
  fmt::print("P6  {} rules in Lua / in C++: {:.1f} (must 40, aim 15); {:.2f} us, {:.3f} us, {} findings\n", ids.size(),
             costs[0] / costs[1], costs[0], costs[1], sink / (kRounds + 1));
}

/// The shipped rules called one by one with the meter on, and without it; both without recall. The allocator is the
/// same.
void p7(const std::shared_ptr<const lua::Ruleset>& rules) {
  lua::Sandbox sandbox(rules->bundle, rules->tables);
  lua_State* const s = sandbox.state();
  std::vector<int> evaluate;
  for (const auto& rule : rules->denial) {
    if (sandbox.run_file(rule.file)) std::exit(1);
    lua_getfield(s, -1, "evaluate");
    evaluate.push_back(luaL_ref(s, LUA_REGISTRYINDEX));
    lua_pop(s, 1);
  }
  lua_newtable(s);
  for (const auto& param : rules->params) {
    if (const auto* yes = std::get_if<bool>(&param.value))
      lua_pushboolean(s, *yes ? 1 : 0);
    else if (const auto* whole = std::get_if<std::int64_t>(&param.value))
      lua_pushinteger(s, *whole);
    else
      lua_pushnil(s);
    lua_setfield(s, -2, param.name.c_str());
  }
  const int params = luaL_ref(s, LUA_REGISTRYINDEX);
  lua::FactViews views(s);
  const lua::Limits limits;
  const auto run = [&](const ports::ClaimFacts& facts, bool metered) {
    views.show(facts);
    for (std::size_t i = 0; i < evaluate.size(); ++i) {
      const auto& needs = rules->denial[i].needs;
      if (std::any_of(needs.begin(), needs.end(),
                      [&](const auto* fact) { return lua::is_missing(*fact, views.window()); }))
        continue;
      const bool asks_lines = rules->denial[i].asks_lines;
      for (std::size_t line = 0; line < (asks_lines ? facts.claim.service_lines.size() : 1); ++line) {
        views.ask_about(line);
        lua_rawgeti(s, LUA_REGISTRYINDEX, evaluate[i]);
        if (asks_lines) views.push_line();
        views.push_claim();
        views.push_payer();
        lua_rawgeti(s, LUA_REGISTRYINDEX, params);
        const int arguments = asks_lines ? 4 : 3;
        if (metered ? sandbox.call(arguments, limits).has_value() : lua_pcall(s, arguments, 1, 0) != LUA_OK)
          std::exit(1);
        lua_pop(s, 1);
      }
    }
    views.hide();
    sandbox.collect();
  };
  const auto claims = bench::bench_claims(Shape::with_everything, kClaims / 4, 3);
  const auto costs =
      cost(claims, {[&](const auto& facts) { run(facts, true); }, [&](const auto& facts) { run(facts, false); }});
  fmt::print("P7  sandbox on / off, every rule called: {:.3f} (must 1.15, aim 1.03); {:.2f} us, {:.2f} us\n",
             costs[0] / costs[1], costs[0], costs[1]);
}

/// The shipped rules of P6 and others, which are for payers, codes or facts that none of the claims has.
class ManyRules {
 public:
  explicit ManyRules(std::size_t others) {
    std::string pattern = (std::filesystem::temp_directory_path() / "tideover-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::exit(1);
    folder_ = pattern;
    for (const char* part : {"lib", "tables", "terms"})
      std::filesystem::copy(kRules / part, folder_ / part, std::filesystem::copy_options::recursive);
    std::filesystem::copy_file(kRules / "params.lua", folder_ / "params.lua");
    std::filesystem::create_directories(folder_ / "denial");
    std::string list;
    for (const auto* name : bench::names_by_hand()) {
      std::filesystem::copy_file(kRules / "denial" / (std::string(name) + ".lua"),
                                 folder_ / "denial" / (std::string(name) + ".lua"));
      list += '\'' + std::string(name) + "', ";
    }
    for (std::size_t i = 0; i < others; ++i) {
      const std::string number = std::to_string(1000 + i), name = "rule_" + number;
      const std::string purposes[] = {"payers = { 'X" + number + "' }", "codes = { 'Y" + number + "' }",
                                      "needs = { 'history', 'patient_sex' }"};
      write("denial/" + name + ".lua", "return { id = 'denial." + name +
                                           "', rev = 1, mode = 'live', family = 'f', reason = { group = 'CO', code = "
                                           "'16' }, summary = 's', fix = 'f', weight = 0.5,\n  " +
                                           purposes[i % 3] +
                                           ",\n  evaluate = function(claim) return claim.amount_cents > 100 end }\n");
      list += '\'' + name + "', ";
    }
    write("ruleset.lua", "return { version = '1', denial = { " + list + " }, terms = 'standard' }\n");
  }
  ~ManyRules() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ManyRules(const ManyRules&) = delete;
  ManyRules& operator=(const ManyRules&) = delete;

  /// Without cases, which a bundle for the service would need.
  std::shared_ptr<const lua::Ruleset> rules() const {
    auto reading = lua::read_bundle(folder_, {});
    auto codes = any_code(kRules);
    codes.insert("16");
    const auto bundle = std::make_shared<const lua::Bundle>(std::move(reading.bundle));
    const auto tables = lua::load_tables(bundle, *lua::TableSource{}.file_cache);
    const auto linted = lua::lint_bundle(bundle, tables, codes);
    for (const auto& error : linted.errors) fmt::print(stderr, "{}\n", error.text());
    if (!linted.errors.empty()) std::exit(1);
    return linted.ruleset;
  }

 private:
  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }
  std::filesystem::path folder_;
};

/// Whatever a review asks the rules: what denies the claim, and which terms follow.
Work review_work(lua::Engine& engine) {
  return [&engine](const ports::ClaimFacts& facts) {
    const auto assessed = engine.assess_denial(facts);
    domain::Review review;
    review.submitted_amount = facts.claim.submitted_amount;
    review.forecast.payment_date = facts.today.plus(30);
    if (!assessed.faults.empty() || !engine.propose_terms({review, "RTP", facts.today}).faults.empty()) std::exit(1);
  };
}

/// What ?explain=true adds: a program of its own is made for every call, so that what one rule keeps does not reach the
/// next caller.
void explained(const std::shared_ptr<const lua::Ruleset>& rules) {
  lua::Engine engine(rules);
  const auto claims = bench::bench_claims(Shape::with_everything, kExplained, 5);
  const auto with = [&](bool explain) {
    return Work([&engine, explain](const ports::ClaimFacts& given) {
      auto facts = given;
      facts.explain = explain;
      if (engine.assess_denial(facts).explained.empty() == explain) std::exit(1);
    });
  };
  const Work compile = [&rules](const ports::ClaimFacts&) { lua::Program(rules, rules->tables, {}); };
  const auto costs = cost(claims, {with(true), with(false), compile});
  fmt::print(
      "explain: {:.0f} us with, {:.1f} us without; of it {:.0f} us to make the program (5000 us would be worth keeping "
      "it)\n",
      costs[0], costs[1], costs[2]);
}

void p13() {
  const auto applying = bench::names_by_hand().size();
  const ManyRules few(0), many(1000 - applying);
  lua::Engine ten(few.rules()), thousand(many.rules());
  const auto claims = bench::bench_claims(Shape::with_lines, kClaims / 4, 4);
  const auto costs = cost(claims, {review_work(thousand), review_work(ten)});
  fmt::print(
      "P13 1000 rules of which {} apply / those {}: {:.2f} by the engine alone (must 1.5, aim 1.1, of a whole review); "
      "{:.2f} us, {:.2f} us\n",
      applying, applying, costs[0] / costs[1], costs[0], costs[1]);
}

}  // namespace

int main() {
  const auto rules = load(kRules);
  shipped(rules);
  p6(rules);
  p7(rules);
  p13();
  explained(rules);
  return 0;
}
