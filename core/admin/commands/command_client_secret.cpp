// tideover client rotate-secret|secrets|revoke-secret: the secrets of a client.
#include <fmt/core.h>

#include <charconv>
#include <optional>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/client_named.hpp"
#include "core/admin/expect.hpp"
#include "core/crypto/ring_credentials.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/access/client_secrets.hpp"

namespace tideover::admin {
namespace {

/// "90s", "30m", "24h", "7d" or "0".
std::int64_t overlap_of(const std::string& text) {
  std::int64_t number = -1;
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(rest, text.data() + text.size());
  const std::int64_t seconds = unit == "d"   ? 86'400
                               : unit == "h" ? 3600
                               : unit == "m" ? 60
                               : unit == "s" ? 1
                               : text == "0" ? 1
                                             : 0;
  if (problem != std::errc() || seconds == 0 || number < 0 || number > usecases::kMostOverlapSeconds / seconds)
    throw node::StartError("--overlap must be a time of at most 30 days, such as 24h, 30m or 0.");
  return number * seconds;
}

std::string time_or(const std::optional<domain::Timestamp>& at, const char* none) {
  return at ? format_timestamp(*at) : none;
}

AdminReply rotate(AdminContext& context, const AdminRequest& request) {
  const auto overlap_s = overlap_of(request.option("overlap"));
  const auto client = client_named(context, request);
  const crypto::RingCredentials credentials(context.keys);
  const auto now = context.clock.now();
  usecases::NewSecret made;
  expect(context.store.commit([&](ports::Records& records) -> domain::Status {
    made = usecases::make_secret(credentials, context.ids, client.environment, now);
    return usecases::rotate_secret(records, client.id, made, now, overlap_s);
  }));
  return {0, fmt::format("secret_id={}\nclient_secret={}\n", made.stored.id.text(), made.plain),
          fmt::format("Store the secret now. It is not shown again. The earlier secret obtains tokens until {}.\n",
                      format_timestamp(now.plus_ms(overlap_s * 1000)))};
}

AdminReply list(AdminContext& context, const AdminRequest& request) {
  const auto client = client_named(context, request);
  const auto now = context.clock.now();
  std::string lines;
  expect(context.store.read([&](const ports::Records& records) {
    lines.clear();
    for (const auto& secret : records.clients().secrets(client.id))
      lines += fmt::format("{}  {:<7}  created={}  expires={}  last_used={}  revoked={}\n", secret.id.text(),
                           secret.revoked_at     ? "revoked"
                           : secret.is_live(now) ? "live"
                                                 : "expired",
                           format_timestamp(secret.created_at), time_or(secret.expires_at, "never"),
                           time_or(secret.last_used_at, "never"), time_or(secret.revoked_at, "no"));
  }));
  return {0, lines, ""};
}

AdminReply revoke(AdminContext& context, const AdminRequest& request) {
  const auto client = client_named(context, request);
  const auto secret_id = request.option("secret_id");
  expect(context.store.commit([&](ports::Records& records) -> domain::Status {
    const auto revoked = usecases::revoke_secret(records, client.id, secret_id, context.clock.now());
    return revoked ? domain::Status() : domain::Status(revoked.error());
  }));
  return {0, secret_id + " is revoked. Its tokens become invalid within 5 seconds.\n", ""};
}

}  // namespace

std::vector<AdminVerb> client_secret_verbs() {
  return {{"rotate-secret",
           "Print a new secret of a client; the earlier one is valid for a while",
           {{"client_id", "Id of the client"},
            {"--overlap", "How long the earlier secret obtains tokens: such as 24h, 30m or 0", "24h"}},
           rotate},
          {"secrets", "List the secrets of a client", {{"client_id", "Id of the client"}}, list},
          {"revoke-secret",
           "Revoke a secret of a client and invalidate the tokens that it obtained",
           {{"client_id", "Id of the client"}, {"secret_id", "Id of the secret, as in `client secrets`"}},
           revoke}};
}

}  // namespace tideover::admin
