// A dispatcher and a receiver on loopback, over the store and the clock of the bench.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "core/events/dispatcher.hpp"
#include "tests/events/bench.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"

namespace tideover::test {

struct DeliveryBench : test::Bench {
  WebhookReceiver receiver;
  events::DispatcherOptions delivery_options = options();
  std::atomic<std::size_t> published{0};
  std::atomic<int> troubles{0};
  std::mutex reports_mutex;
  std::vector<events::DeliveryReport> reports;

  std::unique_ptr<events::Dispatcher> start() {
    events::DispatcherObserver observer;
    observer.tried = [this](const events::DeliveryReport& report) {
      const std::lock_guard lock(reports_mutex);
      reports.push_back(report);
    };
    observer.published = [this](std::size_t events) { published += events; };
    observer.trouble = [this](const domain::Error&) { ++troubles; };
    auto dispatcher =
        std::make_unique<events::Dispatcher>(store, clock, new_ids, delivery_options, std::move(observer));
    dispatcher->start();
    return dispatcher;
  }
  events::DeliveryReport last_report() {
    const std::lock_guard lock(reports_mutex);
    return reports.back();
  }
  std::int64_t ms_until_next_try() const { return only_delivery().next_try_at.ms() - clock.now().ms(); }
};

}  // namespace tideover::test
