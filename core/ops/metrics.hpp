// What the service counts, in the words of the house; Prometheus is in the .cpp only. Every label has few values, all
// of them the operator's own (routes, rules, plugins): nothing that a client sends becomes a label. Thread-safe.
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tideover::ops {

/// The counters of one route, looked up once at start-up so that a request touches no map.
class RouteMetrics {
 public:
  RouteMetrics(RouteMetrics&&) noexcept;
  ~RouteMetrics();
  void record(int http_status, std::chrono::nanoseconds duration);

 private:
  friend class Metrics;
  struct Series;
  explicit RouteMetrics(std::unique_ptr<Series> series);

  std::unique_ptr<Series> series_;
};

class Metrics {
 public:
  explicit Metrics(std::string_view version);
  ~Metrics();

  /// `route` is a template such as "POST /v1/settlements/{settlement_id}/confirm". The reference lives as long as this
  /// object; asking again for a route gives the same counters.
  RouteMetrics& route(std::string_view route);
  void requests_waiting(std::size_t count);

  void rule_failed(std::string_view rule_id);
  void rules_reloaded(bool ok);
  void plugin_failed(std::string_view plugin_id, std::string_view call);
  void batch_committed(std::size_t requests, std::chrono::nanoseconds duration);
  void commits_waiting(std::size_t count);
  void webhook_delivered();
  void webhook_failed();
  void import_rows(std::size_t accepted, std::size_t rejected);

  /// The Prometheus text format, version 0.0.4.
  std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace tideover::ops
