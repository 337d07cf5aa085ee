// A service in the sandbox with one client that may do everything.
#pragma once

#include "tests/support/service/service_process.hpp"

namespace tideover::test {

struct Running {
  ServiceFolder folder;
  Credentials client = folder.create_client({"--role", "admin"});
  ServiceProcess service{folder};
  ApiClient api{service.port(), client};
};

}  // namespace tideover::test
