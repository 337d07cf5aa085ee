// The administrative commands and their way from the command line. A verb is one function over an AdminContext and
// one entry in the list of its noun; admin.cpp collects the lists. See README.md, "A new verb".
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/admin/admin_context.hpp"
#include "core/admin/commands.hpp"

namespace tideover::main {

struct AdminOption {
  enum class Kind {
    text,
    secret,  // a text that no audit row shows
    path,    // passed on as an absolute path, because the service has another working folder
    paths,   // one or more paths, passed on as lines
    flag     // present or absent
  };
  std::string name;  // "--tenant"; without dashes: positional and required
  std::string help;
  std::string preset = "";  // the default value; empty = absent
  Kind kind = Kind::text;
  bool may_be_left_out = false;  // for a positional option
};

struct AdminVerb {
  std::string name;  // "create" of `client create`; empty: the noun itself is the command
  std::string help;
  std::vector<AdminOption> options;
  AdminReply (*run)(AdminContext&, const AdminRequest&);  // null: a verb that does not work on a running service
  /// Runs in place of `run` if no service has the store open, for verbs that must not open it in the usual way.
  AdminReply (*alone)(const settings::Settings&, const AdminRequest&) = nullptr;
  /// Whether the verb creates a missing embedded store, like `client create` before the first start.
  bool makes_store = false;
  /// Whether the duration grows with the size of the store. In a running service such commands run one after another;
  /// the others do not wait.
  bool takes_long = false;
};

inline AdminVerb taking_long(AdminVerb verb) {
  verb.takes_long = true;
  return verb;
}

struct AdminNoun {
  std::string name;
  std::string help;
  std::vector<AdminVerb> verbs;
};

/// All nouns, the same for `serve` and the command line.
const std::vector<AdminNoun>& admin_nouns();

/// By the full name of a verb, as in AdminRequest; false for an unknown verb.
bool takes_long(const std::string& full_name);

/// Runs the verb. An exception becomes a sentence in `err` and exit code 1.
AdminReply run_verb(AdminContext& context, const AdminRequest& request);
/// As run(), and writes an audit row.
AdminReply run_on_record(AdminContext& context, const AdminRequest& request);

/// The response of the service that runs on this embedded store; none if no service runs or the store is not
/// embedded. Progress lines go to `request.progress`.
std::optional<AdminReply> ask_service(const settings::Settings& settings, const AdminRequest& request);

/// Runs the verb on a copy of an embedded store (`store.sqlite.path` of the settings), opened read-only. The copy has
/// the schema of this program.
AdminReply run_on_copy(const settings::Settings& settings, const AdminRequest& request);
/// Sends the request to the running service, or opens the store for it.
AdminReply run_on_store(const settings::Settings& settings, const AdminRequest& request);

void add_admin(CLI::App& app, Run& chosen);

}  // namespace tideover::main
