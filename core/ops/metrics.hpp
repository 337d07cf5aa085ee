// The metrics of the service. Only the .cpp uses the Prometheus library. Every label has few values, all set by the
// operator (routes, rules, plugins): no client input becomes a label. Thread-safe.
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::ops {

/// The counters of one route, looked up once at start-up, so that a request needs no map.
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

  /// `route` is a template such as "POST /v1/settlements/{settlement_id}/confirm". The reference is valid as long as
  /// this object; a second call for a route returns the same counters.
  RouteMetrics& route(std::string_view route);
  void requests_in_flight(std::size_t count);
  /// Bytes of responses that clients have not read yet, and the number of responses dropped because of the limit.
  void answers_unsent(std::size_t bytes, std::uint64_t dropped);

  /// Counts of each rule of the live bundle since it became live; rules that are not listed disappear.
  struct RuleCount {
    std::string rule;
    std::uint64_t fired = 0;
    std::uint64_t failed = 0;
  };
  void rules(const std::vector<RuleCount>& counts);
  void rules_reloaded(bool ok);
  /// A rule failed too often. This node put it into shadow mode or reported it.
  void rule_failing();
  /// Whether the rules in the folder are not valid and older rules are live.
  void rules_stale(bool stale);
  /// Whether the reason codes of an earlier start are used because the file has errors.
  void reason_codes_stale(bool stale);
  /// `what` is one of: failed, nonsense, threw, late, unanswered, refused.
  void plugin_failed(std::string_view kind, std::string_view plugin_id, std::string_view call, std::string_view what);
  /// Shows these counters as 0 from now on: an alert detects the first failure as an increase only then.
  void expect_plugin(std::string_view kind, std::string_view plugin_id, const std::vector<std::string_view>& calls);
  struct PluginUse {
    std::string kind;
    std::string plugin;
    int unanswered = 0;  // calls beyond their deadline that still run
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
  /// Rows of a table with a value that is still encrypted under an older key; pairs that are not listed disappear.
  struct SealedRows {
    std::string table;
    std::string key_id;
    std::int64_t rows = 0;
  };
  void sealed_rows_left(const std::vector<SealedRows>& left);
  /// Totals since start of encrypted values that could not be decrypted.
  void seals_unopened(std::uint64_t damaged, std::uint64_t unknown_key);
  /// Whether the current master key is due for rotation.
  void key_worn(bool worn);
  void webhook_delivered();
  void webhook_failed();
  /// A difference between a rail statement and the service; `adopted`: the service was corrected.
  void rail_disagreed(std::string_view rail, std::string_view disagreement, bool adopted);
  void rails_reconciled(bool whole);
  struct Learning {
    std::uint64_t skipped = 0;       // since start: records that are missing or cannot be read
    std::uint64_t set_aside = 0;     // records that cannot be used for learning
    std::uint64_t diverged = 0;      // states that differed from the state of the learning journal's writer
    std::uint64_t drift_alarms = 0;  // over all learned data: detected changes of a payer's payment time
    std::uint64_t memory_bytes = 0;  // approximate memory of all of it
  };
  void learning(const Learning& learning);
  /// Answers and reviews used for learning.
  void learned(std::size_t events);
  void import_rows(std::size_t accepted, std::size_t rejected);
  /// Shows the counters of a watched folder as 0.
  void expect_pickup(std::string_view folder);
  /// A round over a folder: its finished files, and the files and problems that it left.
  struct Pickup {
    int posted = 0, duplicates = 0, quarantined = 0;
    int waiting = 0;
    int problems = 0;
  };
  void picked_up(std::string_view folder, const Pickup& round);

  /// The Prometheus text format, version 0.0.4.
  std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace tideover::ops
