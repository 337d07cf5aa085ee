// Work in a process of its own, which a crash point, a rail or a system call may kill. Fork from a single thread, or
// from one whose other threads share no lock with the work.
#pragma once
#include <sys/types.h>
#include <functional>
#include <map>
#include <string>

namespace tideover::fault {

using Environment = std::map<std::string, std::string>;

struct ChildEnd {
  bool killed = false;  // by SIGKILL
  std::string said;     // what `work` returned; empty when killed
};

/// Throws std::runtime_error when the child ends in any other way: a bug, or a deadline of two minutes.
ChildEnd run_in_child(const Environment& environment, const std::function<std::string()>& work);

/// The same in two steps: for a child that is stopped or traced meanwhile.
class Child {
 public:
  Child(const Environment& environment, const std::function<std::string()>& work,
        const std::function<void()>& before = {});
  ~Child();  // kills what is left
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  /// True when it stopped (SIGSTOP); false when it ended instead.
  bool wait_until_stopped();
  void resume();
  ChildEnd end();
  /// After another caller has waited for it: its output, and how it ended.
  ChildEnd end_with(int status);

 private:
  std::string read_all();

  pid_t pid_ = -1;
  int said_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace tideover::fault
