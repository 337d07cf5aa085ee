// The figures of the benchmark: what is measured against what.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/servers.hpp"

namespace tideover::bench {

struct Figure {
  std::string name;        // "P1"
  std::string subject;     // what is measured
  std::string control;     // against what
  double must = 0, aim = 0;
  bool by_cpu = false;     // the ratio that counts is the control's CPU per request ÷ ours, not the rate
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
