#include "tests/bench/figures.hpp"

#include <memory>

#include "tests/bench/bare_batches.hpp"
#include "tests/bench/databases.hpp"
#include "tests/bench/requests.hpp"

namespace tideover::bench {
namespace {

constexpr int kControlConnections = 64;
constexpr int kReviewConnections = 256;
constexpr const char* kReview = "durable review, 256 clients";

LoadPlan plan(std::uint16_t port, int connections, std::function<void(std::string&)> next, const Effort& effort) {
  LoadPlan plan;
  plan.port = port;
  plan.connections = connections;
  plan.duration = effort.duration;
  plan.next_request = std::move(next);
  return plan;
}

/// Durable reviews on a fresh database.
Sample reviews(const Effort& effort, const Configure& configure = [](auto&) {}) {
  const Service service(configure);
  return measure(service.process(), plan(service.port(), kReviewConnections, ReviewRequests(service.token()), effort));
}

Sample stock_poco(const Effort& effort) {
  const StockPoco poco;
  return measure(poco.process(), plan(poco.port(), kControlConnections, always(post_500_bytes()), effort));
}

Sample cheap_get(const Effort& effort) {
  const Service service;
  const auto request = get_request("/v1/metadata/funding-rails", service.token());
  return measure(service.process(), plan(service.port(), kControlConnections, always(request), effort));
}

}  // namespace

std::vector<Figure> figures(const Effort& effort) {
  const auto mariadb = std::make_shared<PrivateMariaDb>();
  const auto galera = std::make_shared<PrivateGalera>();
  return {
      {"P1", kReview, "stock Poco, fixed response, 64 clients", 0.4, 1.25, false,
       [=]() -> Figure::Run { return {reviews(effort), stock_poco(effort)}; }},
      {"P2", "authenticated GET of the funding rails, 64 clients", "stock Poco, fixed response, 64 clients", 1.0, 2.0, true,
       [=]() -> Figure::Run { return {cheap_get(effort), stock_poco(effort)}; }},
      {"P3", kReview, "the same statements, bare loop, batches of 256", 0.4, 0.8, false,
       [=]() -> Figure::Run {
         const Sample subject = reviews(effort);
         return {subject, run_bare_batches(static_cast<int>(subject.rate * static_cast<double>(effort.duration.count()) / 1000))};
       }},
      {"P4", kReview, "the same with a commit for each review", 4, 10, false,
       [=]() -> Figure::Run {
         return {reviews(effort), reviews(effort, [](auto& folder) { folder.set("store.committer.max_batch", "1"); })};
       }},
      {"P15", "durable review on MariaDB, 256 clients", "the same on SQLite", 0.4, 0.75, false,
       [=]() -> Figure::Run { return {reviews(effort, mariadb->next_database()), reviews(effort)}; }},
      {"P15", "durable review on Galera, three nodes, 256 clients", "the same on one MariaDB", 0.5, 0.8, false,
       [=]() -> Figure::Run { return {reviews(effort, galera->database()), reviews(effort, mariadb->next_database())}; }},
  };
}

}  // namespace tideover::bench
