#include "tests/support/service/exchange_log.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/service/json.hpp"

namespace tideover::test {

void log_exchange(const std::string& request, const RawResponse& response) {
  const char* file = ::getenv("TIDEOVER_TEST_EXCHANGES");
  if (file == nullptr || response.status == 0 || !response.header("Content-Encoding").empty()) return;
  const std::string line = "{\"request\":" + quoted(request) + ",\"head\":" + quoted(response.head) +
                           ",\"body\":" + quoted(response.body) + "}\n";
  // One write at the end of the file, so that lines of several processes do not mix.
  const int log = ::open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const bool written = log >= 0 && ::write(log, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (log >= 0) ::close(log);
  if (!written) throw std::runtime_error(std::string("cannot write the exchanges to ") + file);
}

}  // namespace tideover::test
