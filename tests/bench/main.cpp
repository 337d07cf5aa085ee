// bench [--runs N] [--seconds S] [P1 P2 ...]: measures the named figures, or all, and prints the table.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "tests/bench/figures.hpp"

namespace {

using namespace tideover::bench;

struct Spread {
  double median = 0, least = 0, most = 0;
};

template <class Value>
Spread spread(const std::vector<Figure::Run>& runs, Value value) {
  std::vector<double> values;
  for (const auto& run : runs) values.push_back(value(run));
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

void print_side(std::string_view name, const std::vector<Figure::Run>& runs, Sample Figure::Run::*side) {
  const auto of = [&](double Sample::*value) {
    return spread(runs, [&](const auto& run) { return run.*side.*value; }).median;
  };
  fmt::print("      {:<52} {:>8.0f}/s  {:>6.1f} us CPU", name, of(&Sample::rate), of(&Sample::cpu_us));
  if (of(&Sample::p50_ms) > 0) fmt::print("  p50 {:.2f} ms  p99 {:.2f} ms", of(&Sample::p50_ms), of(&Sample::p99_ms));
  if (of(&Sample::longest_ms) > 0) fmt::print("  longest {:.2f} ms", of(&Sample::longest_ms));
  if (of(&Sample::memory_mib) > 0) fmt::print("  {:.0f} MiB more", of(&Sample::memory_mib));
  fmt::print("\n");
}

void print(const Figure& figure, const std::vector<Figure::Run>& runs) {
  using By = Figure::By;
  const auto ratio = [](By by, const Figure::Run& run) {
    switch (by) {
      case By::rate:
        return run.subject.rate / run.control.rate;
      case By::cpu:
        return run.control.cpu_us / run.subject.cpu_us;
      case By::p50:
        return run.subject.p50_ms / run.control.p50_ms;
      case By::p99:
        return run.subject.p99_ms / run.control.p99_ms;
      case By::longest:
        return run.subject.longest_ms / run.control.longest_ms;
      case By::memory:
        return run.subject.memory_mib / run.control.memory_mib;
    }
    return 0.0;
  };
  constexpr std::string_view kNames[] = {"rate", "CPU", "p50", "p99", "longest wait", "memory"};
  const auto counts = spread(runs, [&](const auto& run) { return ratio(figure.by, run); });
  const bool is_cost =
      figure.by == By::p50 || figure.by == By::p99 || figure.by == By::longest || figure.by == By::memory;
  const auto meets = [&](double bound) { return is_cost ? counts.median <= bound : counts.median >= bound; };
  fmt::print("{:<4}  ratio {:.2f} ({:.2f} to {:.2f})  by {}", figure.name, counts.median, counts.least, counts.most,
             kNames[static_cast<int>(figure.by)]);
  for (const auto by : {By::rate, By::cpu})
    if (by != figure.by && runs.front().control.cpu_us > 0)
      fmt::print("; by {} {:.2f}", kNames[static_cast<int>(by)],
                 spread(runs, [&](const auto& run) { return ratio(by, run); }).median);
  fmt::print("   must {}{}  aim {}   {}\n", is_cost ? "at most " : "", figure.must, figure.aim,
             meets(figure.aim)    ? "aim reached"
             : meets(figure.must) ? "reached"
                                  : "MISSED");
  print_side(figure.subject, runs, &Figure::Run::subject);
  print_side(figure.control, runs, &Figure::Run::control);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) try {
  int runs = 5;
  Effort effort;
  std::vector<std::string> wanted;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--runs" && i + 1 < count)
      runs = std::max(1, std::atoi(arguments[++i]));
    else if (argument == "--seconds" && i + 1 < count)
      effort.duration = std::chrono::seconds(std::max(1, std::atoi(arguments[++i])));
    else
      wanted.emplace_back(argument);
  }
  const auto known = figures(effort);
  for (const auto& name : wanted) {
    if (std::any_of(known.begin(), known.end(), [&](const auto& figure) { return figure.name == name; })) continue;
    std::string names;
    for (const auto& figure : known)
      if (names.find(figure.name) == std::string::npos) names += ' ' + figure.name;
    fmt::print(stderr, "bench: there is no figure {}; give some of{}, or none for all\n", name, names);
    return 2;
  }
  for (const auto& figure : known) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), figure.name) == wanted.end()) continue;
    std::vector<Figure::Run> results;
    for (int i = 0; i < runs; ++i) results.push_back(figure.run());
    print(figure, results);
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bench: {}\n", error.what());
  return 1;
}
