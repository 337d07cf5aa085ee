// Entity tags and the conditional requests that use them (RFC 9110 sections 8.8.3, 13.1.1 and 13.1.2). Pure functions.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/http/context.hpp"

namespace tideover::http {

/// The tag of a version: "v7", with the quotation marks.
std::string version_tag(int version);
/// The tag of an object without a version: a digest of its representation. Strong, for If-Match.
std::string content_tag(std::string_view body);

/// The answer with the strong tag of its content, which a change names in If-Match.
Reply tagged_for_change(Reply answer);

/// The answer with the weak tag of its content: the content is the same in each coding, so it can be compressed.
Reply tagged(Reply answer);

/// True when the header If-None-Match names this tag, or is `*`. Weak comparison. A malformed header names nothing.
bool is_known(const Headers& headers, std::string_view tag);
/// True for a 200 to a GET or HEAD whose ETag the client knows.
bool is_unchanged(const Request& request, const Response& response);

/// The strong tags of If-Match: a weak one matches nothing here. nullopt without the header, and for `*`. Error
/// invalid_parameter when it is malformed.
domain::Result<std::optional<std::vector<std::string>>> if_match(const Headers& headers);

/// The condition of If-Match for an object with this tag, for a use case. Empty when any state will do.
template <class Object>
domain::Result<usecases::Expected<Object>> expected_by(const Headers& headers,
                                                       std::function<std::string(const Object&)> tag_of) {
  auto tags = if_match(headers);
  if (!tags) return tags.error();
  if (!*tags) return usecases::Expected<Object>();
  return usecases::Expected<Object>([tags = std::move(**tags), tag_of = std::move(tag_of)](const Object& object) {
    return std::find(tags.begin(), tags.end(), tag_of(object)) != tags.end();
  });
}

/// The same for an object whose tag is that of its content.
template <class Object>
domain::Result<usecases::Expected<Object>> expected_content(const Headers& headers, usecases::Render<Object> encode) {
  return expected_by<Object>(
      headers, [encode = std::move(encode)](const Object& object) { return content_tag(encode(object)); });
}

}  // namespace tideover::http
