// Context and request of an administrative command such as `ledger verify`, `keys rotate` or `backup create`. The
// context has the parts of the running service, which receives the request over the control socket. Without a service,
// the same parts are opened for this one command. A verb cannot tell the difference. The parts are declared only: a
// verb includes the headers of those that it uses.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tideover::crypto {
class KeyRing;
}

namespace tideover::node {
class RuleKeeper;
}

namespace tideover::ports {
class Clock;
class FundingRails;
class IdSource;
class RailJournal;
class Store;
}  // namespace tideover::ports

namespace tideover::settings {
struct Settings;
}

namespace tideover::store {
class SqlStore;
}

namespace tideover::usecases {
class Learner;
class ReconcileRails;
}  // namespace tideover::usecases

namespace tideover::admin {

struct AdminContext {
  const settings::Settings& settings;
  crypto::KeyRing& keys;
  ports::Store& store;
  store::SqlStore& database;  // the same store, for its status, its keys and its copy
  const ports::Clock& clock;  // the real time; knows the shifts of tenants
  ports::IdSource& ids;
  /// From the running service; null when the command must load them.
  ports::FundingRails* rails = nullptr;
  usecases::ReconcileRails* reconcile_rails = nullptr;
  const ports::RailJournal* journal = nullptr;
  node::RuleKeeper* rules = nullptr;
  const usecases::Learner* learner = nullptr;
};

struct AdminRequest {
  std::string verb;  // "ledger verify"
  std::map<std::string, std::string>
      options;  // as on the command line, without dashes; options that were not given are absent
  /// Shows a progress line; an empty line only asks. Returns false when the caller has gone or the service is stopping:
  /// the verb must then end early and leave no partial result.
  std::function<bool(std::string_view line)> progress = [](std::string_view) { return true; };

  std::string option(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? "" : found->second;
  }
};

struct AdminReply {
  int exit_code = 0;
  std::string out;  // text for standard output
  std::string err;  // text for standard error
};

}  // namespace tideover::admin
