// tideover keys list|rotate|retire: the master keys of core/crypto/key_ring.hpp.
#include <fmt/core.h>

#include <algorithm>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/crypto/access_token.hpp"
#include "core/crypto/key_ring.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"
#include "core/settings/settings.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::admin {
namespace {

/// How long after the last recorded use of a key a token may still be signed with it: nodes record once a minute.
constexpr std::int64_t kMarginSeconds = 60 + crypto::kTokenClockSkewSeconds;

using admin::expect;

template <class T>
T expect(std::variant<T, crypto::KeyRingError> made) {
  if (const auto* error = std::get_if<crypto::KeyRingError>(&made)) throw node::StartError(error->message);
  return std::get<T>(std::move(made));
}

void expect(const std::optional<crypto::KeyRingError>& error) {
  if (error) throw node::StartError(error->message);
}

/// The state of the keys in the database, in one snapshot.
struct Uses {
  explicit Uses(AdminContext& context) {
    expect(context.database.read_keys([&](const store::KeyStore& known) {
      records = known.records();
      counts = known.count();
    }));
  }

  const store::KeyRecord* of(std::string_view key_id) const {
    const auto found =
        std::find_if(records.begin(), records.end(), [&](const auto& record) { return record.key_id == key_id; });
    return found == records.end() ? nullptr : &*found;
  }
  std::string rows_of(std::string_view key_id) const {
    std::string text;
    for (const auto& count : counts)
      if (count.key_id == key_id) text += fmt::format("{}{}={}", text.empty() ? "" : " ", count.table, count.rows);
    return text;
  }

  std::vector<store::KeyRecord> records;
  std::vector<store::SealCount> counts;
};

AdminReply list(AdminContext& context, const AdminRequest&) {
  const Uses uses(context);
  const auto current = context.keys.current()->kid();
  std::string out;
  for (const auto& key_id : context.keys.kids()) {
    const auto* record = uses.of(key_id);
    const auto rows = uses.rows_of(key_id);
    const bool was_used = record && record->last_current_at.ms() > 0;
    out +=
        fmt::format("{:<16}  {:<7}  last_current={}  encryptions={}{}  client_secrets={}  rows: {}\n", key_id,
                    key_id == current ? "current" : "older",
                    was_used ? format_timestamp(record->last_current_at) : "never", record ? record->seals : 0,
                    key_id == current && record && store::is_worn(*record, context.clock.now()) ? " (rotate it)" : "",
                    record ? record->client_secrets : 0, rows.empty() ? "none" : rows);
  }
  return {0, out, ""};
}

/// Records the change in the database and starts the re-encryption of old values. A running service in another process
/// detects the new key ring file within a second.
void begin_with_current(AdminContext& context) {
  expect(context.database.write_keys([&](store::KeyStore& known) {
    known.keep(context.clock.now());
    known.restart_reencryption();
  }));
}

/// If only this node had the key, other nodes would answer 503 for values encrypted under it.
void refuse_beside_other_nodes(AdminContext& context) {
  std::size_t live = 0;
  std::string names;
  const auto nodes = expect(fetch(context.store, [](const ports::Records& records) { return records.nodes().list(); }));
  for (const auto& node : nodes) {
    if (node.lease_end <= context.clock.now()) continue;
    ++live;
    names += (names.empty() ? "" : ", ") + node.name;
  }
  if (live > 1)
    throw node::StartError(
        fmt::format("{} nodes use this database ({}). Each needs the new key before any node uses it. Run "
                    "`tideover keys rotate --stage`, "
                    "copy the key ring to every node, then run `tideover keys rotate --use KEY`.",
                    live, names));
}

AdminReply rotate(AdminContext& context, const AdminRequest& request) {
  if (request.option("stage").empty() && request.option("use").empty()) refuse_beside_other_nodes(context);
  expect(context.keys.reload());
  expect(context.database.write_keys([&](store::KeyStore& known) { known.keep(context.clock.now()); }));
  if (!request.option("stage").empty()) {
    const auto key_id = expect(context.keys.stage());
    return {0, key_id + " is in the key ring and is not used yet.\n",
            fmt::format("Copy {} to every node, then `tideover keys rotate --use {}` and copy it again.\n",
                        context.keys.path().string(), key_id)};
  }
  std::string key_id = request.option("use");
  if (key_id.empty()) {
    key_id = expect(context.keys.rotate());
  } else {
    expect(context.keys.make_current(key_id));
  }
  begin_with_current(context);
  return {0, key_id + " is the current key.\n",
          fmt::format("A running service re-encrypts older values; `tideover keys list` shows the progress. Copy {} to "
                      "the location of its backups, separate from the backups of the database.\n",
                      context.keys.path().string())};
}

AdminReply retire(AdminContext& context, const AdminRequest& request) {
  const auto key_id = request.option("key_id");
  expect(context.keys.reload());
  if (!context.keys.find(key_id))
    throw node::StartError("Key " + key_id + " not found, or it cannot be retired. See `tideover keys list`.");
  if (context.keys.current()->kid() == key_id)
    throw node::StartError(key_id + " is the current key. Run `tideover keys rotate` first.");
  const Uses uses(context);
  if (const auto rows = uses.rows_of(key_id); !rows.empty()) {
    expect(context.database.write_keys([](store::KeyStore& known) { known.restart_reencryption(); }));
    throw node::StartError("Values are still encrypted under " + key_id + " (rows: " + rows +
                           "). A running service re-encrypts them. Try again when `tideover keys list` shows no rows.");
  }
  if (const auto* record = uses.of(key_id)) {
    if (record->client_secrets > 0)
      throw node::StartError(fmt::format(
          "{} client secrets have a digest under {}. A secret moves to the current key when its client next "
          "requests a token. Disable clients that are not used.",
          record->client_secrets, key_id));
    const auto until =
        record->last_current_at.plus_ms((context.settings.security.access_token_seconds + kMarginSeconds) * 1000);
    if (context.clock.now() < until)
      throw node::StartError("Access tokens signed with " + key_id + " may be valid until " + format_timestamp(until) +
                             ". Try again then.");
  }
  // The database first: the key ring may have a key that the database no longer has, but not the other way round.
  expect(context.database.write_keys([&](store::KeyStore& known) { known.forget(key_id); }));
  expect(context.keys.remove(key_id));
  return {0, key_id + " is retired.\n",
          fmt::format("Copy {} to every other node. Older backups need the retired key: keep a copy of it with them.\n",
                      context.keys.path().string())};
}

}  // namespace

std::vector<AdminVerb> keys_verbs() {
  return {{"list", "List the master keys and the data that still uses each", {}, list},
          {"rotate",
           "Create a new current key; values are re-encrypted in the background",
           {{"--stage", "Several nodes, step 1: add a new key to the key ring only", "", AdminOption::Kind::flag},
            {"--use", "Several nodes, step 2: make this key the current one"}},
           rotate},
          {"retire", "Remove an unused key from the key ring", {{"key_id", "Id of the key"}}, retire}};
}

}  // namespace tideover::admin
