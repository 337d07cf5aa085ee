#include "core/http/wire/operations/audit_json.hpp"

#include <charconv>

#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

std::string position_of(const ports::AuditPlace& place) {
  return std::to_string(place.position) + ' ' + place.chain;
}

void encode(json::Writer& out, const ports::AuditRow& row) {
  out.begin_object();
  out.key("id").string(row.id.text());
  out.key("at").string(format_timestamp(row.at));
  if (!row.client.text().empty()) out.key("client_id").string(row.client.text());
  out.key("request_id").string(row.request_id);
  out.key("operation").string(row.operation);
  out.key("object_id").string(row.object_id);
  out.key("outcome").string(row.outcome);
  out.key("times").number(row.times);
  out.end_object();
}

}  // namespace

std::string encode_audit_page(const ports::AuditPage& page, const PageFrame& frame) {
  std::string body;
  json::Writer out(body);
  out.begin_object().key("data").begin_array();
  for (const auto& row : page.rows) encode(out, row);
  out.end_array();
  out.key("has_more").boolean(page.next.has_value());
  out.key("next_cursor");
  if (page.next)
    out.string(seal_cursor(frame.list, position_of(*page.next)));
  else
    out.null();
  out.end_object();
  return body;
}

std::optional<ports::AuditPlace> audit_place_of(std::string_view position) {
  ports::AuditPlace place;
  if (position.empty()) return place;
  const auto [end, failure] = std::from_chars(position.data(), position.data() + position.size(), place.position);
  if (failure != std::errc{} || end == position.data() + position.size() || *end != ' ' || place.position < 0)
    return std::nullopt;
  place.chain.assign(end + 1, position.data() + position.size());
  return place;
}

}  // namespace tideover::wire
