#include "core/lua/ruleset/money_types.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/lua/vm/source.hpp"

namespace tideover::lua {
namespace {

using Kind = Token::Kind;

enum class Type {
  unknown,
  whole,  // a number without a fraction, not known to be an amount
  real,   // a float: dollars, or a share
  cents,
  fraction,  // parts of a cent: a float computed from cents
};

struct Value {
  Type type = Type::unknown;
  std::size_t from = 0;                                    // first token
  std::shared_ptr<std::map<std::string, Value>> fields{};  // of a table literal
  std::shared_ptr<Value> returned{};                       // of a function literal: its first return value
  std::vector<std::string> parameters{};                   // of a function literal
};

bool is_of_cents(std::string_view name) {
  return name == "cents" || name.ends_with("_cents");
}
bool is_float(Type type) {
  return type == Type::real || type == Type::fraction;
}
bool is_amount(Type type) {
  return type == Type::cents || type == Type::fraction;
}

Type type_of_number(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  return text.find_first_of(is_hexadecimal ? ".pP" : ".eE") == std::string_view::npos ? Type::whole : Type::real;
}

constexpr int kUnary = 12;
constexpr int kDeepest = 250;  // Lua refuses deeper nesting

/// Parses one file as Lua does and follows the values of its names.
class AmountReader {
 public:
  AmountReader(const Bundle& bundle, const std::string& file, const std::map<std::string, Type>& params,
               const std::set<std::string>& float_fields)
      : bundle_(bundle),
        file_(file),
        source_(bundle.files.at(file)),
        tokens_(tokens_of(source_)),
        params_(params),
        float_fields_(float_fields) {}

  std::vector<RuleFileError> run() {
    Value ignored;
    block(ignored);
    return std::move(slips_);
  }

 private:
  std::string_view text(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : std::string_view();
  }
  bool is_name(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].kind == Kind::name;
  }
  bool is_end() const { return at_ >= tokens_.size(); }
  bool take(std::string_view wanted) {
    if (text() != wanted || is_end() || tokens_[at_].kind == Kind::text) return false;
    ++at_;
    return true;
  }
  std::string name() { return std::string(is_end() ? std::string_view() : tokens_[at_++].text); }

  void slip(std::size_t token, std::string message) {
    if (tokens_.empty()) return;
    const auto place = place_of(source_, tokens_[std::min(token, tokens_.size() - 1)].at);
    slips_.push_back({file_, place.line, place.column, std::move(message), bundle_.line_of(file_, place.line)});
  }
  /// A suggestion to replace the value.
  std::string remedy(const Value& value) const {
    if (value.type == Type::fraction)
      return "amounts are whole cents: use basis points and // for a share, as in amount_cents * 8000 // 10000";
    const auto& token = tokens_[std::min(value.from, tokens_.size() - 1)];
    return "amounts are whole cents: write usd(" + (token.kind == Kind::number ? std::string(token.text) : "…") + ")";
  }

  // Statements
  // ---------------------------------------------------------------------------------------------------------

  /// False where the file cannot be valid Lua; the rest is skipped.
  bool goes_deeper() {
    if (depth_ >= kDeepest) at_ = tokens_.size();
    return depth_ < kDeepest;
  }

  /// `returned` is set to the first return value of the block.
  void block(Value& returned) {
    scopes_.emplace_back();
    if (!goes_deeper()) return;
    ++depth_;
    while (!is_end() && text() != "end" && text() != "else" && text() != "elseif" && text() != "until")
      statement(returned);
    --depth_;
    if (text() != "until") scopes_.pop_back();  // the condition of a repeat can use its names
  }

  void statement(Value& returned) {
    const auto before = at_;
    if (take(";")) return;
    if (take("::"))
      at_ += 2;
    else if (take("goto"))
      ++at_;
    else if (take("do"))
      body(returned);
    else if (take("while"))
      expression(), take("do"), body(returned);
    else if (take("repeat"))
      block(returned), take("until"), expression(), scopes_.pop_back();
    else if (take("if"))
      branches(returned);
    else if (take("for"))
      loop(returned);
    else if (take("function"))
      named_function();
    else if (take("local"))
      local();
    else if (take("return")) {
      const auto values = text() == "end" || is_end() || text() == ";" ? std::vector<Value>{} : expressions();
      if (!values.empty())
        returned = returned.from == 0 || returned.type == values.front().type ? values.front() : Value{};
      returned.from = std::max<std::size_t>(returned.from, 1);
    } else if (!take("break"))
      call_or_assignment();
    if (at_ == before) ++at_;
  }

  void body(Value& returned) {
    block(returned);
    take("end");
  }

  void branches(Value& returned) {
    expression();
    take("then");
    block(returned);
    while (take("elseif")) expression(), take("then"), block(returned);
    if (take("else")) block(returned);
    take("end");
  }

  void loop(Value& returned) {
    scopes_.emplace_back();
    do declare(name(), {});
    while (take(","));
    if (take("=") || take("in")) expressions();
    take("do");
    body(returned);
    scopes_.pop_back();
  }

  void named_function() {
    const bool is_simple = is_name() && text(1) == "(";
    const auto called = name();
    while (take(".") || take(":")) name();
    auto made = function();
    if (is_simple) declare(called, std::move(made));
  }

  void local() {
    if (take("function")) {
      const auto called = name();
      auto made = function();
      return declare(called, std::move(made));
    }
    std::vector<std::size_t> names;
    do {
      names.push_back(at_++);
      if (take("<")) at_ += 2;
    } while (take(","));
    auto values = take("=") ? expressions() : std::vector<Value>{};
    values.resize(std::max(values.size(), names.size()));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto called = std::string(tokens_[std::min(names[i], tokens_.size() - 1)].text);
      becomes(called, values[i]);
      declare(called, values[i]);
    }
  }

  void call_or_assignment() {
    std::vector<std::pair<std::string, bool>> targets;  // the last name of each, and whether it is a plain name
    do {
      const auto from = at_;
      suffixed();
      const bool is_named = at_ > from && tokens_[at_ - 1].kind == Kind::name;
      targets.emplace_back(is_named ? std::string(tokens_[at_ - 1].text) : "", at_ == from + 1);
    } while (take(","));
    if (!take("=")) return;
    const auto values = expressions();
    for (std::size_t i = 0; i < std::min(targets.size(), values.size()); ++i) {
      becomes(targets[i].first, values[i]);
      if (!targets[i].second) continue;
      for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto held = scope->find(targets[i].first); held != scope->end()) {
          held->second = held->second.type == values[i].type ? values[i] : Value{};
          break;
        }
    }
  }

  void declare(const std::string& called, Value value) {
    if (is_of_cents(called)) value.type = Type::cents;
    scopes_.back()[called] = std::move(value);
  }
  void becomes(const std::string& called, const Value& value) {
    if (is_of_cents(called) && is_float(value.type))
      slip(value.from, "'" + called + "' becomes a float; " + remedy(value));
  }

  // Expressions
  // --------------------------------------------------------------------------------------------------------

  std::vector<Value> expressions() {
    std::vector<Value> values;
    do values.push_back(expression());
    while (take(","));
    return values;
  }

  Value expression(int limit = 0) {
    const auto from = at_;
    Value left;
    if (!goes_deeper()) return left;
    ++depth_;
    if (!is_end() && (text() == "not" || text() == "#" || text() == "-" || text() == "~")) {
      const auto sign = name();
      left = expression(kUnary);
      if (sign == "#") left = {Type::whole};
      if (sign == "not") left = {};
    } else {
      left = simple();
    }
    left.from = from;
    while (!is_end() && tokens_[at_].kind != Kind::text) {
      const auto sign = text();
      const auto binding = binding_of(sign);
      if (binding.left <= limit) break;
      ++at_;
      left = combined(sign, left, expression(binding.right));
      left.from = from;
    }
    --depth_;
    return left;
  }

  Value combined(std::string_view sign, const Value& left, const Value& right) {
    const auto& other = left.type == Type::real ? left : right;
    const bool is_mixed =
        (is_amount(left.type) && right.type == Type::real) || (left.type == Type::real && is_amount(right.type));
    if (sign == "and") return right;
    if (sign == "or") {
      if (is_mixed) slip(other.from, "this is an amount in cents or a float; " + remedy(other));
      return left.type == right.type ? left : Value{};
    }
    if (binding_of(sign).left == 3) {
      if (is_mixed) slip(other.from, "cents are compared with a float; " + remedy(other));
      return {};
    }
    if (sign == "+" || sign == "-") {
      if (is_mixed) slip(other.from, "a float is added to or subtracted from cents; " + remedy(other));
      if (left.type == Type::fraction || right.type == Type::fraction) return {Type::fraction};
      if (left.type == Type::cents || right.type == Type::cents) return {Type::cents};
      return {left.type == right.type ? left.type : Type::unknown};
    }
    return {scaled(sign, left, right)};
  }

  Type scaled(std::string_view sign, const Value& left, const Value& right) const {
    if (sign == "*") {
      if (is_amount(left.type) && is_amount(right.type)) return Type::unknown;
      if (is_amount(left.type) || is_amount(right.type))
        return is_float(left.type) || is_float(right.type) ? Type::fraction : Type::cents;
      if (left.type == Type::real || right.type == Type::real) return Type::real;
    }
    if (sign == "/") {
      const auto divisor =
          right.from < tokens_.size() && at_ == right.from + 1 ? tokens_[right.from].text : std::string_view();
      if (is_amount(left.type) && (divisor == "100" || divisor == "100.0" || divisor == "100.00"))
        return Type::unknown;  // dollars
      if (is_amount(left.type)) return is_amount(right.type) ? Type::real : Type::fraction;
      if (left.type == Type::real || (left.type == Type::whole && right.type == Type::whole)) return Type::real;
    }
    if (sign == "//" || sign == "%") {
      if (is_amount(left.type) && is_amount(right.type)) return sign == "%" ? Type::cents : Type::whole;
      if (is_amount(left.type)) return is_float(left.type) || is_float(right.type) ? Type::fraction : Type::cents;
    }
    return left.type == Type::whole && right.type == Type::whole ? Type::whole : Type::unknown;
  }

  Value simple() {
    if (is_end()) return {};
    const Token& token = tokens_[at_];
    if (token.kind == Kind::number) {
      ++at_;
      return {type_of_number(token.text)};
    }
    if (take("function")) return function();
    if (text() == "{") return table();
    if (token.kind == Kind::name || token.text == "(") return suffixed();
    ++at_;
    return {};
  }

  /// The function whose parameters follow.
  Value function() {
    Value made;
    made.returned = std::make_shared<Value>();
    take("(");
    scopes_.emplace_back();
    while (!is_end() && !take(")")) {
      made.parameters.push_back(name());
      declare(made.parameters.back(), {});
      take(",");
    }
    body(*made.returned);
    scopes_.pop_back();
    return made;
  }

  Value table() {
    Value made;
    made.fields = std::make_shared<std::map<std::string, Value>>();
    take("{");
    while (!is_end() && !take("}")) {
      if (is_name() && text(1) == "=") {
        const auto called = name();
        take("=");
        auto value = expression();
        becomes(called, value);
        (*made.fields)[called] = std::move(value);
      } else if (take("[")) {
        expression(), take("]"), take("="), expression();
      } else {
        expression();
      }
      if (!take(",")) take(";");
    }
    return made;
  }

  /// A name or an expression in brackets, with its fields and calls.
  Value suffixed() {
    if (take("(")) {
      auto inner = expression();
      take(")");
      return rest_of(std::move(inner), "");
    }
    const auto called = name();
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto held = scope->find(called); held != scope->end()) return rest_of(held->second, called);
    return rest_of({is_of_cents(called) ? Type::cents : Type::unknown}, called);
  }

  Value rest_of(Value value, std::string called) {
    while (!is_end()) {
      if (text() == "." && is_name(1)) {
        ++at_;
        const auto field = name();
        value = field_of(value, called, field);
        called = called == "math" ? "math." + field : field;
      } else if (take("[")) {
        expression(), take("]");
        value = {};
      } else if (text() == ":" && is_name(1)) {
        at_ += 2;
        value = {};
      } else if (text() == "(" || text() == "{" || tokens_[at_].kind == Kind::text) {
        value = result_of(value, called);
        called.clear();
      } else {
        break;
      }
    }
    return value;
  }

  Value field_of(const Value& value, const std::string& called, const std::string& field) const {
    if (value.fields)
      if (const auto found = value.fields->find(field); found != value.fields->end()) return found->second;
    if (called == "params")
      if (const auto found = params_.find(field); found != params_.end()) return {found->second};
    if (is_of_cents(field)) return {Type::cents};
    return {float_fields_.contains(field) ? Type::real : Type::unknown};
  }

  Value result_of(const Value& value, const std::string& called) {
    std::vector<Value> arguments;
    if (take("(")) {
      if (text() != ")") arguments = expressions();
      take(")");
    } else if (text() == "{") {
      arguments.push_back(table());
    } else {
      ++at_;  // f 'text'
    }
    for (std::size_t i = 0; i < std::min(arguments.size(), value.parameters.size()); ++i)
      becomes(value.parameters[i], arguments[i]);
    if (value.returned) return {value.returned->type};
    const auto first = arguments.empty() ? Value{} : arguments.front();
    if (called == "usd") {
      if (is_amount(first.type)) slip(first.from, "usd() needs dollars; this is already an amount in cents");
      return {Type::cents};
    }
    if (called == "math.floor" || called == "math.ceil" || called == "math.tointeger")
      return {is_amount(first.type) ? Type::cents : first.type == Type::unknown ? Type::unknown : Type::whole};
    if (called == "math.abs") return {first.type};
    if (called == "math.max" || called == "math.min") {
      Type common = first.type;
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        combined("<", arguments[i - 1], arguments[i]);
        if (arguments[i].type != common) common = Type::unknown;
      }
      return {common};
    }
    return {};
  }

  const Bundle& bundle_;
  const std::string& file_;
  const std::string& source_;
  const std::vector<Token> tokens_;
  const std::map<std::string, Type>& params_;
  const std::set<std::string>& float_fields_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::map<std::string, Value>> scopes_{1};
  std::vector<RuleFileError> slips_;
};

std::map<std::string, Type> types_of(const std::vector<Param>& params) {
  std::map<std::string, Type> types;
  for (const auto& param : params)
    types[param.name] = std::holds_alternative<double>(param.value)          ? Type::real
                        : !std::holds_alternative<std::int64_t>(param.value) ? Type::unknown
                        : param.unit == "cents" || is_of_cents(param.name)   ? Type::cents
                        : param.unit.empty()                                 ? Type::unknown
                                                                             : Type::whole;
  return types;
}

/// Decimal columns of the tables that the file uses: their values are floats.
std::set<std::string> float_fields_of(const Ruleset& rules, const std::string& text) {
  std::set<std::string> names;
  for (const auto& token : tokens_of(text)) {
    if (token.kind != Kind::text) continue;
    const auto found = rules.tables.find(std::string(unquoted(token)));
    if (found == rules.tables.end()) continue;
    for (const auto& column : found->second->schema().columns)
      if (column.type == tables::ColumnType::decimal) names.insert(column.name);
  }
  return names;
}

}  // namespace

std::vector<RuleFileError> money_slips_of(const Ruleset& rules) {
  std::vector<RuleFileError> slips;
  const auto params = types_of(rules.params);
  for (const auto& param : rules.params)
    if (is_of_cents(param.name) && std::holds_alternative<double>(param.value))
      slips.push_back(
          error_at_word(*rules.bundle, "params.lua", param.name,
                        "parameter '" + param.name + "' is a float; amounts are whole cents: write usd(…)"));
  for (const auto& [file, text] : rules.bundle->files) {
    if (!file.starts_with("denial/") && !file.starts_with("terms/") && !file.starts_with("recourse/") &&
        !file.starts_with("lib/") && file != "params.lua")
      continue;
    auto found = AmountReader(*rules.bundle, file, params, float_fields_of(rules, text)).run();
    slips.insert(slips.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return slips;
}

}  // namespace tideover::lua
