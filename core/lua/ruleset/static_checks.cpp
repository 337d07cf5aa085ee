#include "core/lua/ruleset/static_checks.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/domain/basics/text.hpp"
#include "core/lua/facts/facts.hpp"
#include "core/lua/vm/closest_name.hpp"
#include "core/lua/vm/source.hpp"

namespace tideover::lua {
namespace {

using Kind = Token::Kind;
using Names = std::set<std::string, std::less<>>;

/// The known fields of the value of a name.
struct Held {
  std::string object;  // "claim", "params"
  const Names* fields = nullptr;
};

/// The fields of fact objects and the names of parameters.
class KnownFields {
 public:
  explicit KnownFields(const Ruleset& rules) {
    for (const auto& object : fact_objects())
      for (const auto& field : object.fields) names_[object.name].insert(field.name);
    for (const auto& param : rules.params) names_["params"].insert(param.name);
  }
  Held of(const std::string& object) const { return {object, &names_.at(object)}; }
  /// The object of a field: claim.history and line.history have their own fields.
  std::optional<Held> behind(const Held& held, std::string_view field) const {
    if (field != "history") return std::nullopt;
    return Held{held.object + ".history", &names_.at(held.object == "line" ? "line_history" : "history")};
  }

 private:
  std::map<std::string, Names> names_;
};

/// Reads one file with the scopes of its names.
class Walk {
 public:
  Walk(const Ruleset& rules, const std::string& file, const GlobalNames& globals, const KnownFields& known,
       std::vector<std::string> evaluated)
      : bundle_(*rules.bundle),
        file_(file),
        source_(bundle_.files.at(file)),
        tokens_(tokens_of(source_)),
        globals_(globals),
        known_(known),
        evaluated_(std::move(evaluated)) {
    scopes_.push_back({Opener::block, {}});
  }

  std::vector<RuleFileError> run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      if (token.kind == Kind::keyword)
        keyword(token.text);
      else if (token.kind == Kind::symbol)
        symbol(token.text);
      else if (token.kind == Kind::name)
        name(token);
    }
    return std::move(slips_);
  }

 private:
  enum class Opener { block, brace, bracket };
  struct Scope {
    Opener opener;
    std::map<std::string, Held, std::less<>> names;
  };

  std::string_view text(std::size_t at) const { return at < tokens_.size() ? tokens_[at].text : std::string_view(); }
  std::string_view before() const { return at_ == 0 ? std::string_view() : tokens_[at_ - 1].text; }

  void declare(std::string_view name, Held held = {}) {
    auto scope = scopes_.end() - 1;
    while (scope->opener != Opener::block) --scope;
    scope->names.insert_or_assign(std::string(name), std::move(held));
  }
  void close(Opener opener) {
    if (scopes_.size() > 1 && scopes_.back().opener == opener) scopes_.pop_back();
  }

  void keyword(std::string_view word) {
    if (word == "function") return function();
    if (word == "local") return local();
    if (word == "for") return loop();
    if (word == "goto") ++at_;
    // `then` and `else` need no scope: a name that stays known too long hides a fault, but causes none.
    if (word == "do" || word == "repeat" || word == "if") {
      scopes_.push_back({Opener::block, {}});
      for (const auto& loop_name : loop_names_) declare(loop_name);
      if (word == "do") loop_names_.clear();
    }
    if (word == "until") {  // the condition can use the names of the block
      auto names = std::move(scopes_.back().names);
      close(Opener::block);
      for (auto& [name, held] : names) declare(name, std::move(held));
    }
    if (word == "end") close(Opener::block);
  }

  void symbol(std::string_view sign) {
    if (sign == "{") scopes_.push_back({Opener::brace, {}});
    if (sign == "(" || sign == "[") scopes_.push_back({Opener::bracket, {}});
    if (sign == "}") close(Opener::brace);
    if (sign == ")" || sign == "]") close(Opener::bracket);
    if (sign == "::") at_ += 2;  // the label and its end
  }

  void function() {
    const bool is_evaluate = before() == "=" && at_ >= 2 && text(at_ - 2) == "evaluate";
    const bool is_local = before() == "local";
    std::string_view method;
    if (tokens_[std::min(at_ + 1, tokens_.size() - 1)].kind == Kind::name) {
      ++at_;
      if (is_local)
        declare(tokens_[at_].text);
      else if (text(at_ + 1) == "." || text(at_ + 1) == ":")
        use(tokens_[at_]);
      else
        assign(tokens_[at_]);
      while (text(at_ + 1) == "." || text(at_ + 1) == ":") {
        method = text(at_ + 1);
        at_ += 2;
      }
    }
    scopes_.push_back({Opener::block, {}});
    if (method == ":") declare("self");
    std::size_t position = 0;
    for (at_ += 2; at_ < tokens_.size() && text(at_) != ")"; ++at_)
      if (tokens_[at_].kind == Kind::name) {
        declare(tokens_[at_].text,
                is_evaluate && position < evaluated_.size() ? known_.of(evaluated_[position]) : Held{});
        ++position;
      }
  }

  void local() {
    if (text(at_ + 1) == "function") return;  // declares its own name
    while (at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == Kind::name) {
      declare(text(++at_));
      if (text(at_ + 1) == "<") at_ += 3;
      if (text(at_ + 1) != ",") break;
      ++at_;
    }
  }

  void loop() {
    while (at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == Kind::name) {
      loop_names_.emplace_back(text(++at_));
      if (text(at_ + 1) != ",") break;
      ++at_;
    }
  }

  void name(const Token& token) {
    if (before() == "." || before() == ":") return;
    if (scopes_.back().opener == Opener::brace && text(at_ + 1) == "=" &&
        (before() == "{" || before() == "," || before() == ";"))
      return;
    if (text(at_ + 1) == "=" && scopes_.back().opener == Opener::block) return assign(token);
    use(token);
  }

  const Held* find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->names.find(name); found != scope->names.end()) return &found->second;
    return nullptr;
  }

  void assign(const Token& token) {
    if (find(token.text) == nullptr && token.text != "_ENV")
      slip(token,
           "assignment to global '" + std::string(token.text) + "': write 'local " + std::string(token.text) + "'");
  }

  void use(const Token& token) {
    if (const auto* const held = find(token.text)) {
      if (held->fields != nullptr) fields_behind(*held);
      return;
    }
    if (token.text == "_ENV") return;
    const auto known = globals_.find(token.text);
    if (known == globals_.end()) {
      ClosestName closest(token.text);
      for (const auto& [global, fields] : globals_) closest.consider(global);
      for (const auto& scope : scopes_)
        for (const auto& [local, held] : scope.names) closest.consider(local);
      return slip(token, "unknown global '" + std::string(token.text) + "'" + hint(closest, ""));
    }
    if (!known->second.empty() && text(at_ + 1) == "." && known->second.count(std::string(text(at_ + 2))) == 0)
      unknown_field(known->first, known->second, tokens_[at_ + 2]);
  }

  void fields_behind(Held held) {
    while (text(at_ + 1) == "." && at_ + 2 < tokens_.size() && tokens_[at_ + 2].kind == Kind::name) {
      const Token& field = tokens_[at_ + 2];
      if (held.fields->count(field.text) == 0) return unknown_field(held.object, *held.fields, field);
      at_ += 2;
      const auto next = known_.behind(held, field.text);
      if (!next) return;
      held = *next;
    }
  }

  template <class Fields>
  void unknown_field(const std::string& object, const Fields& fields, const Token& field) {
    ClosestName closest(field.text);
    for (const auto& one : fields) closest.consider(one);
    slip(field, "unknown field '" + object + "." + std::string(field.text) + "'" + hint(closest, object + "."));
  }

  static std::string hint(const ClosestName& closest, const std::string& prefix) {
    return closest.found().empty() ? "" : " (did you mean '" + prefix + std::string(closest.found()) + "'?)";
  }

  void slip(const Token& token, std::string message) {
    const auto place = place_of(source_, token.at);
    slips_.push_back({file_, place.line, place.column, std::move(message), bundle_.line_of(file_, place.line)});
  }

  const Bundle& bundle_;
  const std::string& file_;
  const std::string& source_;
  const std::vector<Token> tokens_;
  const GlobalNames& globals_;
  const KnownFields& known_;
  const std::vector<std::string> evaluated_;  // the parameters of evaluate
  std::size_t at_ = 0;
  std::vector<Scope> scopes_;
  std::vector<std::string> loop_names_;  // of a `for` before its `do`
  std::vector<RuleFileError> slips_;
};

/// Facts that can be read through another name too.
bool is_read_by(std::string_view fact, std::string_view name) {
  if (name == fact) return true;
  if (fact == "date_of_service") return name == "days_to_submission";
  if (fact == "lines") return name == "line_count" || name == "lines_total_cents" || name == "lines_difference_cents";
  return false;
}

/// True when the file, or a library that it loads, has a word that reads the fact.
bool reads(const Bundle& bundle, const std::string& file, std::string_view fact, std::set<std::string>& seen) {
  const auto found = bundle.files.find(file);
  if (found == bundle.files.end() || !seen.insert(file).second) return false;
  const auto tokens = tokens_of(found->second);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == Kind::name && is_read_by(fact, tokens[i].text)) return true;
    if (tokens[i].text == "lib" && i + 2 < tokens.size() && tokens[i + 2].kind == Kind::text &&
        reads(bundle, "lib/" + std::string(unquoted(tokens[i + 2])) + ".lua", fact, seen))
      return true;
  }
  return false;
}

/// Tables and libraries that a file opens under a name that it never uses.
std::vector<std::string> opened_in_vain(const std::vector<Token>& tokens) {
  std::vector<std::string> unread;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const auto& name = tokens[i + 1];
    if (tokens[i].text != "local" || name.kind != Kind::name || tokens[i + 2].text != "=" ||
        (tokens[i + 3].text != "table" && tokens[i + 3].text != "lib"))
      continue;
    if (std::count_if(tokens.begin(), tokens.end(),
                      [&](const Token& one) { return one.kind == Kind::name && one.text == name.text; }) == 1)
      unread.emplace_back(name.text);
  }
  return unread;
}

}  // namespace

std::vector<RuleFileError> slips_of(const Ruleset& rules, const GlobalNames& globals) {
  std::vector<RuleFileError> slips;
  const KnownFields known(rules);
  const auto walk = [&](const std::string& file, std::vector<std::string> evaluated) {
    auto found = Walk(rules, file, globals, known, std::move(evaluated)).run();
    slips.insert(slips.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  };
  for (const auto& rule : rules.denial)
    walk(rule.file, rule.asks_lines ? std::vector<std::string>{"line", "claim", "payer", "params"}
                                    : std::vector<std::string>{"claim", "payer", "params"});
  if (!rules.terms.file.empty()) walk(rules.terms.file, {"review", "params"});
  if (!rules.recourse.file.empty()) walk(rules.recourse.file, {"event", "params"});
  for (const auto& [file, text] : rules.bundle->files)
    if (file.starts_with("lib/")) walk(file, {});
  return slips;
}

std::vector<RuleFileError> encoding_slips_of(const Ruleset& rules) {
  std::vector<RuleFileError> slips;
  const Bundle& bundle = *rules.bundle;
  for (const auto& [file, text] : bundle.files) {
    if (!file.ends_with(".lua")) continue;
    for (const auto& token : tokens_of(text)) {
      if (token.kind != Kind::text || domain::is_utf8(token.text)) continue;
      auto at = token.text;
      while (const auto length = domain::utf8_length(at)) at.remove_prefix(length);
      const auto place = place_of(text, token.at + token.text.size() - at.size());
      slips.push_back({file, place.line, place.column, "this text is not UTF-8: save the file as UTF-8", ""});
    }
  }
  const auto look_at = [&](const std::string& file, const char* field, const std::string& value) {
    if (!domain::is_utf8(value))
      slips.push_back(error_at_word(bundle, file, field,
                                    std::string(field) + " is not UTF-8: its escapes are not valid characters"));
  };
  for (const auto& rule : rules.denial)
    for (const auto& [field, value] :
         {std::pair{"summary", &rule.summary}, {"fix", &rule.fix}, {"field", &rule.field}, {"family", &rule.family}})
      look_at(rule.file, field, *value);
  for (const auto& param : rules.params) {
    look_at("params.lua", "note", param.note);
    if (const auto* const text = std::get_if<std::string>(&param.value)) look_at("params.lua", "value", *text);
  }
  return slips;
}

std::vector<RuleFileError> doubts_of(const Ruleset& rules, const std::function<bool(const std::string&)>& knows_payer) {
  std::vector<RuleFileError> doubts;
  const auto doubt = [&](const std::string& file, std::string_view word, std::string message) {
    doubts.push_back(error_at_word(*rules.bundle, file, word, std::move(message)));
  };
  for (const auto& rule : rules.denial) {
    if (rule.mode == RuleMode::off) doubt(rule.file, "mode", "the rule is off and never fires");
    for (const auto* const fact : rule.needs) {
      std::set<std::string> seen;
      const std::string_view name = fact->name;
      if ((name == "lines" && rule.asks_lines) || reads(*rules.bundle, rule.file, name, seen)) continue;
      doubt(rule.file, name, "needs '" + std::string(name) + "' and never reads it");
    }
    for (const auto& payer : rule.payers)
      if (knows_payer && !knows_payer(payer))
        doubt(rule.file, "payers",
              "payers names '" + payer + "', which no payer directory has: the rule never fires for it");
  }
  std::set<std::string, std::less<>> words;  // of all code that is run
  for (const auto& [file, text] : rules.bundle->files) {
    if (!file.starts_with("denial/") && !file.starts_with("terms/") && !file.starts_with("recourse/") &&
        !file.starts_with("lib/"))
      continue;
    const auto tokens = tokens_of(text);
    for (const auto& token : tokens)
      if (token.kind == Kind::name) words.emplace(token.text);
    for (const auto& unread : opened_in_vain(tokens)) doubt(file, unread, "opens '" + unread + "' and never reads it");
  }
  for (const auto& param : rules.params) {
    const bool is_number =
        std::holds_alternative<double>(param.value) || std::holds_alternative<std::int64_t>(param.value);
    if (is_number && param.unit.empty())
      doubt("params.lua", param.name,
            "parameter '" + param.name + "' has no unit (share, cents, days, claims or characters)");
    if (!words.contains(param.name) && !param.is_read_by_core)
      doubt("params.lua", param.name, "no rule reads the parameter '" + param.name + "'");
  }
  return doubts;
}

}  // namespace tideover::lua
