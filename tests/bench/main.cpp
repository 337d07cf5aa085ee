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
  const auto of = [&](double Sample::*value) { return spread(runs, [&](const auto& run) { return run.*side.*value; }).median; };
  fmt::print("      {:<52} {:>8.0f}/s  {:>6.1f} us CPU", name, of(&Sample::rate), of(&Sample::cpu_us));
  if (of(&Sample::p50_ms) > 0) fmt::print("  p50 {:.2f} ms  p99 {:.2f} ms", of(&Sample::p50_ms), of(&Sample::p99_ms));
  fmt::print("\n");
}

void print(const Figure& figure, const std::vector<Figure::Run>& runs) {
  const auto by_rate = spread(runs, [](const auto& run) { return run.subject.rate / run.control.rate; });
  const auto by_cpu = spread(runs, [](const auto& run) { return run.control.cpu_us / run.subject.cpu_us; });
  const auto& counts = figure.by_cpu ? by_cpu : by_rate;
  fmt::print("{:<4}  ratio {:.2f} ({:.2f} to {:.2f})  by {}; by {} {:.2f}   must {}  aim {}   {}\n", figure.name, counts.median,
             counts.least, counts.most, figure.by_cpu ? "CPU" : "rate", figure.by_cpu ? "rate" : "CPU",
             (figure.by_cpu ? by_rate : by_cpu).median, figure.must, figure.aim,
             counts.median >= figure.aim ? "aim reached" : counts.median >= figure.must ? "reached" : "MISSED");
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
    if (argument == "--runs" && i + 1 < count) runs = std::max(1, std::atoi(arguments[++i]));
    else if (argument == "--seconds" && i + 1 < count) effort.duration = std::chrono::seconds(std::max(1, std::atoi(arguments[++i])));
    else wanted.emplace_back(argument);
  }
  const auto known = figures(effort);
  for (const auto& name : wanted) {
    if (std::any_of(known.begin(), known.end(), [&](const auto& figure) { return figure.name == name; })) continue;
    fmt::print(stderr, "bench: there is no figure {}; give some of P1 P2 P3 P4 P15, or none for all\n", name);
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
