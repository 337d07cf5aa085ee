// The files of a book as the scorer reads them: claims, remittances, the hidden truth, and predictions. Every reader
// throws BadFile with file, line and what is wrong. Amounts are cents.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "tests/bench/claimsim/world/levels.hpp"

namespace tideover::claimsim {

struct BadFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ClaimRow {
  std::string claim_id;
  domain::Date submitted;
  std::string payer_id;
  std::int64_t amount = 0;
};

struct RemitRow {
  std::string claim_id;
  domain::Date responded;
  std::optional<domain::Date> posted;
  int status = 0;  // CLP02
  std::int64_t charge = 0, allowed = 0, paid = 0;
};

/// What the generator knows and the product may not read.
struct TruthRow {
  std::string claim_id;
  double p_denial = 0;                       // given all that could be known at submission, if the payer answers
  std::optional<bool> denied;                // the label at the first response; none when the payer stayed silent
  std::int64_t allowed = 0;                  // had it been adjudicated clean
  bool clean = false;                        // answered without a denied line
  std::optional<domain::Date> first_posted;  // the first payment > 0
  bool paid_first = false;                   // the first response paid > 0
  QuantileDays days{};                       // oracle: submission to posting, given that the first response pays
  std::int64_t expected_cash_90 = 0;         // oracle
  std::int64_t cash_90 = 0;                  // payer's money of the first 90 days, net of what it took back
  std::int64_t oracle_allowed = 0;           // oracle: the contract's price
  std::int64_t expected_if_paid = 0;         // oracle: payer's money if adjudicated clean
  double risk = 0;                           // oracle: expected loss on an advance of 85 % of expected_if_paid
  domain::Date date;                         // oracle: 80 % of the days
  double confidence = 0;                     // oracle: P(first payment > 0 posted on or before `date`)
};

struct PredictionRow {
  std::string claim_id;
  double p_denial = 0;
  bool denied = false;
  std::int64_t allowed = 0, expected = 0, expected_if_paid = 0;
  double risk = 0;
  domain::Date date;
  double confidence = 0;
  QuantileDays days{};
  std::optional<std::int64_t> proposed_advance;  // by the terms, without an operator; 0 where they do not approve, none
                                                 // where no terms were asked for
};

std::vector<ClaimRow> read_claims(const std::filesystem::path& file);
std::vector<RemitRow> read_remits(const std::filesystem::path& file);
std::vector<TruthRow> read_truth(const std::filesystem::path& file);
std::vector<PredictionRow> read_predictions(const std::filesystem::path& file);

std::string truth_header();
std::string line_of(const TruthRow& row);
std::string predictions_header();
std::string line_of(const PredictionRow& row);

/// The oracle's own answers, as if it were the product.
PredictionRow oracle_prediction(const TruthRow& truth);

}  // namespace tideover::claimsim
