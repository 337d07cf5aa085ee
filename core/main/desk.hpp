// What an administrative command works on - `ledger verify`, `keys rotate`, `backup create` - and how it is asked: the parts
// of the running service, to which the command line brings the request over the control socket, or, where no service runs,
// the same parts opened for this one command. A verb cannot tell the difference.
#pragma once
#include <map>
#include <string>

#include "core/crypto/key_ring.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/settings/settings.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::main {

struct Desk {
  const settings::Settings& settings;
  crypto::KeyRing& keys;
  store::SqlStore& store;
  const ports::Clock& clock;
  ports::IdSource& ids;
};

struct AdminRequest {
  std::string verb;                            // "ledger verify"
  std::map<std::string, std::string> options;  // as on the command line, without the dashes
};

struct AdminReply {
  int exit_code = 0;
  std::string out;  // what goes to standard output
  std::string err;  // and to standard error
};

}  // namespace tideover::main
