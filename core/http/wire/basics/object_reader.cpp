#include "core/http/wire/basics/object_reader.hpp"

#include <algorithm>

#include "core/crypto/primitives/encoding.hpp"
#include "core/domain/basics/text.hpp"

namespace tideover::wire {
std::string presentable(std::string_view name) {
  std::string shown;
  for (const char c : name.substr(0, 40)) shown += c > 0x20 && c < 0x7f && c != ',' ? c : '?';
  return shown;
}

bool Faults::has(std::string_view path) const {
  return std::any_of(fields.begin(), fields.end(), [&](const auto& fault) { return fault.path == path; });
}

std::optional<domain::Error> Faults::error() const {
  if (fields.empty()) return std::nullopt;
  const std::string found = std::to_string(count) + (count == 1 ? " field is" : " fields are");
  domain::Error error =
      domain::Error::of(domain::ErrorCode::validation_error,
                        "Request not valid: " + found + " missing or not valid; see details.fields" +
                            (count > kMostNamed ? ", which names the first " + std::to_string(kMostNamed) + "." : "."));
  error.fields = fields;
  return error;
}

std::optional<json::Value> ObjectReader::get(std::string_view name, json::Kind kind, const char* wanted) {
  asked_.push_back(name);
  auto found = patch_ ? patch_->find(name) : std::nullopt;
  if (!found) found = object_.find(name);
  if (!found || found->is_null()) return std::nullopt;
  if (found->kind() == kind) return found;
  fault(name, std::string("must be ") + wanted);
  return std::nullopt;
}

std::optional<std::string> ObjectReader::text(std::string_view name) {
  const auto found = get(name, json::Kind::string, "a string");
  return found ? std::optional(std::string(found->as_text())) : std::nullopt;
}

std::optional<std::string> ObjectReader::short_text(std::string_view name, std::size_t max) {
  auto found = text(name);
  if (found && (!domain::is_printable(*found) || domain::count_characters(*found) > max)) {
    fault(name, "must be at most " + std::to_string(max) + " printable characters");
    return std::nullopt;
  }
  return found;
}

std::string ObjectReader::required_text(std::string_view name, std::size_t max) {
  auto found = short_text(name, max);
  if (!found || found->find_first_not_of(' ') != std::string::npos) return required(std::move(found), name);
  fault(name, "must not be empty");
  return {};
}

std::optional<std::string> ObjectReader::bytes(std::string_view name) {
  const auto found = get(name, json::Kind::string, "a string");
  if (!found) return std::nullopt;
  std::string bytes;
  if (crypto::base64_decode(found->as_text(), bytes)) return bytes;
  fault(name, "must be Base64 (RFC 4648 section 4, padded, without line breaks)");
  return std::nullopt;
}

std::optional<std::string> ObjectReader::number(std::string_view name) {
  const auto found = get(name, json::Kind::number, "a number");
  return found ? std::optional(std::string(found->raw_number())) : std::nullopt;
}

std::optional<domain::Money> ObjectReader::money(std::string_view name, bool negative_allowed) {
  check_currency();
  const auto raw = number(name);
  if (!raw) return std::nullopt;
  const auto amount = domain::parse_money(*raw);
  if (amount && (negative_allowed || *amount >= domain::Money{})) return amount;
  fault(name, negative_allowed ? "must be an amount of at most 99999999.99 with at most 2 decimals"
                               : "must be an amount from 0 to 99999999.99 with at most 2 decimals");
  return std::nullopt;
}

void ObjectReader::check_currency() {
  constexpr std::string_view name = "currency";
  if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) return;
  if (const auto code = text(name); code && *code != domain::kCurrency)
    fault(name, std::string(domain::kOtherCurrency));
}

std::optional<domain::Date> ObjectReader::date(std::string_view name) {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const auto date = domain::parse_date(*given);
  if (!date) fault(name, "must be a calendar date written YYYY-MM-DD");
  return date;
}

std::optional<domain::Timestamp> ObjectReader::date_or_timestamp(std::string_view name) {
  const auto given = text(name);
  if (!given) return std::nullopt;
  if (const auto date = domain::parse_date(*given)) return domain::Timestamp{}.plus_days(date->days());
  const auto at = domain::parse_timestamp(*given);
  if (!at) fault(name, "must be a calendar date written YYYY-MM-DD or an RFC 3339 timestamp");
  return at;
}

std::optional<bool> ObjectReader::boolean(std::string_view name) {
  const auto found = get(name, json::Kind::boolean, "true or false");
  return found ? std::optional(found->as_bool()) : std::nullopt;
}

std::optional<json::Value> ObjectReader::array(std::string_view name) {
  return get(name, json::Kind::array, "an array");
}

std::vector<std::string> ObjectReader::texts(std::string_view name) {
  std::vector<std::string> texts;
  const auto items = array(name);
  if (!items) return texts;
  std::size_t index = 0;
  for (const auto& item : items->items()) {
    if (item.kind() == json::Kind::string)
      texts.emplace_back(item.as_text());
    else
      faults_.add(prefix_ + std::string(name) + '[' + std::to_string(index) + ']', "must be a string");
    ++index;
  }
  return texts;
}

std::optional<ObjectReader> ObjectReader::object(std::string_view name) {
  const auto found = get(name, json::Kind::object, "an object");
  if (!found) return std::nullopt;
  return ObjectReader(*found, prefix_ + std::string(name) + '.', faults_);
}

void ObjectReader::require(std::string_view name) {
  if (std::string at = path(name); !faults_.has(at)) faults_.add(std::move(at), "required");
}

void ObjectReader::finish() {
  for (const auto& member : patch_.value_or(object_).members())
    if (std::find(asked_.begin(), asked_.end(), member.key) == asked_.end())
      faults_.ignore(prefix_ + presentable(member.key));
}

}  // namespace tideover::wire
