// One writer, any number of readers, no lock on the way of a review and no copy of the state: two states that are told the same events. Readers see
// the shown one while the writer brings the spare one up to date; then they change places, and the other hears the same once its last
// reader has left. A reader sees every event of a batch or none, and holds what it sees for as long as it likes - the writer waits for it.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "core/estimators/state.hpp"

namespace tideover::estimators {

/// `policy`: by which the claim was judged on its day.
struct Submitted {
  Submission claim;
  Policy policy;
};
struct DayClosed {
  domain::Date day;
};
using Event = std::variant<Submitted, Response, DayClosed>;

inline void apply(State& state, const Event& event, State::Heard* heard = nullptr) {
  if (const auto* submitted = std::get_if<Submitted>(&event)) state.submitted(submitted->claim, submitted->policy, heard);
  if (const auto* response = std::get_if<Response>(&event)) state.responded(*response, heard);
  if (const auto* closed = std::get_if<DayClosed>(&event)) state.close_day(closed->day);
}

class Published {
 public:
  explicit Published(Options options = {}) : states_{State(options), State(options)} {}

  /// What is published, immutable while this lives. Do not apply from the thread that holds one.
  class Reader {
   public:
    Reader(Reader&& other) noexcept : state_(std::exchange(other.state_, nullptr)), name_(other.name_), present_(other.present_) {}
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    Reader& operator=(Reader&&) = delete;
    ~Reader() {
      if (state_) present_->fetch_sub(1);
    }
    const State& operator*() const { return *state_; }
    const State* operator->() const { return state_; }
    /// Of what this state has heard, as its teller calls it; empty: nothing.
    const std::string& name() const { return *name_; }

   private:
    friend class Published;
    Reader(const State& state, const std::string& name, std::atomic<std::int64_t>& present) : state_(&state), name_(&name), present_(&present) {}
    const State* state_;
    const std::string* name_;
    std::atomic<std::int64_t>* present_;
  };

  Reader read() const {
    for (;;) {
      const std::size_t side = shown_.load();
      present_[side].count.fetch_add(1);
      // The writer looks for readers only after it has changed sides: who still sees this side was counted in time.
      if (shown_.load() == side) return Reader(states_[side], names_[side], present_[side].count);
      present_[side].count.fetch_sub(1);
    }
  }

  /// About the memory that both states take, in bytes.
  std::size_t bytes() const {
    const auto memory = read()->memory();
    return 2 * memory.whole - memory.shared;
  }

  /// All of them, in this order, become visible at once, and with them the name. One caller at a time.
  void apply(const std::vector<Event>& events, const std::string& name) {
    const std::lock_guard lock(writing_);
    const std::size_t shown = shown_.load(), spare = 1 - shown;
    std::vector<State::Heard> heard(events.size());  // by the spare one; the other takes it over
    for (const std::size_t side : {spare, shown}) {
      while (present_[side].count.load() != 0) std::this_thread::yield();
      for (std::size_t i = 0; i < events.size(); ++i) estimators::apply(states_[side], events[i], &heard[i]);
      names_[side] = name;
      shown_.store(spare);
    }
  }

 private:
  struct alignas(64) Present {
    std::atomic<std::int64_t> count{0};
  };

  std::array<State, 2> states_;
  std::array<std::string, 2> names_;
  mutable std::array<Present, 2> present_;
  std::atomic<std::size_t> shown_{0};
  std::mutex writing_;
};

}  // namespace tideover::estimators
