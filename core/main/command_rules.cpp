// tideover rules check|test|new|shadow|docs|explain: tests a rule folder before it is published, and shows the result
// of the rules for a claim.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>

#include "core/clock/new_york_time.hpp"
#include "core/clock/system_clock.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/http/wire/reviews/claim_json.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/lua/tools/rule_docs.hpp"
#include "core/lua/tools/rule_edit.hpp"
#include "core/lua/tools/rule_test.hpp"
#include "core/main/commands.hpp"
#include "core/node/start.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/settings/settings.hpp"
#include "core/usecases/claims/near_payer.hpp"
#include "core/usecases/reviews/judge_claim.hpp"

namespace tideover::main {
namespace {

namespace fs = std::filesystem;

settings::Settings settings_of(const admin::Arguments& arguments) {
  return node::load_settings(arguments.config_file());
}

fs::path folder_of(const admin::Arguments& arguments, const settings::Settings& settings) {
  const auto& folder = arguments.texts.at("folder");
  return folder.empty() ? settings.rules.folder : fs::path(folder);
}

/// Commands about rules open no rail.
settings::Settings only_payers(settings::Settings settings) {
  std::erase_if(settings.plugins,
                [](const auto& plugin) { return plugin.kind != settings::PluginKind::payer_directory; });
  return settings;
}

int check(const admin::Arguments& arguments) {
  const auto settings = settings_of(arguments);
  auto rules = node::rule_options(settings, node::load_reason_codes(settings));
  const clock::SystemClock clock;
  const clock::NewYorkTime bank_time;
  std::unique_ptr<plugin_host::PluginHost> plugins;  // loaded for the first rule that names a payer
  bool is_refused = false;
  rules.knows_payer = [&](const std::string& payer) {
    try {
      if (!plugins && !is_refused) plugins = node::load_plugins(only_payers(settings), {clock, bank_time, {}, {}});
    } catch (const node::StartError& failed) {
      is_refused = true;
      fmt::print(stderr, "Payers named by rules were not checked: {}\n", failed.what());
    }
    if (!plugins) return true;
    const auto found = plugins->payers().get(payer);
    return !found || found->has_value();
  };
  const auto report = lua::check_rules(folder_of(arguments, settings), rules);
  fmt::print("{}", report.text);
  return report.ok ? 0 : 1;
}

int test(const admin::Arguments& arguments) {
  constexpr int kTooLittleReached = 3;
  const auto settings = settings_of(arguments);
  const auto report =
      lua::test_rules(folder_of(arguments, settings), node::rule_options(settings, node::load_reason_codes(settings)),
                      arguments.texts.at("rule"));
  fmt::print("{}", report.text);
  if (!report.passed) return 1;
  if (report.coverage_percent() >= arguments.counts.at("min-coverage")) return 0;
  fmt::print(stderr, "The cases cover {} % of the lines; --min-coverage requires {} %.\n", report.coverage_percent(),
             arguments.counts.at("min-coverage"));
  return kTooLittleReached;
}

int written(const lua::EditResult& done, const fs::path& folder) {
  if (!done.problem.empty()) {
    fmt::print(stderr, "{}\n", done.problem);
    return 1;
  }
  for (const auto& file : done.files) fmt::print("wrote {}\n", (folder / file).string());
  return 0;
}

int add_new(const admin::Arguments& arguments) {
  const auto folder = folder_of(arguments, settings_of(arguments));
  return written(
      lua::add_rule(folder, {arguments.texts.at("rule"), arguments.texts.at("code"), arguments.texts.at("group")}),
      folder);
}

int shadow(const admin::Arguments& arguments) {
  const auto folder = folder_of(arguments, settings_of(arguments));
  const auto mode = arguments.flags.at("off") ? lua::RuleMode::live : lua::RuleMode::shadow;
  const auto done = lua::set_mode(folder, arguments.texts.at("rule"), mode);
  if (done.problem.empty())
    fmt::print("{} is {} {}\n", arguments.texts.at("rule"), done.files.empty() ? "already" : "now", lua::name_of(mode));
  return written(done, folder);
}

int docs(const admin::Arguments& arguments) {
  const auto settings = settings_of(arguments);
  const auto rules = node::rule_options(settings, node::load_reason_codes(settings));
  const auto folder = folder_of(arguments, settings);
  const auto loaded = lua::load_ruleset(folder, rules);
  if (!loaded.ruleset)
    throw node::StartError(lua::check_rules(folder, rules).text + "The rules have errors. Nothing was written.");
  fmt::print("{}", lua::rules_page(*loaded.ruleset, loaded.cases));
  return 0;
}

[[noreturn]] void refuse(const std::string& file, const domain::Error& error) {
  std::string text = file + ": " + error.message;
  for (const auto& field : error.fields) text += "\n  " + field.path + ' ' + field.problem;
  throw node::StartError(text);
}

/// The claim of a file in the format of POST /v1/claims/reviews.
domain::ClaimDraft read_claim(const std::string& file, domain::Date today) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw node::StartError(file + ": cannot be read: " + std::generic_category().message(errno));
  json::Document document;
  if (const auto parsed = json::parse(text, document); !parsed)
    throw node::StartError(
        fmt::format("{}:{}:{}: {}", file, parsed.error->line, parsed.error->column, parsed.error->message));
  if (document.root().kind() != json::Kind::object)
    throw node::StartError(file + ": must be one JSON object, in the format of POST /v1/claims/reviews");
  wire::Faults faults;
  const auto draft = domain::accept_claim(wire::decode_claim(document.root(), faults), today);
  if (!draft) refuse(file, draft.error());
  return *draft;
}

std::string share(int bps) {
  return fmt::format("{}.{:04}", bps / domain::kOneInBps, bps % domain::kOneInBps);
}

std::string text_of(const domain::Finding& finding) {
  std::string text = fmt::format("probability {} · {} · {}", share(finding.probability_bps),
                                 lua::name_of(finding.effect), finding.code);
  if (finding.line) text += fmt::format(" · line {}", *finding.line + 1);
  if (finding.amount_at_risk) text += " · at risk " + format_money(*finding.amount_at_risk);
  return text + " · " + finding.description;
}

void print(const ports::RuleExplanation& one) {
  constexpr std::string_view kVerdicts[] = {"FIRES", "silent", "FAILS", "off", "n/a"};
  fmt::print("{:<7} {}  (rev {}, {}{})\n", kVerdicts[static_cast<int>(one.verdict)], one.rule_id, one.rev, one.file,
             one.is_shadow ? ", shadow: not counted in the result" : "");
  for (const auto& finding : one.findings) fmt::print("        {}\n", text_of(finding));
  if (!one.fault.empty()) fmt::print("        {}\n", one.fault);
  for (const auto& fact : one.missing)
    fmt::print("        not applicable: the claim has no {}\n", fact.substr(fact.find('.') + 1));
  if (!one.elsewhere.empty()) fmt::print("        not applicable: the rule {}\n", one.elsewhere);
  for (const auto& read : one.reads) fmt::print("        read {} = {}\n", read.name, read.value);
  for (const auto& read : one.table_reads) fmt::print("        read {} = {}\n", read.name, read.value);
  if (one.read_more) fmt::print("        and further values that are not shown\n");
}

/// Prints the rules with their reasons, then the review and the adjudication of this claim.
int explain(const admin::Arguments& arguments) {
  const auto settings = settings_of(arguments);
  const auto reason_codes = node::load_reason_codes(settings);
  const auto rules = node::rule_options(settings, reason_codes);
  const auto folder = folder_of(arguments, settings);
  const auto loaded = lua::load_ruleset(folder, rules);
  if (!loaded.ruleset)
    throw node::StartError(lua::check_rules(folder, rules).text + "The rules have errors. Correct them first.");

  const clock::SystemClock clock;
  const clock::NewYorkTime bank_time;
  const auto plugins = node::load_plugins(only_payers(settings), {clock, bank_time, {}, {}});
  const domain::Date today = clock.now().utc_date();
  auto draft = read_claim(arguments.texts.at("claim"), today);
  const auto payer = plugins->payers().get(draft.payer_id);
  if (!payer) throw node::StartError("The payer directory failed: " + payer.error().message);
  draft.payer_id = *payer ? (*payer)->payer_id : domain::plain_payer_id(draft.payer_id);
  const auto profile = std::find_if(lua::kProfiles.begin(), lua::kProfiles.end(),
                                    [&](auto each) { return name_of(each) == arguments.texts.at("profile"); });
  const domain::Payer unknown_payer;
  ports::ClaimFacts facts{draft,
                          *payer ? **payer : unknown_payer,
                          payer->has_value(),
                          *profile,
                          today,
                          arguments.counts.at("duplicates"),
                          nullptr,
                          ports::ClaimFacts::kEnough,
                          true};
  if (!facts.payer_known) facts.near_payer = usecases::near_payer_id(plugins->payers(), draft.payer_id);

  fmt::print("rules {} (sha256 {:.12}), payer {}{}\n\n", loaded.ruleset->stamp.version, loaded.ruleset->stamp.sha256,
             draft.payer_id, facts.payer_known ? "" : ", which no directory has");
  lua::Engine engine(loaded.ruleset, rules.limits);
  auto assessed = engine.assess_denial(facts);
  for (const auto& one : assessed.explained) print(one);
  const auto review = usecases::judge_claim(facts, std::move(assessed), settings.environment, reason_codes);
  if (!review) refuse("\nThe review is refused", review.error());
  const auto& forecast = review->forecast;
  fmt::print("\nreview: denial {} with probability {}; allowed {}, expected {}, on {} with confidence {}\n",
             forecast.denial_predicted ? "predicted" : "not predicted", share(forecast.denial_probability_bps),
             format_money(forecast.allowed), format_money(forecast.expected), format_date(forecast.payment_date),
             share(forecast.confidence_bps));
  const auto proposed = engine.propose_terms(
      {*review, arguments.texts.at("rail"), today, !*payer || (*payer)->supports_advance, {}, true, draft.details});
  for (const auto& one : proposed.explained) print(one);
  for (const auto& fault : proposed.faults) fmt::print("FAILS   {}\n        {}\n", fault.rule_id, fault.problem);
  const auto terms = domain::bound_terms(proposed.proposal, *review, node::terms_limits(settings),
                                         domain::advance_refusals(draft.details, settings.environment));
  std::string reasons;
  for (const auto& reason : terms.reasons) reasons += (reasons.empty() ? " because of " : ", ") + reason;
  fmt::print("terms: {}{}; advance {} ({}), fee {}\n", name_of(terms.decision), reasons,
             format_money(terms.terms.advance_amount), share(terms.terms.advance_bps),
             format_money(terms.terms.fee_estimate));
  return 0;
}

/// The rule folder: positional as "folder", an option as "--folder".
admin::CommandOption rule_folder(const char* name) {
  return {name, "Rule folder (default: the configured one)"};
}

admin::CommandOption required(const char* name, const char* help) {
  return {name, help, admin::CommandOption::Kind::text, "", true};
}

admin::CommandOption one_of(const char* name, const char* help, const char* preset, std::vector<std::string> choices) {
  return {name, help, admin::CommandOption::Kind::text, preset, false, "", std::move(choices)};
}

admin::CommandOption claim_file() {
  auto option = required("claim", "JSON file with one claim, in the format of POST /v1/claims/reviews");
  option.type_name = "FILE";
  return option;
}

admin::CommandOption min_coverage() {
  admin::CommandOption option{"--min-coverage",
                              "Exit with 3 when the cases cover less than this percentage of the lines",
                              admin::CommandOption::Kind::count};
  option.most = 100;
  return option;
}

}  // namespace

admin::Command rules_command() {
  using Kind = admin::CommandOption::Kind;
  admin::Command command{"rules", "Test, compare and release the rules"};
  command.commands = {
      {"check", "Compile, lint and test a rule folder", {admin::config_option(), rule_folder("folder")}, check},
      {"test",
       "Run the cases of a rule folder; print failures with their values, and lines without coverage",
       {admin::config_option(), rule_folder("folder"), {"--rule", "Report on this rule only, by id"}, min_coverage()},
       test},
      {"new",
       "Create a denial rule in shadow mode with its cases and its line in ruleset.lua",
       {admin::config_option(),
        required("rule", "Name of the rule, such as round_amount or denial.round_amount"),
        rule_folder("--folder"),
        {"--code", "Reason code from the catalogue", Kind::text, "16"},
        one_of("--group", "Group of the reason", "CO", {"CO", "PR", "OA", "PI"})},
       add_new},
      {"shadow",
       "Put a rule of the folder into shadow mode: it runs and is counted, but has no effect",
       {admin::config_option(),
        required("rule", "Id of the rule"),
        rule_folder("--folder"),
        {"--off", "End shadow mode: the rule is live", Kind::flag}},
       shadow},
      {"docs", "Print a Markdown page about all rules", {admin::config_option(), rule_folder("folder")}, docs},
      {"explain",
       "Show the result of each rule for a claim, the values that it read, and the resulting review and terms",
       {admin::config_option(),
        claim_file(),
        rule_folder("--folder"),
        one_of("--profile", "Validation profile of the tenant", "standard", {"lenient", "standard", "strict"}),
        one_of("--rail", "Funding rail of the adjudication", "SAME_DAY", {"RTP", "SAME_DAY", "FUTURE_DATE"}),
        {"--duplicates", "Number of earlier claims for the same service", Kind::count, "0"}},
       explain},
  };
  return command;
}

}  // namespace tideover::main
