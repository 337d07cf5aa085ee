#include "core/node/wait_for_store.hpp"

#include <algorithm>

#include "core/http/server/server.hpp"
#include "core/node/ops_server.hpp"
#include "core/node/start.hpp"
#include "core/ops/log.hpp"
#include "core/ops/pages.hpp"
#include "core/ops/readiness.hpp"
#include "core/settings/settings.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::node {
namespace {

constexpr std::chrono::milliseconds kLongestPause{5000};

http::Response page(const ops::Readiness& readiness, const std::string& path) {
  if (path == "/livez") return response_of(ops::livez());
  if (path == "/readyz") return response_of(ops::readyz(readiness));
  return response_of({503, "text/plain; charset=utf-8", "The service waits for its database. See /readyz.\n"});
}

}  // namespace

bool StoreWait::operator()(const settings::Settings& settings, std::string problem, const Pause& pause) {
  auto log = open_log(settings.log);
  ops::Readiness readiness;
  http::Server pages(ops_server_options(
      settings.ops, [&](const http::Request& request) { return page(readiness, request.path); },
      [](const http::Request&, http::Refusal, std::string_view reason) {
        return response_of({400, "text/plain; charset=utf-8", std::string(reason) + '\n'});
      }));
  pages.start();
  while (true) {
    readiness.report(ops::Check::store, false, problem);
    log.warning("store_awaited", {{"problem", problem}, {"next_try_ms", static_cast<std::int64_t>(next_.count())}});
    if (!pause(next_)) {
      log.info("stopped", {{"clean", true}});
      return false;
    }
    next_ = std::min(2 * next_, kLongestPause);
    const auto status = store::inspect(store_options(settings));
    if (status) break;
    if (!status.error().retry_after_s) refuse_start(status.error());
    problem = status.error().message;
  }
  log.info("store_reached");
  return true;
}

}  // namespace tideover::node
