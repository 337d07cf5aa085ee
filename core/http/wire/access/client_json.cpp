#include "core/http/wire/access/client_json.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

using domain::ScopeSet;

std::optional<ScopeSet> role_of(ObjectReader& in, const domain::Roles& roles) {
  const auto name = in.short_text("role", 64);
  if (!name) return std::nullopt;
  const auto scopes = roles.find(*name);
  if (!scopes) in.fault("role", "is not a role; GET /v1/roles lists them");
  return scopes;
}

std::optional<ScopeSet> scopes_of(ObjectReader& in) {
  if (!in.array("scopes")) return std::nullopt;
  const auto names = in.texts("scopes");
  if (names.empty()) in.fault("scopes", "must not be empty");
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto scope = names[i].find(' ') == std::string::npos ? ScopeSet::parse(names[i]) : std::nullopt;
    if (scope && !scope->empty())
      bits |= scope->bits();
    else
      in.fault("scopes", "has an unknown scope at position " + std::to_string(i));
  }
  return ScopeSet::from_bits(bits);
}

/// Name, scopes and expiry.
usecases::ClientChange read_change(ObjectReader& in, const domain::Roles& roles) {
  usecases::ClientChange change;
  change.name = in.short_text("name", 255);
  if (change.name && change.name->empty()) in.fault("name", "must not be empty");
  const auto role = role_of(in, roles), scopes = scopes_of(in);
  if (role && scopes) in.fault("scopes", "must be absent when there is a role");
  change.scopes = role ? role : scopes;
  if (const auto expiry = in.short_text("expires_at", 64); expiry == "never")
    change.never_expires = true;
  else if (expiry && !(change.expires_at = domain::parse_timestamp(*expiry)))
    in.fault("expires_at", "must be an RFC 3339 timestamp or never");
  return change;
}

void put_time(json::Writer& out, std::string_view name, const std::optional<domain::Timestamp>& at) {
  out.key(name);
  if (at)
    out.string(format_timestamp(*at));
  else
    out.null();
}

void put_scopes(json::Writer& out, ScopeSet scopes) {
  out.key("scopes").begin_array();
  std::string_view left;
  const std::string text = scopes.text();
  for (left = text; !left.empty();) {
    const auto end = std::min(left.find(' '), left.size());
    out.string(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  out.end_array();
}

void put_secret(json::Writer& out, const domain::ClientSecret& secret, domain::Timestamp now) {
  out.begin_object();
  out.key("id").string(secret.id.text());
  out.key("status").string(secret.revoked_at ? "revoked" : secret.is_live(now) ? "live" : "expired");
  out.key("created_at").string(format_timestamp(secret.created_at));
  put_time(out, "expires_at", secret.expires_at);
  put_time(out, "last_used_at", secret.last_used_at);
  put_time(out, "revoked_at", secret.revoked_at);
  out.end_object();
}

void put_client(json::Writer& out, const usecases::ClientWithSecrets& shown) {
  const auto& client = shown.client;
  out.begin_object();
  out.key("client_id").string(client.id.text());
  out.key("name").string(client.name);
  out.key("environment").string(name_of(client.environment));
  out.key("status").string(!client.enabled ? "disabled" : client.may_act(shown.now) ? "enabled" : "expired");
  put_scopes(out, client.scopes);
  out.key("created_at").string(format_timestamp(client.created_at));
  put_time(out, "expires_at", client.expires_at);
  std::optional<domain::Timestamp> last_used;
  for (const auto& secret : shown.secrets) last_used = std::max(last_used, secret.last_used_at);
  put_time(out, "last_used_at", last_used);
  out.key("secrets").begin_array();
  for (const auto& secret : shown.secrets) put_secret(out, secret, shown.now);
  out.end_array();
  if (!shown.plain_secret.empty()) out.key("client_secret").string(shown.plain_secret);
  out.end_object();
}

}  // namespace

usecases::ClientChange decode_new_client(const json::Value& body, Faults& faults, const domain::Roles& roles) {
  ObjectReader in(body, "", faults);
  auto change = read_change(in, roles);
  if (!change.name) in.require("name");
  if (!change.scopes) in.require("scopes");
  in.finish();
  return change;
}

usecases::ClientChange decode_client_change(const json::Value& body, Faults& faults, const domain::Roles& roles) {
  ObjectReader in(body, "", faults);
  auto change = read_change(in, roles);
  const auto status = in.short_text("status", 64);
  if (status == "enabled" || status == "disabled")
    change.enabled = status == "enabled";
  else if (status)
    in.fault("status", "must be enabled or disabled");
  in.finish();
  return change;
}

std::int64_t decode_client_secret_rotation(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  std::int64_t overlap_s = usecases::kUsualOverlapSeconds;
  if (const auto number = in.number("overlap_seconds")) {
    const auto [end, problem] = std::from_chars(number->data(), number->data() + number->size(), overlap_s);
    if (problem != std::errc() || end != number->data() + number->size() || overlap_s < 0 ||
        overlap_s > usecases::kMostOverlapSeconds)
      in.fault("overlap_seconds", "must be a whole number from 0 to 2592000");
  }
  in.finish();
  return overlap_s;
}

std::string encode_client(const usecases::ClientWithSecrets& client) {
  std::string body;
  json::Writer out(body);
  put_client(out, client);
  return body;
}

std::string encode_clients(const std::vector<usecases::ClientWithSecrets>& clients, const PageFrame& page) {
  return encode_list(clients, page, put_client,
                     [](const usecases::ClientWithSecrets& shown) { return shown.client.id.text(); });
}

std::string encode_roles(const domain::Roles& roles) {
  return encode_list(
      roles.all(), PageFrame{roles.all().size()},
      [](json::Writer& out, const domain::Roles::Role& role) {
        out.begin_object();
        out.key("role").string(role.name);
        put_scopes(out, role.scopes);
        out.end_object();
      },
      [](const domain::Roles::Role& role) { return role.name; });
}

}  // namespace tideover::wire
