// What the service counts, in the words of the project; Prometheus is in the .cpp only. Every label has few values, all
// of them the operator's own (routes, rules, plugins): nothing that a client sends becomes a label. Thread-safe.
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
  void requests_in_flight(std::size_t count);
  /// Bytes of answers that clients have not read yet, and how many answers were dropped because that were too many.
  void answers_unsent(std::size_t bytes, std::uint64_t dropped);

  /// What each rule of the live bundle has done since its publication; rules that are not named disappear.
  struct RuleCount {
    std::string rule;
    std::uint64_t fired = 0;
    std::uint64_t failed = 0;
  };
  void rules(const std::vector<RuleCount>& counts);
  void rules_reloaded(bool ok);
  /// A rule failed too often, and this node put it into shadow mode or told of it.
  void rule_failing();
  /// Whether the folder holds rules that were refused, so that older ones serve.
  void rules_stale(bool stale);
  /// Whether the reason codes are those of an earlier start, since the file has errors.
  void reason_codes_stale(bool stale);
  /// `what` is one of a few words: failed, nonsense, threw, late, unanswered, refused.
  void plugin_failed(std::string_view kind, std::string_view plugin_id, std::string_view call, std::string_view what);
  /// What may fail or differ later shows as 0 from now on: an alert sees the first one as an increase only then.
  void expect_plugin(std::string_view kind, std::string_view plugin_id, const std::vector<std::string_view>& calls);
  struct PluginUse {
    std::string kind;
    std::string plugin;
    int unanswered = 0;  // calls that were given up and still run
    struct Call {
      std::string_view call;
      std::uint64_t count = 0;
      double seconds = 0;
    };
    std::vector<Call> calls;  // totals since start
  };
  void plugins(const std::vector<PluginUse>& plugins);
  void expect_rail(std::string_view rail, bool is_simulated, const std::vector<std::string_view>& disagreements);
  /// Totals since start; they only grow.
  void committed(std::uint64_t batches, std::uint64_t units, std::uint64_t replays, std::uint64_t retries);
  /// Rows of a table with a value that is still sealed under an older key; pairs that are not named disappear.
  struct SealedRows {
    std::string table;
    std::string key_id;
    std::int64_t rows = 0;
  };
  void sealed_rows_left(const std::vector<SealedRows>& left);
  /// Totals since start of sealed values that did not open.
  void seals_unopened(std::uint64_t damaged, std::uint64_t unknown_key);
  /// Whether the current master key has been used as often or as long as it should.
  void key_worn(bool worn);
  void webhook_delivered();
  void webhook_failed();
  /// One difference between a rail's books and ours; `adopted` = ours say the same now.
  void rail_disagreed(std::string_view rail, std::string_view disagreement, bool adopted);
  void rails_reconciled(bool whole);
  struct Learning {
    std::uint64_t skipped = 0;       // since start: records that are gone or cannot be read
    std::uint64_t set_aside = 0;     // records that are not usable for learning
    std::uint64_t diverged = 0;      // and states that differed from those of the writer of the learning journal
    std::uint64_t drift_alarms = 0;  // of everything that was learned: how often a payer was seen to change its days
    std::uint64_t memory_bytes = 0;  // that all of it takes, about
  };
  void learning(const Learning& learning);
  /// Answers and reviews that were learned from.
  void learned(std::size_t events);
  void import_rows(std::size_t accepted, std::size_t rejected);

  /// The Prometheus text format, version 0.0.4.
  std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace tideover::ops
