#include "core/lua/ruleset/lint.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/domain/claims/payer.hpp"
#include "core/domain/claims/procedure_code.hpp"
#include "core/lua/facts/facts.hpp"
#include "core/lua/ruleset/recourse_policy.hpp"
#include "core/lua/vm/closest_name.hpp"
#include "core/lua/vm/rates.hpp"
#include "core/lua/vm/sandbox.hpp"
#include "core/lua/vm/table_reader.hpp"

namespace tideover::lua {

std::string_view name_of(RuleMode mode) {
  return mode == RuleMode::live ? "live" : mode == RuleMode::shadow ? "shadow" : "off";
}

std::string_view name_of(domain::Finding::Effect effect) {
  using Effect = domain::Finding::Effect;
  return effect == Effect::reason ? "reason" : effect == Effect::warning ? "warning" : "refusal";
}

std::string_view name_of(domain::Finding::Severity severity) {
  using Severity = domain::Finding::Severity;
  return severity == Severity::info       ? "info"
         : severity == Severity::moderate ? "moderate"
         : severity == Severity::strong   ? "strong"
                                          : "high";
}

namespace {

using domain::Finding;

constexpr std::size_t kLongestSummary = 200;
constexpr std::int64_t kMostStrength = 1000;
constexpr int kVersionDigits = 8;  // of the digest; enough for people to tell bundles apart

class Linter {
 public:
  Linter(std::shared_ptr<const Bundle> bundle, const BundleTables& tables, const CodeSet& codes)
      : bundle_(std::move(bundle)), codes_(codes), sandbox_(bundle_, tables.in_force) {
    linted_.ruleset = std::make_shared<Ruleset>();
    linted_.ruleset->bundle = bundle_;
    linted_.ruleset->tables = tables.in_force;
    linted_.ruleset->sample_tables = tables.samples;
    linted_.ruleset->fees = claim_fees(tables.in_force);
  }

  LintedRuleset run() {
    const auto before_params = linted_.errors.size();
    read_params();
    linted_.params_sound = linted_.errors.size() == before_params;
    read_ruleset();
    // A library that no rule loads is compiled too, so that its faults are reported before its first use.
    for (const auto& entry : bundle_->files) {
      const auto& file = entry.first;  // clang 14 does not capture a structured binding
      if (file.starts_with("lib/"))
        with_result_of(file, [&] {
          if (lua_type(sandbox_.state(), -1) != LUA_TTABLE)
            fault(file, "return", "a library must return a table of functions");
        });
    }
    return std::move(linted_);
  }

 private:
  void fault(const std::string& file, std::string_view word, std::string message) {
    auto error = error_at_word(*bundle_, file, word, std::move(message));
    const auto same = [&](const RuleFileError& e) {
      return e.file == error.file && e.line == error.line && e.message == error.message;
    };
    if (std::none_of(linted_.errors.begin(), linted_.errors.end(), same)) linted_.errors.push_back(std::move(error));
  }
  TableReader::Complain complain_in(const std::string& file) {
    return [this, file](std::string_view word, std::string message) { fault(file, word, std::move(message)); };
  }

  /// Runs a file and, when that succeeds, `read` with the file's result on top of the stack.
  template <class Read>
  bool with_result_of(const std::string& file, Read read) {
    if (const auto failed = sandbox_.run_file(file)) {
      auto error = error_from_lua(*bundle_, file, *failed);
      const auto same = [&](const RuleFileError& e) {
        return e.file == error.file && e.line == error.line && e.message == error.message;
      };
      if (std::none_of(linted_.errors.begin(), linted_.errors.end(), same)) linted_.errors.push_back(std::move(error));
      return false;
    }
    const auto faults_before = linted_.errors.size();
    read();
    lua_pop(sandbox_.state(), 1);
    return linted_.errors.size() == faults_before;
  }

  void read_params() {
    with_result_of("params.lua", [&] {
      lua_State* const s = sandbox_.state();
      TableReader all(s, -1, "params.lua's result", complain_in("params.lua"));
      if (!all.is_table()) return;
      std::map<std::string, Param> sorted;
      push_content(s, -1);
      std::vector<std::string> names;
      for (lua_pushnil(s); lua_next(s, -2) != 0; lua_pop(s, 1)) {
        if (lua_type(s, -2) == LUA_TSTRING)
          names.emplace_back(lua_tostring(s, -2));
        else
          fault("params.lua", "return", "every parameter needs a name");
      }
      lua_pop(s, 1);
      std::sort(names.begin(), names.end());
      for (const auto& name : names) {
        all.push(name.c_str());
        read_param(name);
        lua_pop(s, 1);
      }
    });
    auto& policy = linted_.ruleset->policy;
    read_share("denial_threshold", policy.denial_threshold_bps);
    read_share("date_quantile", policy.date_quantile_bps);
    read_share("recovery", policy.recovery_bps);
    auto& overdue = linted_.ruleset->overdue;
    constexpr std::int64_t kMostDays = 3650, kMostClaims = 1'000'000'000;
    read_whole("overdue_task_days", overdue.task_days, 1, kMostDays, "days");
    read_whole("write_off_days", overdue.write_off_days, 1, kMostDays, "days");
    read_whole("waiting_task_days", overdue.waiting_days, 1, kMostDays, "days");
    read_whole("learn_from_answers", policy.learn_from_answers, 1, kMostClaims, "claims");
    read_whole("payer_evidence", policy.payer_evidence, 1, kMostClaims, "claims");
  }

  /// The parameter on top of the stack: { value = 0.5, min = 0, max = 1 }, or { value = true }, or { value = 'text' }.
  void read_param(const std::string& name) {
    lua_State* const s = sandbox_.state();
    const auto complain = [&](std::string_view, const std::string& message) {
      fault("params.lua", name, "parameter '" + name + "': " + message);
    };
    TableReader param(s, -1, "it", complain);
    if (!param.is_table()) return;
    param.require("value");
    Param read;
    read.name = name;
    read.low = param.number("min");
    read.high = param.number("max");
    read.unit = param.one_of("unit", {"share", "cents", "days", "claims", "characters"}).value_or("");
    read.note = param.text("note").value_or("");
    const auto &low = read.low, &high = read.high;
    const int type = param.push("value");
    if (type == LUA_TNUMBER) {
      const double value = lua_tonumber(s, -1);
      if (!low || !high)
        complain("", "a number needs min and max, its valid range");
      else if (!(value >= *low && value <= *high))
        complain("", "the value " + shown(value) + " is outside its range " + shown(*low) + " to " + shown(*high));
      if (read.unit == "share" && low && high && (*low < 0 || *high > 1))
        complain("", "a share and its range must be between 0 and 1");
      if (!read.unit.empty() && read.unit != "share" && lua_isinteger(s, -1) == 0)
        complain("", "a number of " + read.unit + " must be whole");
      if (lua_isinteger(s, -1) != 0)
        read.value = static_cast<std::int64_t>(lua_tointeger(s, -1));
      else
        read.value = value;
    } else if (type == LUA_TBOOLEAN) {
      read.value = lua_toboolean(s, -1) != 0;
    } else if (type == LUA_TSTRING) {
      read.value = std::string(lua_tostring(s, -1));
    } else if (type != LUA_TNIL) {
      complain("", "the value must be a number, a text, true or false");
    }
    lua_pop(s, 1);
    param.refuse_other_fields();
    linted_.ruleset->params.push_back(std::move(read));
  }

  static std::string shown(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
  }

  /// A parameter that the core reads: a share between 0 and 1.
  void read_share(const char* name, int& bps) {
    if (!linted_.errors.empty()) return;  // params.lua has reported its faults already
    auto& params = linted_.ruleset->params;
    const auto found = std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.name == name; });
    if (found == params.end()) {
      fault("params.lua", "return", std::string("the parameter '") + name + "' is missing; the forecast needs it");
      return;
    }
    found->is_read_by_core = true;
    std::optional<std::int64_t> exact;
    if (const auto* share = std::get_if<double>(&found->value)) exact = exact_scaled(*share, domain::kOneInBps);
    if (const auto* whole = std::get_if<std::int64_t>(&found->value))
      exact = *whole <= 1 && *whole >= 0 ? std::optional(*whole * domain::kOneInBps) : std::nullopt;
    if (!exact || *exact < 0 || *exact > domain::kOneInBps)
      fault("params.lua", name,
            std::string("parameter '") + name + "' must be a share between 0 and 1 with at most four decimals");
    else
      bps = static_cast<int>(*exact);
  }

  /// An optional parameter that the core reads: a whole number.
  void read_whole(const std::string& name, int& into, std::int64_t least, std::int64_t most, const char* of_what) {
    auto& params = linted_.ruleset->params;
    const auto found =
        std::find_if(params.begin(), params.end(), [&](const Param& param) { return param.name == name; });
    if (!linted_.errors.empty() || found == params.end()) return;
    found->is_read_by_core = true;
    const auto* whole = std::get_if<std::int64_t>(&found->value);
    if (!whole || *whole < least || *whole > most)
      fault("params.lua", name,
            "parameter '" + name + "' must be a whole number of " + of_what + " from " + std::to_string(least) +
                " to " + std::to_string(most));
    else
      into = static_cast<int>(*whole);
  }

  void read_ruleset() {
    auto& stamp = linted_.ruleset->stamp;
    stamp.sha256 = bundle_->sha256;
    std::vector<std::string> denial;
    std::string terms, recourse;
    const bool listed = with_result_of("ruleset.lua", [&] {
      TableReader list(sandbox_.state(), -1, "ruleset.lua's result", complain_in("ruleset.lua"));
      for (const char* key : {"version", "denial", "terms"}) list.require(key);
      stamp.version = list.text("version").value_or("") + "+" + bundle_->sha256.substr(0, kVersionDigits);
      denial = list.texts("denial").value_or(std::vector<std::string>{});
      terms = list.text("terms").value_or("");
      recourse = list.text("recourse").value_or("");
      list.refuse_other_fields();
    });
    std::set<std::string> wanted;
    for (const auto& name : denial) {
      const std::string file = "denial/" + name + ".lua";
      if (!wanted.insert(file).second)
        fault("ruleset.lua", name, "the rule '" + name + "' is listed twice");
      else if (!bundle_->has(file))
        fault("ruleset.lua", name, "file not found: " + file);
      else
        read_denial_rule(file);
    }
    if (!terms.empty()) {
      const std::string file = "terms/" + terms + ".lua";
      wanted.insert(file);
      if (bundle_->has(file))
        read_terms_rule(file);
      else
        fault("ruleset.lua", terms, "file not found: " + file);
    }
    if (!recourse.empty()) {
      const std::string file = "recourse/" + recourse + ".lua";
      wanted.insert(file);
      if (bundle_->has(file))
        read_recourse_rule(file);
      else
        fault("ruleset.lua", recourse, "file not found: " + file);
    }
    // Every rule file is compiled. A file that is not listed would never run, so it is a fault.
    for (const auto& [file, text] : bundle_->files) {
      if (wanted.count(file) != 0 ||
          (!file.starts_with("denial/") && !file.starts_with("terms/") && !file.starts_with("recourse/")))
        continue;
      if (with_result_of(file, [] {}) && listed && file.starts_with("denial/"))
        fault(file, "return",
              "is not listed in ruleset.lua: list '" + stem_of(file) +
                  "' there (mode = 'off' disables it) or delete the file");
    }
  }

  /// id, rev and evaluate, which every rule has. The id gives the file of the rule, so that a log line leads to it.
  void read_identity(TableReader& rule, const std::string& file, std::string& id, std::int64_t& rev) {
    for (const char* key : {"id", "rev", "evaluate"}) rule.require(key);
    std::string expected = file.substr(0, file.rfind('.'));
    std::replace(expected.begin(), expected.end(), '/', '.');
    id = rule.text("id").value_or("");
    if (!id.empty() && id != expected)
      fault(file, "id", "id is '" + id + "' but must be '" + expected + "', after the file's name");
    rev = rule.integer("rev").value_or(1);
    if (rev < 1) fault(file, "rev", "rev counts from 1");
    const int type = rule.push("evaluate");
    if (type != LUA_TFUNCTION && type != LUA_TNIL)
      fault(file, "evaluate",
            std::string("evaluate must be a function, not a ") + lua_typename(sandbox_.state(), type));
    lua_pop(sandbox_.state(), 1);
  }

  void read_denial_rule(const std::string& file) {
    DenialRule rule;
    rule.file = file;
    const bool sound = with_result_of(file, [&] {
      TableReader table(sandbox_.state(), -1, "a denial rule", complain_in(file));
      if (!table.is_table()) return;
      read_identity(table, file, rule.id, rule.rev);
      for (const char* key : {"mode", "family", "reason", "summary", "fix"}) table.require(key);
      const auto mode = table.one_of("mode", {"live", "shadow", "off"});
      rule.mode = mode == "shadow" ? RuleMode::shadow : mode == "off" ? RuleMode::off : RuleMode::live;
      rule.family = table.text("family").value_or("");
      rule.summary = table.text("summary").value_or("");
      rule.fix = table.text("fix").value_or("");
      rule.field = table.text("field").value_or("");
      rule.asks_lines = table.one_of("each", {"line"}).has_value();
      const auto claim_type = table.one_of("claim_type", {"professional", "institutional"});
      for (const auto each : {domain::ClaimType::professional, domain::ClaimType::institutional})
        if (claim_type == domain::name_of(each)) rule.claim_type = each;
      if (rule.summary.size() > kLongestSummary) fault(file, "summary", "summary is longer than 200 characters");
      read_reason(table, file, rule);
      read_profiles(table, file, rule);
      read_prior(table, file, rule);
      read_needs(table, file, rule);
      rule.payers = read_names(table, file, "payers", domain::plain_payer_id);
      rule.codes = read_names(table, file, "codes", domain::repair_procedure_code);
      read_confidence_cap(table, file, rule);
      table.refuse_other_fields();
    });
    if (sound) linted_.ruleset->denial.push_back(std::move(rule));
  }

  void read_reason(TableReader& table, const std::string& file, DenialRule& rule) {
    if (table.push("reason") != LUA_TNIL) {
      TableReader reason(sandbox_.state(), -1, "reason", complain_in(file));
      for (const char* key : {"group", "code"}) reason.require(key);
      rule.group = reason.one_of("group", {"CO", "PR", "OA", "PI"}).value_or("");
      rule.code = reason.text("code").value_or("");
      rule.carc = reason.text("carc").value_or("");
      for (const auto* code : {&rule.code, &rule.carc})
        if (!code->empty() && codes_.count(*code) == 0)
          fault(file, *code, "reason code '" + *code + "' is not in the catalogue (config/reason_codes.yaml)");
      reason.refuse_other_fields();
    }
    lua_pop(sandbox_.state(), 1);
  }

  void read_prior(TableReader& table, const std::string& file, DenialRule& rule) {
    if (const auto weight = table.number("weight")) {
      const auto bps = exact_scaled(*weight, domain::kOneInBps);
      if (!bps || *bps < 1 || *bps > domain::kOneInBps)
        fault(file, "weight", "weight must be a share above 0 and at most 1, with at most four decimals");
      else
        rule.weight_bps = static_cast<int>(*bps);
    }
    const auto strength = table.integer("strength").value_or(rule.strength);
    if (strength < 1 || strength > kMostStrength)
      fault(file, "strength", "strength must be a number of claims from 1 to " + std::to_string(kMostStrength));
    else
      rule.strength = static_cast<int>(strength);
    rule.lock = table.boolean("lock").value_or(false);
    if (const auto severity = table.one_of("severity", {"info", "moderate", "strong", "high"}))
      for (const auto each :
           {Finding::Severity::info, Finding::Severity::moderate, Finding::Severity::strong, Finding::Severity::high})
        if (name_of(each) == *severity) rule.severity = each;
  }

  void read_needs(TableReader& table, const std::string& file, DenialRule& rule) {
    for (const auto& name : table.texts("needs").value_or(std::vector<std::string>{})) {
      if (const auto* const fact = optional_claim_fact(name)) {
        rule.needs.push_back(fact);
        continue;
      }
      ClosestName closest(name);
      for (const auto known : optional_claim_facts()) closest.consider(known);
      const std::string hint = closest.found().empty() ? "" : " (did you mean '" + std::string(closest.found()) + "'?)";
      fault(file, name, "needs names '" + name + "', which is not an optional fact of a claim" + hint);
    }
  }

  /// The payers or codes of a rule, in the form that claims have. A list in another form would silently never match.
  std::vector<std::string> read_names(TableReader& table, const std::string& file, const char* key,
                                      std::string (*plain)(std::string_view)) {
    auto names = table.texts(key).value_or(std::vector<std::string>{});
    if (names.empty() && table.has(key))
      fault(file, key, std::string(key) + " is an empty list: remove it for a rule that applies to all");
    std::set<std::string> seen;
    for (auto& name : names) {
      auto form = plain(name);
      if (form.empty()) fault(file, key, std::string(key) + " has an empty name");
      if (!seen.insert(form).second) fault(file, name, std::string(key) + " names '" + name + "' twice");
      name = std::move(form);
    }
    return names;
  }

  void read_profiles(TableReader& table, const std::string& file, DenialRule& rule) {
    if (table.push("profiles") != LUA_TNIL) {
      TableReader profiles(sandbox_.state(), -1, "profiles", complain_in(file));
      for (std::size_t i = 0; i < kProfiles.size(); ++i) {
        const auto effect = profiles.one_of(name_of(kProfiles[i]).data(), {"reason", "warning", "refusal"});
        rule.profiles[i].effect = effect == "warning"   ? Finding::Effect::warning
                                  : effect == "refusal" ? Finding::Effect::refusal
                                                        : Finding::Effect::reason;
      }
      profiles.refuse_other_fields();
    }
    lua_pop(sandbox_.state(), 1);
  }

  void read_confidence_cap(TableReader& table, const std::string& file, DenialRule& rule) {
    const auto take = [&](std::optional<double> share, ProfileEffect& profile) {
      if (!share) return;
      const auto bps = exact_scaled(*share, domain::kOneInBps);
      if (!bps || *bps < 0 || *bps > domain::kOneInBps)
        fault(file, "confidence_cap", "confidence_cap must be a share between 0 and 1 with at most four decimals");
      else
        profile.confidence_cap_bps = static_cast<int>(*bps);
    };
    const int type = table.push("confidence_cap");
    if (type == LUA_TTABLE) {
      TableReader caps(sandbox_.state(), -1, "confidence_cap", complain_in(file));
      for (std::size_t i = 0; i < kProfiles.size(); ++i)
        take(caps.number(name_of(kProfiles[i]).data()), rule.profiles[i]);
      caps.refuse_other_fields();
    } else if (type != LUA_TNIL) {
      const auto share = table.number("confidence_cap");
      for (auto& profile : rule.profiles) take(share, profile);
    }
    lua_pop(sandbox_.state(), 1);
  }

  void read_terms_rule(const std::string& file) {
    TermsRule rule;
    rule.file = file;
    const bool sound = with_result_of(file, [&] {
      TableReader table(sandbox_.state(), -1, "a terms rule", complain_in(file));
      if (!table.is_table()) return;
      read_identity(table, file, rule.id, rule.rev);
      table.text("summary");
      table.refuse_other_fields();
    });
    if (sound) linted_.ruleset->terms = std::move(rule);
  }

  void read_recourse_rule(const std::string& file) {
    RecourseRule rule;
    rule.file = file;
    const bool sound = with_result_of(file, [&] {
      TableReader table(sandbox_.state(), -1, "a recourse rule", complain_in(file));
      if (!table.is_table()) return;
      read_identity(table, file, rule.id, rule.rev);
      table.text("summary");
      rule.policy = read_recourse_policy(table, sandbox_.state(), complain_in(file));
      table.refuse_other_fields();
    });
    if (sound) linted_.ruleset->recourse = std::move(rule);
  }

  std::shared_ptr<const Bundle> bundle_;
  const CodeSet& codes_;
  Sandbox sandbox_;
  LintedRuleset linted_;
};

}  // namespace

LintedRuleset lint_bundle(std::shared_ptr<const Bundle> bundle, const BundleTables& tables, const CodeSet& codes) {
  return Linter(std::move(bundle), tables, codes).run();
}

}  // namespace tideover::lua
