// A service in the sandbox with one client that may do everything.
#pragma once

#include "tests/support/service/service_process.hpp"

namespace tideover::test {

/// Whose client is the operator's as well: it releases rules.
struct OperatorsFolder : ServiceFolder {
  OperatorsFolder() { set("rules.operator_tenant", "default"); }
};

struct Running {
  OperatorsFolder folder;
  Credentials client = folder.create_client({"--role", "admin"});
  ServiceProcess service{folder};
  ApiClient api{service.port(), client};
};

}  // namespace tideover::test
