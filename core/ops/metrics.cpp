#include "core/ops/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "core/domain/basics/within.hpp"

namespace tideover::ops {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;

const Histogram::BucketBoundaries kSecondsBuckets = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                     0.1,    0.25,  0.5,    1,     2.5,  5,     10};

double seconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

Family<Counter>& counters(prometheus::Registry& registry, const std::string& name, const std::string& help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}
Counter& counter(prometheus::Registry& registry, const std::string& name, const std::string& help) {
  return counters(registry, name, help).Add({});
}
Family<Gauge>& gauges(prometheus::Registry& registry, const std::string& name, const std::string& help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}
Gauge& gauge(prometheus::Registry& registry, const std::string& name, const std::string& help) {
  return gauges(registry, name, help).Add({});
}
void raise_to(Counter& counter, double total) {
  counter.Increment(std::max(0.0, total - counter.Value()));
}
void raise_to(Counter& counter, std::uint64_t total) {
  raise_to(counter, static_cast<double>(total));
}
Family<Histogram>& histograms(prometheus::Registry& registry, const std::string& name, const std::string& help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

}  // namespace

struct RouteMetrics::Series {
  std::array<Counter*, 5> by_class;  // 1xx to 5xx
  Histogram* seconds;
};

RouteMetrics::RouteMetrics(std::unique_ptr<Series> series) : series_(std::move(series)) {}
RouteMetrics::RouteMetrics(RouteMetrics&&) noexcept = default;
RouteMetrics::~RouteMetrics() = default;

void RouteMetrics::record(int http_status, std::chrono::nanoseconds duration) {
  series_->by_class[static_cast<std::size_t>(domain::within(http_status / 100, 1, 5) - 1)]->Increment();
  series_->seconds->Observe(seconds(duration));
}

// The registry owns every series. The references below point into it, so they are declared after it.
struct Metrics::Families {
  prometheus::Registry registry;
  Family<Counter>& requests =
      counters(registry, "tideover_http_requests_total", "Requests answered, by route and status class");
  Family<Histogram>& request_seconds =
      histograms(registry, "tideover_http_request_seconds", "Seconds from a complete request to its response");
  Gauge& requests_in_flight =
      gauge(registry, "tideover_http_requests_in_flight", "Requests that wait for a worker or are being handled");
  Gauge& answers_unsent =
      gauge(registry, "tideover_http_unsent_bytes", "Bytes of responses that clients have not read yet");
  Counter& answers_dropped = counter(registry, "tideover_http_responses_dropped_total",
                                     "Responses dropped because too many response bytes waited for clients");

  Family<Gauge>& rules_fired =
      gauges(registry, "tideover_rule_fired", "Findings since the bundle became live, by rule");
  Family<Gauge>& rules_failed =
      gauges(registry, "tideover_rule_failed", "Failures since the bundle became live, by rule");
  Family<Counter>& rules_reloads = counters(registry, "tideover_rules_reloads_total", "Attempts to load changed rules");
  Counter& reloads_ok = rules_reloads.Add({{"result", "ok"}});
  Counter& reloads_failed = rules_reloads.Add({{"result", "failed"}});
  Counter& rules_failing = counter(registry, "tideover_rules_failing_total",
                                   "Rules that failed on more than 5 % of their calls, as detected by this node");
  Gauge& rules_stale =
      gauge(registry, "tideover_rules_stale", "1 while the rules in the folder are not valid and older rules are live");
  Gauge& reason_codes_stale =
      gauge(registry, "tideover_reason_codes_stale",
            "1 while the reason codes of an earlier start are used because the file has errors");
  Family<Counter>& plugin_failures = counters(registry, "tideover_plugin_failures_total",
                                              "Failed plugin calls, by kind, plugin, call and type of failure");
  Family<Gauge>& plugin_unanswered = gauges(registry, "tideover_plugin_unanswered_calls",
                                            "Plugin calls beyond their deadline that still run, by kind and plugin");
  Family<Counter>& plugin_calls =
      counters(registry, "tideover_plugin_calls_total", "Plugin calls, by kind, plugin and call");
  Family<Counter>& plugin_seconds = counters(registry, "tideover_plugin_call_seconds_total",
                                             "Seconds that callers waited for plugins, by kind, plugin and call");

  Counter& batches = counter(registry, "tideover_committer_batches_total", "Durable transactions (batches)");
  Counter& units = counter(registry, "tideover_committer_units_total", "Units of work committed in batches");
  Counter& replays =
      counter(registry, "tideover_committer_replays_total", "Batches repeated unit by unit after a failure");
  Counter& retries =
      counter(registry, "tideover_committer_retries_total", "Attempts repeated after a conflict or a lost connection");

  Family<Gauge>& sealed_rows =
      gauges(registry, "tideover_sealed_rows_left", "Rows with a value that is encrypted under an older key");
  std::vector<Gauge*> sealed_rows_shown;  // under totals_mutex
  Gauge& key_worn = gauge(registry, "tideover_key_worn", "1 when the current master key is due for rotation");
  Family<Counter>& unopened =
      counters(registry, "tideover_seals_unopened_total", "Encrypted values that could not be decrypted, by reason");
  Counter& seals_damaged = unopened.Add({{"reason", "damaged"}});
  Counter& seals_without_key = unopened.Add({{"reason", "unknown_key"}});

  Family<Counter>& deliveries = counters(registry, "tideover_webhook_deliveries_total", "Delivery attempts, by result");
  Counter& delivered = deliveries.Add({{"result", "delivered"}});
  Counter& undelivered = deliveries.Add({{"result", "failed"}});
  Family<Gauge>& simulated = gauges(registry, "tideover_rail_simulated", "1 for a rail that does not move money");
  Family<Counter>& disagreements = counters(
      registry, "tideover_rail_disagreements_total",
      "Differences between a rail statement and the service, by rail, kind and whether the service was corrected");
  Family<Counter>& reconciliations =
      counters(registry, "tideover_rail_reconciliations_total",
               "Comparisons with rail statements, by whether all statements could be read");
  Counter& reconciled = reconciliations.Add({{"result", "ok"}});
  Counter& not_reconciled = reconciliations.Add({{"result", "failed"}});
  Family<Counter>& rows = counters(registry, "tideover_import_rows_total", "Imported rows, by result");
  Counter& rows_accepted = rows.Add({{"result", "accepted"}});
  Counter& rows_rejected = rows.Add({{"result", "rejected"}});

  Family<Counter>& pickup_files =
      counters(registry, "tideover_pickup_files_total", "Finished files of watched folders, by folder and result");
  Family<Gauge>& pickup_waiting =
      gauges(registry, "tideover_pickup_waiting", "Files of a watched folder that wait for another attempt");
  Family<Gauge>& pickup_problems =
      gauges(registry, "tideover_pickup_problems", "Problems of the latest look at a watched folder; the log has them");

  Counter& learned_from =
      counter(registry, "tideover_learned_events_total", "Reviews and remitted claims used for learning");
  Counter& learning_skipped = counter(registry, "tideover_learning_skipped_total",
                                      "Records that are missing or cannot be read and were not used for learning");
  Counter& learning_set_aside = counter(registry, "tideover_learning_set_aside_total",
                                        "Records that cannot be used for learning, since the start; each has a task");
  Counter& payer_drift =
      counter(registry, "tideover_payer_drift_alarms_total", "Detected changes in the time that a payer takes to pay");
  Counter& learning_diverged = counter(registry, "tideover_learning_diverged_total",
                                       "Times that the learned state of this node differed from the learning journal");

  Gauge& learning_memory = gauge(registry, "tideover_learning_memory_bytes",
                                 "Approximate memory of the learned state of all tenants, with the "
                                 "records of the last minutes, in bytes");

  std::mutex routes_mutex;
  std::map<std::string, RouteMetrics, std::less<>> routes;

  struct RuleGauges {
    Gauge* fired;
    Gauge* failed;
  };
  std::mutex totals_mutex;
  std::mutex rules_mutex;
  std::map<std::string, RuleGauges> rules;
};

Metrics::Metrics(std::string_view version) : families_(std::make_unique<Families>()) {
  prometheus::BuildGauge()
      .Name("tideover_build_info")
      .Help("Always 1; the label is the running version")
      .Register(families_->registry)
      .Add({{"version", std::string(version)}})
      .Set(1);
}
Metrics::~Metrics() = default;

RouteMetrics& Metrics::route(std::string_view route) {
  const std::lock_guard lock(families_->routes_mutex);
  const auto known = families_->routes.find(route);
  if (known != families_->routes.end()) return known->second;

  const std::string name(route);
  auto series = std::make_unique<RouteMetrics::Series>();
  for (std::size_t i = 0; i < series->by_class.size(); ++i) {
    series->by_class[i] = &families_->requests.Add({{"route", name}, {"status", std::to_string(i + 1) + "xx"}});
  }
  series->seconds = &families_->request_seconds.Add({{"route", name}}, kSecondsBuckets);
  return families_->routes.emplace(name, RouteMetrics(std::move(series))).first->second;
}

void Metrics::requests_in_flight(std::size_t count) {
  families_->requests_in_flight.Set(static_cast<double>(count));
}

void Metrics::answers_unsent(std::size_t bytes, std::uint64_t dropped) {
  const std::lock_guard lock(families_->totals_mutex);
  families_->answers_unsent.Set(static_cast<double>(bytes));
  raise_to(families_->answers_dropped, dropped);
}

void Metrics::rules(const std::vector<RuleCount>& counts) {
  Families& f = *families_;
  const std::lock_guard lock(f.rules_mutex);
  std::erase_if(f.rules, [&](const auto& known) {
    if (std::any_of(counts.begin(), counts.end(), [&](const RuleCount& count) { return count.rule == known.first; }))
      return false;
    f.rules_fired.Remove(known.second.fired);
    f.rules_failed.Remove(known.second.failed);
    return true;
  });
  for (const RuleCount& count : counts) {
    auto& shown = f.rules.try_emplace(count.rule, Families::RuleGauges{}).first->second;
    if (shown.fired == nullptr)
      shown = {&f.rules_fired.Add({{"rule", count.rule}}), &f.rules_failed.Add({{"rule", count.rule}})};
    shown.fired->Set(static_cast<double>(count.fired));
    shown.failed->Set(static_cast<double>(count.failed));
  }
}

void Metrics::rules_reloaded(bool ok) {
  (ok ? families_->reloads_ok : families_->reloads_failed).Increment();
}

void Metrics::rule_failing() {
  families_->rules_failing.Increment();
}

void Metrics::rules_stale(bool stale) {
  families_->rules_stale.Set(stale ? 1 : 0);
}

void Metrics::reason_codes_stale(bool stale) {
  families_->reason_codes_stale.Set(stale ? 1 : 0);
}

void Metrics::plugin_failed(std::string_view kind, std::string_view plugin_id, std::string_view call,
                            std::string_view what) {
  families_->plugin_failures
      .Add({{"kind", std::string(kind)},
            {"plugin", std::string(plugin_id)},
            {"call", std::string(call)},
            {"what", std::string(what)}})
      .Increment();
}

void Metrics::expect_plugin(std::string_view kind, std::string_view plugin_id,
                            const std::vector<std::string_view>& calls) {
  for (const auto call : calls)
    for (const char* what : {"failed", "nonsense", "threw", "late", "unanswered", "refused"})
      families_->plugin_failures.Add({{"kind", std::string(kind)},
                                      {"plugin", std::string(plugin_id)},
                                      {"call", std::string(call)},
                                      {"what", what}});
}

void Metrics::plugins(const std::vector<PluginUse>& plugins) {
  const std::lock_guard lock(families_->totals_mutex);
  for (const auto& plugin : plugins) {
    families_->plugin_unanswered.Add({{"kind", plugin.kind}, {"plugin", plugin.plugin}}).Set(plugin.unanswered);
    for (const auto& call : plugin.calls) {
      const prometheus::Labels labels{
          {"kind", plugin.kind}, {"plugin", plugin.plugin}, {"call", std::string(call.call)}};
      raise_to(families_->plugin_calls.Add(labels), static_cast<double>(call.count));
      raise_to(families_->plugin_seconds.Add(labels), call.seconds);
    }
  }
}

void Metrics::expect_rail(std::string_view rail, bool is_simulated,
                          const std::vector<std::string_view>& disagreements) {
  families_->simulated.Add({{"rail", std::string(rail)}}).Set(is_simulated ? 1 : 0);
  for (const auto disagreement : disagreements)
    for (const char* adopted : {"yes", "no"})
      families_->disagreements.Add(
          {{"rail", std::string(rail)}, {"kind", std::string(disagreement)}, {"adopted", adopted}});
}

void Metrics::committed(std::uint64_t batches, std::uint64_t units, std::uint64_t replays, std::uint64_t retries) {
  const std::lock_guard lock(
      families_->totals_mutex);  // otherwise two readers of the page could add the same total twice
  raise_to(families_->batches, batches);
  raise_to(families_->units, units);
  raise_to(families_->replays, replays);
  raise_to(families_->retries, retries);
}

void Metrics::sealed_rows_left(const std::vector<SealedRows>& left) {
  Families& f = *families_;
  const std::lock_guard lock(f.totals_mutex);
  for (Gauge* gauge : f.sealed_rows_shown) f.sealed_rows.Remove(gauge);
  f.sealed_rows_shown.clear();
  for (const auto& rows : left) {
    f.sealed_rows_shown.push_back(&f.sealed_rows.Add({{"table", rows.table}, {"key", rows.key_id}}));
    f.sealed_rows_shown.back()->Set(static_cast<double>(rows.rows));
  }
}

void Metrics::key_worn(bool worn) {
  families_->key_worn.Set(worn ? 1 : 0);
}

void Metrics::seals_unopened(std::uint64_t damaged, std::uint64_t unknown_key) {
  const std::lock_guard lock(families_->totals_mutex);
  raise_to(families_->seals_damaged, damaged);
  raise_to(families_->seals_without_key, unknown_key);
}

void Metrics::webhook_delivered() {
  families_->delivered.Increment();
}
void Metrics::webhook_failed() {
  families_->undelivered.Increment();
}

void Metrics::rail_disagreed(std::string_view rail, std::string_view disagreement, bool adopted) {
  families_->disagreements
      .Add({{"rail", std::string(rail)}, {"kind", std::string(disagreement)}, {"adopted", adopted ? "yes" : "no"}})
      .Increment();
}
void Metrics::rails_reconciled(bool whole) {
  (whole ? families_->reconciled : families_->not_reconciled).Increment();
}

void Metrics::learning(const Learning& learning) {
  const std::lock_guard lock(families_->totals_mutex);
  raise_to(families_->learning_skipped, learning.skipped);
  raise_to(families_->learning_set_aside, learning.set_aside);
  raise_to(families_->learning_diverged, learning.diverged);
  raise_to(families_->payer_drift, learning.drift_alarms);
  families_->learning_memory.Set(static_cast<double>(learning.memory_bytes));
}

void Metrics::learned(std::size_t events) {
  families_->learned_from.Increment(static_cast<double>(events));
}

void Metrics::import_rows(std::size_t accepted, std::size_t rejected) {
  families_->rows_accepted.Increment(static_cast<double>(accepted));
  families_->rows_rejected.Increment(static_cast<double>(rejected));
}

void Metrics::expect_pickup(std::string_view folder) {
  picked_up(folder, {});
}

void Metrics::picked_up(std::string_view folder, const Pickup& round) {
  const auto count = [&](const char* result, int files) {
    families_->pickup_files.Add({{"folder", std::string(folder)}, {"result", result}}).Increment(files);
  };
  count("posted", round.posted);
  count("duplicate", round.duplicates);
  count("quarantined", round.quarantined);
  families_->pickup_waiting.Add({{"folder", std::string(folder)}}).Set(round.waiting);
  families_->pickup_problems.Add({{"folder", std::string(folder)}}).Set(round.problems);
}

std::string Metrics::text() const {
  return prometheus::TextSerializer().Serialize(families_->registry.Collect());
}

}  // namespace tideover::ops
