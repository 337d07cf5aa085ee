// The envelope of every collection: {"data":[...],"has_more":bool,"next_cursor":text|null}
// (core/docs/contract.md#lists-and-metadata). Pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// The answer to the removal of an object: {"id":...,"deleted":true}.
inline constexpr auto encode_removed = [](const auto& id) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("id").string(id.text());
  out.key("deleted").boolean(true);
  out.end_object();
  return body;
};

/// `encode(writer, item)` writes one item. `position_of(item)` is the position of the page after the item; empty: that
/// page cannot be read. `items` may have one item more than the page; it only shows that there are more.
/// `put_more(writer)` adds members after the standard ones.
template <class Item, class Encode, class PositionOf, class PutMore>
std::string encode_list(const std::vector<Item>& items, const PageFrame& page, Encode encode, PositionOf position_of,
                        PutMore put_more) {
  std::string body;
  json::Writer out(body);
  const bool more = items.size() > page.limit;
  const std::size_t shown = more ? page.limit : items.size();
  out.begin_object().key("data").begin_array();
  for (std::size_t i = 0; i < shown; ++i) encode(out, items[i]);
  out.end_array();
  out.key("has_more").boolean(more);
  out.key("next_cursor");
  if (const std::string position = more ? position_of(items[shown - 1]) : std::string(); !position.empty())
    out.string(seal_cursor(page.list, position));
  else
    out.null();
  put_more(out);
  out.end_object();
  return body;
}

template <class Item, class Encode, class PositionOf>
std::string encode_list(const std::vector<Item>& items, const PageFrame& page, Encode encode, PositionOf position_of) {
  return encode_list(items, page, encode, position_of, [](json::Writer&) {});
}

}  // namespace tideover::wire
