// tideover rules check|test|new|shadow|docs|explain: tests a rule folder before it is published, and shows the result
// of the rules for a claim.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>

#include "core/admin/commands.hpp"
#include "core/http/wire/reviews/claim_json.hpp"
#include "core/lua/tools/rule_docs.hpp"
#include "core/lua/tools/rule_edit.hpp"
#include "core/lua/tools/rule_test.hpp"
#include "core/node/start.hpp"
#include "core/usecases/claims/near_payer.hpp"
#include "core/usecases/reviews/judge_claim.hpp"

namespace tideover::main {
namespace {

namespace fs = std::filesystem;

struct RulesOptions {
  std::string config_file;
  std::string folder;
  std::string claim_file;
  std::string profile = "standard";
  std::string rail = "SAME_DAY";
  int duplicates = 0;
  std::string rule, code = "16", group = "CO";
  bool is_off = false;
  int min_coverage = 0;

  settings::Settings settings() const {
    return load_settings(config_file.empty() ? std::nullopt : std::optional<fs::path>(config_file));
  }
  fs::path folder_of(const settings::Settings& settings) const {
    return folder.empty() ? settings.rules.folder : fs::path(folder);
  }
};

/// Commands about rules open no rail.
settings::Settings only_payers(settings::Settings settings) {
  std::erase_if(settings.plugins,
                [](const auto& plugin) { return plugin.kind != settings::PluginKind::payer_directory; });
  return settings;
}

int check(const RulesOptions& options) {
  const auto settings = options.settings();
  auto rules = rule_options(settings, load_reason_codes(settings));
  const clock::SystemClock clock;
  const clock::NewYorkTime bank_time;
  std::unique_ptr<plugin_host::PluginHost> plugins;  // loaded for the first rule that names a payer
  bool is_refused = false;
  rules.knows_payer = [&](const std::string& payer) {
    try {
      if (!plugins && !is_refused) plugins = load_plugins(only_payers(settings), {clock, bank_time, {}, {}});
    } catch (const StartError& failed) {
      is_refused = true;
      fmt::print(stderr, "Payers named by rules were not checked: {}\n", failed.what());
    }
    if (!plugins) return true;
    const auto found = plugins->payers().get(payer);
    return !found || found->has_value();
  };
  const auto report = lua::check_rules(options.folder_of(settings), rules);
  fmt::print("{}", report.text);
  return report.ok ? 0 : 1;
}

int test(const RulesOptions& options) {
  constexpr int kTooLittleReached = 3;
  const auto settings = options.settings();
  const auto report =
      lua::test_rules(options.folder_of(settings), rule_options(settings, load_reason_codes(settings)), options.rule);
  fmt::print("{}", report.text);
  if (!report.passed) return 1;
  if (report.coverage_percent() >= options.min_coverage) return 0;
  fmt::print(stderr, "The cases cover {} % of the lines; --min-coverage requires {} %.\n", report.coverage_percent(),
             options.min_coverage);
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

int add_new(const RulesOptions& options) {
  const auto folder = options.folder_of(options.settings());
  return written(lua::add_rule(folder, {options.rule, options.code, options.group}), folder);
}

int shadow(const RulesOptions& options) {
  const auto folder = options.folder_of(options.settings());
  const auto mode = options.is_off ? lua::RuleMode::live : lua::RuleMode::shadow;
  const auto done = lua::set_mode(folder, options.rule, mode);
  if (done.problem.empty())
    fmt::print("{} is {} {}\n", options.rule, done.files.empty() ? "already" : "now", lua::name_of(mode));
  return written(done, folder);
}

int docs(const RulesOptions& options) {
  const auto settings = options.settings();
  const auto rules = rule_options(settings, load_reason_codes(settings));
  const auto folder = options.folder_of(settings);
  const auto loaded = lua::load_ruleset(folder, rules);
  if (!loaded.ruleset)
    throw StartError(lua::check_rules(folder, rules).text + "The rules have errors. Nothing was written.");
  fmt::print("{}", lua::rules_page(*loaded.ruleset, loaded.cases));
  return 0;
}

[[noreturn]] void refuse(const std::string& file, const domain::Error& error) {
  std::string text = file + ": " + error.message;
  for (const auto& field : error.fields) text += "\n  " + field.path + ' ' + field.problem;
  throw StartError(text);
}

/// The claim of a file in the format of POST /v1/claims/reviews.
domain::ClaimDraft read_claim(const std::string& file, domain::Date today) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw StartError(file + ": cannot be read: " + std::generic_category().message(errno));
  json::Document document;
  if (const auto parsed = json::parse(text, document); !parsed)
    throw StartError(
        fmt::format("{}:{}:{}: {}", file, parsed.error->line, parsed.error->column, parsed.error->message));
  if (document.root().kind() != json::Kind::object)
    throw StartError(file + ": must be one JSON object, in the format of POST /v1/claims/reviews");
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
int explain(const RulesOptions& options) {
  const auto settings = options.settings();
  const auto reason_codes = load_reason_codes(settings);
  const auto rules = rule_options(settings, reason_codes);
  const auto folder = options.folder_of(settings);
  const auto loaded = lua::load_ruleset(folder, rules);
  if (!loaded.ruleset)
    throw StartError(lua::check_rules(folder, rules).text + "The rules have errors. Correct them first.");

  const clock::SystemClock clock;
  const clock::NewYorkTime bank_time;
  const auto plugins = load_plugins(only_payers(settings), {clock, bank_time, {}, {}});
  const domain::Date today = clock.now().utc_date();
  auto draft = read_claim(options.claim_file, today);
  const auto payer = plugins->payers().get(draft.payer_id);
  if (!payer) throw StartError("The payer directory failed: " + payer.error().message);
  draft.payer_id = *payer ? (*payer)->payer_id : domain::plain_payer_id(draft.payer_id);
  const auto profile = std::find_if(lua::kProfiles.begin(), lua::kProfiles.end(),
                                    [&](auto each) { return name_of(each) == options.profile; });
  const domain::Payer unknown_payer;
  ports::ClaimFacts facts{draft,
                          *payer ? **payer : unknown_payer,
                          payer->has_value(),
                          *profile,
                          today,
                          options.duplicates,
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
      {*review, options.rail, today, !*payer || (*payer)->supports_advance, {}, true, draft.details});
  for (const auto& one : proposed.explained) print(one);
  for (const auto& fault : proposed.faults) fmt::print("FAILS   {}\n        {}\n", fault.rule_id, fault.problem);
  const auto terms = domain::bound_terms(proposed.proposal, *review, terms_limits(settings),
                                         domain::advance_refusals(draft.details, settings.environment));
  std::string reasons;
  for (const auto& reason : terms.reasons) reasons += (reasons.empty() ? " because of " : ", ") + reason;
  fmt::print("terms: {}{}; advance {} ({}), fee {}\n", name_of(terms.decision), reasons,
             format_money(terms.terms.advance_amount), share(terms.terms.advance_bps),
             format_money(terms.terms.fee_estimate));
  return 0;
}

}  // namespace

void add_rules(CLI::App& app, Run& run) {
  auto options = std::make_shared<RulesOptions>();
  auto* command = app.add_subcommand("rules", "Test, compare and release the rules");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, int (*work)(const RulesOptions&)) {
    auto* verb = command->add_subcommand(name, what);
    add_config_option(*verb, options->config_file);
    verb->callback([options, work, &run] { run = [options, work] { return work(*options); }; });
    return verb;
  };
  add("check", "Compile, lint and test a rule folder", check)
      ->add_option("folder", options->folder, "Rule folder (default: the configured one)");
  auto* testing =
      add("test", "Run the cases of a rule folder; print failures with their values, and lines without coverage", test);
  testing->add_option("folder", options->folder, "Rule folder (default: the configured one)");
  testing->add_option("--rule", options->rule, "Report on this rule only, by id");
  testing
      ->add_option("--min-coverage", options->min_coverage,
                   "Exit with 3 when the cases cover less than this percentage of the lines")
      ->check(CLI::Range(0, 100));
  auto* adding = add("new", "Create a denial rule in shadow mode with its cases and its line in ruleset.lua", add_new);
  adding->add_option("rule", options->rule, "Name of the rule, such as round_amount or denial.round_amount")
      ->required();
  adding->add_option("--folder", options->folder, "Rule folder (default: the configured one)");
  adding->add_option("--code", options->code, "Reason code from the catalogue")->capture_default_str();
  adding->add_option("--group", options->group, "Group of the reason")
      ->check(CLI::IsMember({"CO", "PR", "OA", "PI"}))
      ->capture_default_str();
  auto* shadowing =
      add("shadow", "Put a rule of the folder into shadow mode: it runs and is counted, but has no effect", shadow);
  shadowing->add_option("rule", options->rule, "Id of the rule")->required();
  shadowing->add_option("--folder", options->folder, "Rule folder (default: the configured one)");
  shadowing->add_flag("--off", options->is_off, "End shadow mode: the rule is live");
  add("docs", "Print a Markdown page about all rules", docs)
      ->add_option("folder", options->folder, "Rule folder (default: the configured one)");
  auto* explaining = add(
      "explain",
      "Show the result of each rule for a claim, the values that it read, and the resulting review and terms", explain);
  explaining
      ->add_option("claim", options->claim_file, "JSON file with one claim, in the format of POST /v1/claims/reviews")
      ->required()
      ->type_name("FILE");
  explaining->add_option("--folder", options->folder, "Rule folder (default: the configured one)");
  explaining->add_option("--profile", options->profile, "Validation profile of the tenant")
      ->check(CLI::IsMember({"lenient", "standard", "strict"}))
      ->capture_default_str();
  explaining->add_option("--rail", options->rail, "Funding rail of the adjudication")
      ->check(CLI::IsMember({"RTP", "SAME_DAY", "FUTURE_DATE"}))
      ->capture_default_str();
  explaining->add_option("--duplicates", options->duplicates, "Number of earlier claims for the same service")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

}  // namespace tideover::main
