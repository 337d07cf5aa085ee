// What an administrative command works on - `ledger verify`, `keys rotate`, `backup create` - and how it is asked: the
// parts of the running service, to which the command line brings the request over the control socket, or, where no
// service runs, the same parts opened for this one command. A verb cannot tell the difference.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/crypto/key_ring.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/settings/settings.hpp"
#include "core/store/sql_store.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"
#include "core/usecases/learning/learner.hpp"

namespace tideover::main {

class RuleKeeper;

struct AdminContext {
  const settings::Settings& settings;
  crypto::KeyRing& keys;
  store::SqlStore& store;
  const ports::Clock& clock;
  ports::IdSource& ids;
  /// Of the running service; null where the command has to load them itself.
  ports::FundingRails* rails = nullptr;
  usecases::ReconcileRails* reconcile_rails = nullptr;
  const ports::RailJournal* journal = nullptr;
  RuleKeeper* rules = nullptr;
  const usecases::Learner* learner = nullptr;
};

struct AdminRequest {
  std::string verb;  // "ledger verify"
  std::map<std::string, std::string>
      options;  // as on the command line, without the dashes; what was not given is absent
  /// One line to whoever waits, for verbs that take long; an empty one is not shown. False: nobody waits any more or
  /// the service is stopping; the verb ends early and leaves nothing half done.
  std::function<bool(std::string_view line)> progress = [](std::string_view) { return true; };

  std::string option(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? "" : found->second;
  }
};

struct AdminReply {
  int exit_code = 0;
  std::string out;  // what goes to standard output
  std::string err;  // and to standard error
};

}  // namespace tideover::main
