// claimsim: books of made-up claims with known truth, and what predictions of them are worth. See README.md.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "tests/bench/claimsim/generate.hpp"
#include "tests/bench/claimsim/score.hpp"

namespace claimsim = tideover::claimsim;

int main(int argc, char** argv) {
  CLI::App app{"Simulated books of claims with known truth"};
  app.require_subcommand(1);

  claimsim::Request request;
  std::string world = "A", labels = "true";
  auto* generate = app.add_subcommand("generate", "write a book and its hidden truth");
  generate->add_option("--world", world)->check(CLI::IsMember({"A", "B"}));
  generate->add_option("--seed", request.seed);
  generate->add_option("--claims", request.claims)->check(CLI::Range(1, 10'000'000));
  generate->add_option("--labels", labels, "random: every claim is denied with the same probability")
      ->check(CLI::IsMember({"true", "random"}));
  generate->add_option("--out", request.book, "folder of the book")->required();
  generate->add_option("--truth", request.truth, "file outside of it")->required();

  std::filesystem::path book, truth, predictions, marks_file;
  auto* score = app.add_subcommand("score", "compare predictions with the truth");
  score->add_option("--book", book)->required();
  score->add_option("--truth", truth)->required();
  score->add_option("--predictions", predictions)->required();
  score->add_option("--marks", marks_file, "also write the marks, for `median`");

  auto* oracle = app.add_subcommand("oracle", "write the oracle's answers as predictions");
  oracle->add_option("--truth", truth)->required();
  oracle->add_option("--predictions", predictions)->required();

  std::vector<std::filesystem::path> runs;
  auto* median = app.add_subcommand("median", "print the medians of several runs' marks");
  median->add_option("runs", runs)->required();

  CLI11_PARSE(app, argc, argv);
  try {
    if (*generate) {
      request.world = world[0];
      request.random_labels = labels == "random";
      claimsim::generate(request, std::cout);
    } else if (*score) {
      const auto marks = claimsim::score(claimsim::read_book(book, truth), claimsim::read_predictions(predictions));
      claimsim::print(marks, std::cout);
      if (!marks_file.empty()) claimsim::write_marks(marks, marks_file);
    } else if (*oracle) {
      std::ofstream out(predictions, std::ios::binary);
      out << claimsim::predictions_header();
      for (const auto& row : claimsim::read_truth(truth)) out << claimsim::line_of(claimsim::oracle_prediction(row));
      if (!out.flush()) throw std::runtime_error(predictions.string() + ": cannot be written");
    } else {
      std::vector<std::vector<claimsim::Mark>> marks;
      for (const auto& run : runs) marks.push_back(claimsim::read_marks(run));
      claimsim::print(claimsim::medians(marks), std::cout);
    }
  } catch (const std::exception& error) {
    std::cerr << "claimsim: " << error.what() << '\n';
    return 1;
  }
}
