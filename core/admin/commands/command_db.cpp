// tideover db status|migrate|check: state, schema and integrity of the database.
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/node/start.hpp"
#include "core/settings/settings.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::admin {
namespace {

std::string standing_of(const sql::SchemaState& schema) {
  if (schema.newer_than_program()) return "newer than this program; use the version that made it";
  if (schema.current()) return "up to date";
  std::string missing;
  for (const auto& label : schema.missing) missing += (missing.empty() ? "" : ", ") + label;
  return "needs migration: " + missing;
}

AdminReply reply_of(const store::DatabaseStatus& status, const std::string& place) {
  std::string out = fmt::format(
      "engine   {}\nlocation {}\nschema   {} of {} known to this program, {}\nsize     {} bytes\n", status.engine,
      place, status.schema.applied, status.schema.known, standing_of(status.schema), status.bytes);
  if (status.log_bytes > 0) out += fmt::format("log      {} bytes\n", status.log_bytes);
  for (const auto& [table, rows] : status.rows) out += fmt::format("rows     {:<24}{}\n", table, rows);
  return {0, out, ""};
}

std::string location_of(const settings::Settings& settings) {
  const auto& store = settings.store;
  return store.driver == settings::StoreDriver::sqlite
             ? store.sqlite.path.string()
             : fmt::format("{} at {}:{}", store.mysql.database, store.mysql.host, store.mysql.port);
}

AdminReply status(AdminContext& context, const AdminRequest&) {
  return reply_of(expect(context.database.status()), location_of(context.settings) + " (in service)");
}

AdminReply status_alone(const settings::Settings& settings, const AdminRequest&) {
  node::refuse_absent_store(settings);
  return reply_of(expect(store::inspect(node::store_options(settings))), location_of(settings));
}

AdminReply migrate(AdminContext& context, const AdminRequest&) {
  const auto status = expect(context.database.status());
  return {0, fmt::format("The running service has schema {}. Nothing to do.\n", status.schema.applied), ""};
}

AdminReply migrate_alone(const settings::Settings& settings, const AdminRequest&) {
  const auto applied = expect(store::migrate(node::store_options(settings)));
  std::string out;
  for (const auto& label : applied) out += "applied " + label + "\n";
  return {0, out.empty() ? "The schema is up to date. Nothing to do.\n" : out, ""};
}

constexpr const char* kVerifications[] = {"ledger verify", "audit verify"};

AdminReply check(AdminContext& context, const AdminRequest& request) {
  const auto damage = expect(context.database.damage());
  AdminReply reply{damage.empty() ? 0 : 1, "", ""};
  for (const auto& sentence : damage) reply.err += sentence + "\n";
  reply.out = damage.empty() ? "database: whole\n" : fmt::format("database: {} findings\n", damage.size());
  for (const char* verb : kVerifications) {
    if (!request.progress(std::string("running ") + verb))
      return {1, reply.out, reply.err + "The check was stopped before the end.\n"};
    const auto part = run_verb(context, {verb, {}, request.progress});
    reply.out += part.out;
    reply.err += part.err;
    reply.exit_code = std::max(reply.exit_code, part.exit_code);
  }
  return reply;
}

}  // namespace

std::vector<AdminVerb> db_verbs() {
  return {{"status", "Show engine, schema, size and rows, also for a newer schema", {}, status, status_alone},
          {"migrate", "Apply and list the missing migrations; refuses a newer schema", {}, migrate, migrate_alone},
          taking_long({"check",
                       "Check the database: the engine's own check, references between tables, ledger and audit chains",
                       {},
                       check})};
}

}  // namespace tideover::admin
