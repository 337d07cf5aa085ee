#include "tests/fault/driver/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace tideover::fault {
namespace {

constexpr unsigned kDeadlineSeconds = 120;
constexpr int kThrew = 3;

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t put = ::write(fd, text.data() + at, text.size() - at);
    if (put <= 0) return;
    at += static_cast<std::size_t>(put);
  }
}

}  // namespace

Child::Child(const Environment& environment, const std::function<std::string()>& work,
             const std::function<void()>& before) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("no fork");
  if (pid_ == 0) {
    ::close(ends[0]);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kThrew);
    for (const int caught : {SIGABRT, SIGSEGV, SIGFPE, SIGALRM, SIGTERM})
      ::signal(caught, SIG_DFL);  // Boost.Test catches them
    ::alarm(kDeadlineSeconds);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    try {
      if (before) before();
      write_all(ends[1], work());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      ::_exit(kThrew);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  said_ = ends[0];
}

Child::~Child() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(said_);
}

bool Child::wait_until_stopped() {
  if (::waitpid(pid_, &status_, WUNTRACED) != pid_) throw std::runtime_error("nothing to wait for");
  ended_ = !WIFSTOPPED(status_);
  return !ended_;
}

void Child::resume() {
  ::kill(pid_, SIGCONT);
}

std::string Child::read_all() {
  std::string text;
  char chunk[4096];
  for (ssize_t got; (got = ::read(said_, chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<std::size_t>(got));
  return text;
}

ChildEnd Child::end() {
  const std::string said = read_all();
  if (!ended_ && ::waitpid(pid_, &status_, 0) != pid_) throw std::runtime_error("nothing to wait for");
  ended_ = true;
  const bool killed = WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL;
  if (!killed && !(WIFEXITED(status_) && WEXITSTATUS(status_) == 0))
    throw std::runtime_error("a child ended in its own way, status " + std::to_string(status_));
  return {killed, killed ? std::string() : said};
}

ChildEnd Child::end_with(int status) {
  status_ = status;
  ended_ = true;
  return end();
}

ChildEnd run_in_child(const Environment& environment, const std::function<std::string()>& work) {
  return Child(environment, work).end();
}

}  // namespace tideover::fault
