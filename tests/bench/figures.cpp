#include "tests/bench/figures.hpp"

#include <memory>

#include "tests/bench/bare_batches.hpp"
#include "tests/bench/databases.hpp"
#include "tests/bench/imports.hpp"
#include "tests/bench/remittances.hpp"
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
Sample reviews(
    const Effort& effort, const Configure& configure = [](auto&) {}) {
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
  using By = Figure::By;
  const auto mariadb = std::make_shared<PrivateMariaDb>();
  const auto galera = std::make_shared<PrivateGalera>();
  return {
      {"P1", kReview, "stock Poco, fixed response, 64 clients", 0.4, 1.25, By::rate,
       [=]() -> Figure::Run {
         return {reviews(effort), stock_poco(effort)};
       }},
      {"P2", "authenticated GET of the funding rails, 64 clients", "stock Poco, fixed response, 64 clients", 1.0, 2.0,
       By::cpu,
       [=]() -> Figure::Run {
         return {cheap_get(effort), stock_poco(effort)};
       }},
      {"P3", kReview, "the same statements, bare loop, batches of 256", 0.4, 0.8, By::rate,
       [=]() -> Figure::Run {
         const Sample subject = reviews(effort);
         return {subject, run_bare_batches(
                              static_cast<int>(subject.rate * static_cast<double>(effort.duration.count()) / 1000))};
       }},
      {"P4", kReview, "the same with a commit for each review", 4, 10, By::rate,
       [=]() -> Figure::Run {
         return {reviews(effort), reviews(effort, [](auto& folder) { folder.set("store.committer.max_batch", "1"); })};
       }},
      {"P8", "import of 200 000 claims, gzip and Base64 NDJSON, reviewed",
       "sqlite3 .import of the same claims into one table", 0.5, 1.0, By::rate,
       []() -> Figure::Run {
         return {import_rows(200'000), sqlite_import(200'000)};
       }},
      {"P9", "tideover import of 256 MiB, extra memory of the service", "the same of 16 MiB", 1.10, 1.0, By::memory,
       []() -> Figure::Run {
         return {import_file(rows_of(256)), import_file(rows_of(16))};
       }},
      {"1M", "tideover import of 1 000 000 claims", "the same of 50 000", 1.10, 1.0, By::memory,
       []() -> Figure::Run {
         return {import_file(1'000'000), import_file(50'000)};
       }},
      {"P11", "durable review, 8 clients, while an import runs", "the same without", 3, 1.5, By::p99,
       [=]() -> Figure::Run {
         return {reviews_beside_import(effort.duration, true), reviews_beside_import(effort.duration, false)};
       }},
      {"P12", "durable review, 8 clients, among 10 M stored claims", "the same among 100 000", 1.3, 1.1, By::p50,
       [=]() -> Figure::Run {
         return {reviews_among(10'000'000, effort.duration), reviews_among(100'000, effort.duration)};
       }},
      {"835", "an 835 of 10 000 funded claims, by CPU a claim", "the same claims in 100 files", 0.8, 1.0, By::cpu,
       []() -> Figure::Run {
         return {post_835(10'000, 1), post_835(100, 100)};
       }},
      {"835W", "longest wait of a review while a deposit posts 10 000 funded claims", "the same before the deposit", 20,
       5, By::longest,
       []() -> Figure::Run {
         const auto waits = wait_beside_835(10'000);
         return {waits.posting, waits.quiet};
       }},
      {"P15", "durable review on MariaDB, 256 clients", "the same on SQLite", 0.4, 0.75, By::rate,
       [=]() -> Figure::Run {
         return {reviews(effort, mariadb->next_database()), reviews(effort)};
       }},
      {"P15", "durable review on Galera, three nodes, 256 clients", "the same on one MariaDB", 0.5, 0.8, By::rate,
       [=]() -> Figure::Run {
         return {reviews(effort, galera->next_database()), reviews(effort, mariadb->next_database())};
       }},
  };
}

}  // namespace tideover::bench
