// Decides which problems of a job are logged. A job finds the same problem in each of its rounds; it is logged once per
// subject and text, and again when the subject had another problem or none in the round before.
//
// Threads: use from one thread at a time.
#pragma once
#include <map>
#include <string>
#include <utility>

namespace tideover::jobs {

class ProblemRounds {
 public:
  void begin_round() { before_ = std::exchange(now_, {}); }
  /// Notes the problem of this round. True when it must be logged.
  bool is_new(const std::string& subject, const std::string& problem) {
    now_[subject] = problem;
    const auto known = before_.find(subject);
    return known == before_.end() || known->second != problem;
  }

 private:
  std::map<std::string, std::string> before_, now_;  // by subject
};

}  // namespace tideover::jobs
