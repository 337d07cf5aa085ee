// Compares predictions with a book's truth and with two neighbours: the oracle, and what a payer's mean would have said
// (computed here from the book, as of each claim's day). Bounds: core/docs/prediction.md#figures.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "tests/bench/claimsim/world/rows.hpp"

namespace tideover::claimsim {

struct Book {
  std::vector<ClaimRow> claims;
  std::vector<RemitRow> remits;
  std::vector<TruthRow> truth;
};
/// Throws BadFile unless the truth has the claims of the book in their order.
Book read_book(const std::filesystem::path& folder, const std::filesystem::path& truth);
/// Throws BadFile unless there is one prediction per claim, in order.
void check_order(const Book& book, const std::vector<PredictionRow>& predictions);

/// What predictions of claims [first, past) are worth.
struct Marks {
  double auroc = 0, auprc = 0, denial_ece = 0, denial_ece_chance = 0, brier = 0, precision = 0, recall = 0, mean_p = 0,
         spread_p = 0, predicted = 0;
  double wape = 0, within_1_percent = 0;  // allowed, of claims adjudicated clean
  double crps = 0, coverage = 0;          // days, given that the first response pays
  double confidence_ece = 0, confidence_ece_chance = 0;
  double loss = 0;  // per advanced dollar
};

/// Total of the oracle's advances over [first, past): every policy is scaled to it before its losses are counted.
double oracle_advances(const Book& book, std::size_t first, std::size_t past);
Marks marks_of(const Book& book, const std::vector<PredictionRow>& predictions, std::size_t first, std::size_t past);

/// Every claim as the mean of its payer, of what had been answered before its day.
std::vector<PredictionRow> payer_means(const Book& book);

/// One line of the printed table.
struct Mark {
  std::string name;
  double value = 0, oracle = 0, payer_mean = 0, chance = 0;
};
std::vector<Mark> score(const Book& book, const std::vector<PredictionRow>& predictions);
/// The table with must, aim and whether they are reached.
void print(const std::vector<Mark>& marks, std::ostream& out);

void write_marks(const std::vector<Mark>& marks, const std::filesystem::path& file);
std::vector<Mark> read_marks(const std::filesystem::path& file);
/// Line by line over runs of the same kind.
std::vector<Mark> medians(const std::vector<std::vector<Mark>>& runs);

}  // namespace tideover::claimsim
