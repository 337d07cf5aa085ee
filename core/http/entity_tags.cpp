#include "core/http/entity_tags.hpp"

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/http/server/grammar.hpp"

namespace tideover::http {
namespace {

constexpr std::string_view kWeak = "W/";

struct TagList {
  bool any = false;               // the list is `*`
  std::vector<std::string> tags;  // as sent
};

/// The values of all fields of that name as one list; empty without the header.
std::string joined_fields(const Headers& headers, std::string_view name) {
  std::string list;
  for (const auto& field : headers)
    if (equal_ignoring_case(field.name, name)) list += (list.empty() ? "" : ",") + field.value;
  return list;
}

/// etagc: a visible character other than the quotation mark, or a byte above ASCII.
bool is_tag_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x21 || (byte >= 0x23 && byte != 0x7f);
}

/// The length of the entity tag at the start of the text; 0 when there is none.
std::size_t tag_at_start(std::string_view text) {
  const std::size_t open = text.starts_with(kWeak) ? kWeak.size() : 0;
  if (open >= text.size() || text[open] != '"') return 0;
  std::size_t at = open + 1;
  while (at < text.size() && is_tag_char(text[at])) ++at;
  return at < text.size() && text[at] == '"' ? at + 1 : 0;
}

/// nullopt for a malformed list. Empty elements are allowed (RFC 9110 section 5.6.1.2).
std::optional<TagList> parse_tags(std::string_view text) {
  TagList list;
  text = trim_blanks(text);
  if (text == "*") {
    list.any = true;
    return list;
  }
  bool separated = true;
  while (!text.empty()) {
    if (text.front() == ',') {
      separated = true;
      text = trim_blanks(text.substr(1));
      continue;
    }
    const auto length = tag_at_start(text);
    if (length == 0 || !separated) return std::nullopt;
    list.tags.emplace_back(text.substr(0, length));
    separated = false;
    text = trim_blanks(text.substr(length));
  }
  if (list.tags.empty()) return std::nullopt;
  return list;
}

std::string_view opaque(std::string_view tag) {
  return tag.starts_with(kWeak) ? tag.substr(kWeak.size()) : tag;
}

}  // namespace

std::string version_tag(int version) {
  return "\"v" + std::to_string(version) + '"';
}

std::string content_tag(std::string_view body) {
  return '"' + crypto::hex_encode(crypto::sha256(body)).substr(0, 32) + '"';
}

Reply tagged_for_change(Reply answer) {
  answer.headers.add("ETag", content_tag(answer.body));
  return answer;
}

Reply tagged(Reply answer) {
  answer.headers.add("ETag", std::string(kWeak) + content_tag(answer.body));
  return answer;
}

bool is_known(const Headers& headers, std::string_view tag) {
  if (!headers.find("If-None-Match")) return false;
  const auto list = parse_tags(joined_fields(headers, "If-None-Match"));
  return list && (list->any || std::any_of(list->tags.begin(), list->tags.end(),
                                           [&](const std::string& sent) { return opaque(sent) == opaque(tag); }));
}

bool is_unchanged(const Request& request, const Response& response) {
  const auto* tag = response.headers.find("ETag");
  return tag && response.status == 200 && (request.method == "GET" || request.method == "HEAD") &&
         is_known(request.headers, *tag);
}

domain::Result<std::optional<std::vector<std::string>>> if_match(const Headers& headers) {
  using Tags = std::optional<std::vector<std::string>>;
  if (!headers.find("If-Match")) return Tags();
  auto list = parse_tags(joined_fields(headers, "If-Match"));
  if (!list) {
    auto error = domain::Error::of(domain::ErrorCode::invalid_parameter,
                                   "If-Match is not valid. Send the ETag that you read, with its quotation marks, a "
                                   "list of ETags, or *.");
    error.fields.push_back({"If-Match", "must be an ETag such as \"v7\", a list of ETags, or *"});
    return error;
  }
  if (list->any) return Tags();
  std::erase_if(list->tags, [](const std::string& tag) { return tag.starts_with(kWeak); });
  return Tags(std::move(list->tags));
}

}  // namespace tideover::http
