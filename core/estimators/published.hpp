// One writer and any number of readers, without a lock during reviews and without a copy of the state: two states get
// the same events. Readers use the published one while the writer updates the spare one. Then they are swapped, and the
// other one gets the same events after its last reader has left. A reader sees all events of a batch or none, and may
// hold the state: the writer waits for it.
//
// A batch is applied as a whole or not at all, whatever is thrown: a state that was left half-way is replaced by a copy
// of the other one.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/estimators/state.hpp"

namespace tideover::estimators {

/// `policy`: the policy that judged the claim on its day.
struct Submitted {
  Submission claim;
  Policy policy;
};
struct DayClosed {
  domain::Date day;
};
using Event = std::variant<Submitted, Response, DayClosed>;

inline void apply(State& state, const Event& event, State::Observation* observed = nullptr) {
  if (const auto* submitted = std::get_if<Submitted>(&event))
    state.submitted(submitted->claim, submitted->policy, observed);
  if (const auto* response = std::get_if<Response>(&event)) state.responded(*response, observed);
  if (const auto* closed = std::get_if<DayClosed>(&event)) state.close_day(closed->day);
}

/// Applies an event. Tests use a function that throws.
using ApplyEvent = std::function<void(State&, const Event&, State::Observation*)>;

/// Why a batch was not applied.
struct NotApplied {
  std::optional<std::size_t> event;  // the event that failed; nullopt: none was applied, for lack of memory
  bool out_of_memory = false;        // a later try may succeed
  std::string problem;
};

class Published {
 public:
  explicit Published(Options options = {}, ApplyEvent apply_event = estimators::apply)
      : options_(options), apply_event_(std::move(apply_event)), states_{State(options), State(options)} {}

  /// The published state, immutable while this lives. The thread that holds it must not apply events.
  class Reader {
   public:
    Reader(Reader&& other) noexcept
        : state_(std::exchange(other.state_, nullptr)), name_(other.name_), present_(other.present_) {}
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    Reader& operator=(Reader&&) = delete;
    ~Reader() {
      if (state_) leave(*present_);
    }
    const State& operator*() const { return *state_; }
    const State* operator->() const { return state_; }
    /// The writer's name for what this state has observed; empty: nothing.
    const std::string& name() const { return *name_; }

   private:
    friend class Published;
    Reader(const State& state, const std::string& name, std::atomic<std::int64_t>& present)
        : state_(&state), name_(&name), present_(&present) {}
    const State* state_;
    const std::string* name_;
    std::atomic<std::int64_t>* present_;
  };

  Reader read() const {
    for (;;) {
      const std::size_t side = shown_.load();
      present_[side].count.fetch_add(1);
      // The writer checks for readers only after the swap, so that every reader of this side was counted before.
      if (shown_.load() == side) return Reader(states_[side], names_[side], present_[side].count);
      leave(present_[side].count);
    }
  }

  /// The approximate memory of both states, in bytes.
  std::size_t bytes() const {
    const auto memory = read()->memory();
    return 2 * memory.whole - memory.shared;
  }

  /// Makes all events visible at once, in this order, together with the name; or none, and returns the reason. One
  /// caller at a time.
  std::optional<NotApplied> apply(const std::vector<Event>& events, const std::string& name) {
    const std::lock_guard lock(writing_);
    const std::size_t shown = shown_.load(), spare = 1 - shown;
    if (!spare_is_whole_ && !copy_to_spare())
      return NotApplied{std::nullopt, true, "no memory for a second copy of what was learned"};
    std::vector<State::Observation> observed(events.size());  // by the spare one; the other one reuses them
    std::string name_for_spare = name,
                name_for_shown = name;  // everything that may allocate is done before the first change
    spare_is_whole_ = false;            // until both sides are equal again, whatever is thrown
    if (auto failed = bring_up(spare, events, observed)) {
      copy_to_spare();
      return failed;
    }
    names_[spare].swap(name_for_spare);
    shown_.store(spare);
    if (bring_up(shown, events, observed)) {
      copy_to_spare();  // the batch is visible: the other side becomes equal by a copy
    } else {
      names_[shown].swap(name_for_shown);
      spare_is_whole_ = true;
    }
    return std::nullopt;
  }

 private:
  struct alignas(64) Present {
    std::atomic<std::int64_t> count{0};
  };

  static void leave(std::atomic<std::int64_t>& present) {
    if (present.fetch_sub(1) == 1) present.notify_one();
  }
  void wait_for_readers_of(std::size_t side) {
    auto& present = present_[side].count;
    for (auto readers = present.load(); readers != 0; readers = present.load()) present.wait(readers);
  }

  std::optional<NotApplied> bring_up(std::size_t side, const std::vector<Event>& events,
                                     std::vector<State::Observation>& observed) {
    wait_for_readers_of(side);
    for (std::size_t i = 0; i < events.size(); ++i) {
      try {
        apply_event_(states_[side], events[i], &observed[i]);
      } catch (const std::bad_alloc&) {
        return NotApplied{i, true, "no memory"};
      } catch (const std::exception& thrown) {
        return NotApplied{i, false, thrown.what()};
      }
    }
    return std::nullopt;
  }

  /// False: there is no memory for it. It is tried again before the next batch.
  bool copy_to_spare() {
    const std::size_t shown = shown_.load(), spare = 1 - shown;
    spare_is_whole_ = false;
    wait_for_readers_of(spare);
    try {
      states_[spare] = State(options_);  // frees its memory first
      states_[spare] = states_[shown];
      names_[spare] = names_[shown];
      spare_is_whole_ = true;
    } catch (const std::bad_alloc&) {
    }
    return spare_is_whole_;
  }

  const Options options_;
  const ApplyEvent apply_event_;
  bool spare_is_whole_ = true;
  std::array<State, 2> states_;
  std::array<std::string, 2> names_;
  mutable std::array<Present, 2> present_;
  std::atomic<std::size_t> shown_{0};
  std::mutex writing_;
};

}  // namespace tideover::estimators
