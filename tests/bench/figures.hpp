// The figures of the benchmark: what is measured against what.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/servers.hpp"

namespace tideover::bench {

struct Figure {
  std::string name;     // "P1"
  std::string subject;  // what is measured
  std::string control;  // against what
  double must = 0, aim = 0;
  /// Which ratio counts, and must be reached: our rate ÷ the control's, or the control's CPU per request ÷ ours; or
  /// must not be passed: our p50, p99, longest wait or memory ÷ the control's.
  enum class By { rate, cpu, p50, p99, longest, memory } by = By::rate;
  struct Run {
    Sample subject, control;
  };
  std::function<Run()> run;  // subject and control, one after the other
};

struct Effort {
  std::chrono::milliseconds duration{5000};  // of one measurement
};

std::vector<Figure> figures(const Effort& effort);

}  // namespace tideover::bench
