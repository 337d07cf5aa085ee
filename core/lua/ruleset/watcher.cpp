#include "core/lua/ruleset/watcher.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

namespace tideover::lua {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLongestDelay{2000};  // a folder that changes all the time is read after this delay

class Descriptor {
 public:
  Descriptor(int fd, const char* what) : fd_(fd) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), what);
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

void drain(int fd) {
  std::array<char, 4096> ignored;
  while (::read(fd, ignored.data(), ignored.size()) > 0) {
  }
}

int timeout_of(Steady::duration wait) {
  return static_cast<int>(std::max<std::int64_t>(0, std::chrono::ceil<milliseconds>(wait).count()));
}

}  // namespace

class Watcher::Body {
 public:
  explicit Body(WatcherOptions options)
      : options_(std::move(options)),
        changes_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC), "watching the rule folder"),
        wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "watching the rule folder") {
    watch_folders();
    wake();
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  void wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);  // fails only when already awake
  }

 private:
  /// Watching a folder twice has no effect, so this may run after every change to add new folders.
  void watch_folders() {
    constexpr std::uint32_t kEvents =
        IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF;
    for (const char* part : {"", "denial", "terms", "recourse", "lib", "cases", "tables"})
      ::inotify_add_watch(changes_.get(), (options_.folder / part).c_str(),
                          kEvents);  // a missing folder is found by the recheck
    if (const auto& official = options_.load.tables.folder; !official.empty())
      ::inotify_add_watch(changes_.get(), official.c_str(), kEvents);
  }

  void run(const std::stop_token& stop) {
    const std::stop_callback end_wait(stop, [this] { wake(); });
    while (!stop.stop_requested()) {
      wait_for_change();
      if (stop.stop_requested()) return;
      try {
        watch_folders();
        follow();
      } catch (const std::exception& problem) {
        if (options_.on_trouble) options_.on_trouble(problem.what());
      }
    }
  }

  /// Returns after a change and a quiet period, after check_now(), or when the recheck is due.
  void wait_for_change() {
    const auto recheck_at = Steady::now() + options_.recheck;
    auto until = recheck_at;
    auto latest = recheck_at;
    while (true) {
      std::array<pollfd, 2> waiting{{{changes_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
      const int ready = ::poll(waiting.data(), waiting.size(), timeout_of(until - Steady::now()));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return;
      if (waiting[1].revents != 0) {
        drain(wake_.get());
        return;
      }
      drain(changes_.get());
      const auto now = Steady::now();
      if (latest == recheck_at) latest = std::min(recheck_at, now + kLongestDelay);
      until = std::min(now + options_.quiet, latest);
    }
  }

  void follow() {
    const std::string digest = digest_of(options_.folder, options_.load.tables);
    if (!digest.empty() && digest == seen_) return;
    const LoadResult loaded = load_ruleset(options_.folder, options_.load);
    // An unreadable folder has no digest; its faults are compared instead.
    std::string seen = loaded.sha256;
    if (seen.empty())
      for (const auto& error : loaded.errors) seen += error.text() + "\n";
    if (seen != seen_ && options_.on_change(loaded)) seen_ = std::move(seen);
  }

  const WatcherOptions options_;
  Descriptor changes_;
  Descriptor wake_;
  std::string seen_;     // digest or faults of the last report; used by the watcher's thread only
  std::jthread thread_;  // last member: it uses the others
};

Watcher::Watcher(WatcherOptions options) : body_(std::make_unique<Body>(std::move(options))) {}
Watcher::~Watcher() = default;
void Watcher::check_now() {
  body_->wake();
}

}  // namespace tideover::lua
