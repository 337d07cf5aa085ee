#include "core/events/dispatcher.hpp"

#include <pthread.h>
#include <signal.h>

#include <exception>
#include <utility>

namespace tideover::events {
namespace {

constexpr int kConflictsInARow = 20;

/// SIGPIPE of a TLS connection that a receiver closes early must not end the process; libcurl leaves this to its
/// caller.
void block_broken_pipe_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

Dispatcher::Dispatcher(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, DispatcherOptions options,
                       DispatcherObserver observer)
    : options_(std::move(options)),
      observer_(std::move(observer)),
      publisher_(store, clock, options_),
      deliverer_(store, clock, ids, options_, observer_) {}

Dispatcher::~Dispatcher() {
  stop();
}

void Dispatcher::start() {
  publishing_ = std::jthread([this](const std::stop_token& stop) { publish_until(stop); });
  delivering_ = std::jthread([this](const std::stop_token& stop) { deliver_until(stop); });
}

void Dispatcher::stop() {
  publishing_.request_stop();
  delivering_.request_stop();
  deliverer_.wake();
  if (publishing_.joinable()) publishing_.join();
  if (delivering_.joinable()) delivering_.join();
}

void Dispatcher::poke() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(poked_, true)) return;  // the publisher was already poked and has not run yet
  }
  changed_.notify_all();
}

void Dispatcher::publish_until(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    poked_ = false;
    lock.unlock();
    try {
      publish_all(stop);
    } catch (const std::exception& problem) {
      tell_trouble(domain::Error::of(domain::ErrorCode::internal_error, problem.what()));
    }
    lock.lock();
    changed_.wait_for(lock, stop, std::chrono::milliseconds(options_.poll_ms), [this] { return poked_; });
  }
}

/// Publishes until the outbox is empty or the store refuses; the next poll then tries again.
void Dispatcher::publish_all(const std::stop_token& stop) {
  int conflicts = 0;
  while (true) {
    const auto published = publisher_.publish_batch();
    if (!published) {
      // Another node published at the same time: try again. One of the two always succeeds, so many conflicts in
      // sequence have another cause.
      if (published.error().code == domain::ErrorCode::conflict && ++conflicts < kConflictsInARow) continue;
      tell_trouble(published.error());
      return;
    }
    conflicts = 0;
    if (observer_.published) observer_.published(published->events);
    if (published->deliveries > 0) deliverer_.wake();
    // Much less than a batch means that the outbox is empty; later events poke again. The comparison is not "less than
    // a batch", because rows that cannot be decrypted are left out.
    if (published->events < Publisher::kBatch / 2 || stop.stop_requested()) return;
  }
}

void Dispatcher::deliver_until(const std::stop_token& stop) {
  block_broken_pipe_signal();
  while (!stop.stop_requested()) {
    try {
      deliverer_.round(std::chrono::milliseconds(options_.poll_ms));
    } catch (const std::exception& problem) {
      tell_trouble(domain::Error::of(domain::ErrorCode::internal_error, problem.what()));
    }
  }
  deliverer_.finish(std::chrono::milliseconds(options_.stop_grace_ms));
}

void Dispatcher::tell_trouble(const domain::Error& error) const {
  if (observer_.trouble) observer_.trouble(error);
}

}  // namespace tideover::events
