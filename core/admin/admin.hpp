// The administrative verbs and the way from the command line to them. A verb is one function over a AdminContext and
// one entry in its noun's list; the lists are gathered in admin.cpp. See README.md, "A new verb".
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
    secret,  // a text that no audit row repeats
    path,    // handed on as an absolute path: the service has another working folder
    paths,   // one or more of them, handed on as lines
    flag     // present or absent
  };
  std::string name;  // "--tenant"; without dashes it is positional and required
  std::string help;
  std::string preset = "";  // the value when it is not given; empty = absent
  Kind kind = Kind::text;
  bool may_be_left_out = false;  // of a positional one
};

struct AdminVerb {
  std::string name;  // "create" of `client create`; empty: the noun alone is the command
  std::string help;
  std::vector<AdminOption> options;
  AdminReply (*run)(AdminContext&, const AdminRequest&);  // null: a verb that has nothing to do with a running service
  /// In place of `run` where no service has the store open, for verbs that must not open it in the usual way.
  AdminReply (*alone)(const settings::Settings&, const AdminRequest&) = nullptr;
  /// Whether it makes an embedded store that is not there yet, like `client create` before the first start.
  bool makes_store = false;
  /// Whether it reads or writes as much as there is: beside a running service such commands take turns, the others do
  /// not wait.
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

/// All of them; `serve` and the command line know the same.
const std::vector<AdminNoun>& admin_nouns();

/// Of a verb by its full name, as in AdminRequest; false of one that is not known.
bool takes_long(const std::string& full_name);

/// Runs the verb; what it throws becomes a sentence in `err` and exit code 1.
AdminReply run_verb(AdminContext& context, const AdminRequest& request);
/// The same, and an audit row that it was done.
AdminReply run_on_record(AdminContext& context, const AdminRequest& request);

/// What the service that runs on this embedded store answers; nothing when none runs or the store is not embedded. Its
/// progress lines go to `request.progress`.
std::optional<AdminReply> ask_service(const settings::Settings& settings, const AdminRequest& request);

/// Runs the verb on a copy of an embedded store, `store.sqlite.path` of the settings, which is only read. The copy has
/// this program's schema.
AdminReply run_on_copy(const settings::Settings& settings, const AdminRequest& request);
/// Brings the request to the running service, or opens the store for it.
AdminReply run_on_store(const settings::Settings& settings, const AdminRequest& request);

void add_admin(CLI::App& app, Run& chosen);

}  // namespace tideover::main
