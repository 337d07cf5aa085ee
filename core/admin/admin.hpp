// Administrative commands and their dispatch from the command line. A verb is a function over an AdminContext and an
// entry in the list of its noun; admin.cpp collects the lists. See README.md, "A new verb".
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/admin/admin_context.hpp"

namespace tideover::admin {

struct Command;

struct AdminOption {
  enum class Kind {
    text,
    secret,  // text that is not written to the audit trail
    path,    // passed as an absolute path: the service has another working directory
    paths,   // one or more paths, passed as lines
    flag     // present or absent
  };
  std::string name;  // "--tenant"; without dashes: positional and required
  std::string help;
  std::string preset = "";  // the default value; empty = absent
  Kind kind = Kind::text;
  bool may_be_left_out = false;  // for a positional argument
};

struct AdminVerb {
  std::string name;  // "create" of `client create`; empty: the noun is the command
  std::string help;
  std::vector<AdminOption> options;
  AdminReply (*run)(AdminContext&, const AdminRequest&);  // null: the verb does not use a running service
  /// Replaces `run` when no service has the store open, for verbs that must not open it in the usual way.
  AdminReply (*alone)(const settings::Settings&, const AdminRequest&) = nullptr;
  /// True when the verb creates a missing embedded store, as `client create` does before the first start.
  bool makes_store = false;
  /// True when its run time grows with the store. Such commands run one at a time next to a service; others do not
  /// wait.
  bool takes_long = false;
  /// True when it needs the rail journal of this node: it runs in the service of the node, if one runs. Other commands
  /// ask the service only for the embedded store.
  bool uses_journal = false;
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

/// All nouns; the same for `serve` and the command line.
const std::vector<AdminNoun>& admin_nouns();

/// For a verb by its full name, as in AdminRequest. False for an unknown name.
bool takes_long(const std::string& full_name);

/// Runs the verb. An exception becomes a sentence in `err` and exit code 1.
AdminReply run_verb(AdminContext& context, const AdminRequest& request);
/// As above, and writes an audit row.
AdminReply run_on_record(AdminContext& context, const AdminRequest& request);

/// The answer of the service that runs on this embedded store; nothing when none runs or the store is not embedded.
/// Progress lines go to `request.progress`.
std::optional<AdminReply> ask_service(const settings::Settings& settings, const AdminRequest& request);

/// Runs the verb on a copy of an embedded store, which is only read: `store.sqlite.path` of the settings. The copy must
/// have this program's schema.
AdminReply run_on_copy(const settings::Settings& settings, const AdminRequest& request);
/// Sends the request to the running service, or opens the store and runs it.
AdminReply run_on_store(const settings::Settings& settings, const AdminRequest& request);

/// The verbs as commands of the program.
std::vector<Command> admin_commands();

}  // namespace tideover::admin
