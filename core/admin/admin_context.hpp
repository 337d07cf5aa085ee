// The parts of a service that an administrative command works on, and its request and reply. The parts belong to the
// running service, which gets the request over the control socket. If no service runs, the command opens the same
// parts for itself. A verb works the same in both cases.
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
  /// Of the running service; null if the command has to load them itself.
  ports::FundingRails* rails = nullptr;
  usecases::ReconcileRails* reconcile_rails = nullptr;
  const ports::RailJournal* journal = nullptr;
  RuleKeeper* rules = nullptr;
  const usecases::Learner* learner = nullptr;
};

struct AdminRequest {
  std::string verb;  // "ledger verify"
  std::map<std::string, std::string>
      options;  // as on the command line, without dashes; options that were not given are absent
  /// One progress line for the operator; an empty one is not shown. Returns false if the client has disconnected or
  /// the service stops: the verb then ends early and leaves no partial work.
  std::function<bool(std::string_view line)> progress = [](std::string_view) { return true; };

  std::string option(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? "" : found->second;
  }
};

struct AdminReply {
  int exit_code = 0;
  std::string out;  // standard output
  std::string err;  // standard error
};

}  // namespace tideover::main
