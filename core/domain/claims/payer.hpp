// A payer of the directory, and the base rates of its forecasts (core/docs/contract.md#lists-and-metadata).
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// The stored form of an id that the directory does not know: upper case, so that one payer has one text.
inline std::string plain_payer_id(std::string_view id) {
  std::string plain(id);
  for (char& c : plain)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return plain;
}

/// The base rates of a payer; the defaults are for an unknown one.
struct PayerRates {
  int denial_bps = 800;          // share of claims denied at first response
  int allowed_bps = 6500;        // allowed / billed charge
  int patient_share_bps = 1500;  // share of the allowed amount that the patient owes
  int median_days_to_pay = 21;   // submission to funds posted
  int p80_days_to_pay = 30;
};

struct Payer {
  std::string payer_id;
  std::string name;
  std::string short_name;
  std::vector<std::string> aliases;
  std::vector<std::pair<std::string, std::string>> identifiers;  // system -> id
  std::vector<std::string> ein;
  std::vector<std::string> coverage_types;  // medical | dental | vision
  std::vector<std::string> programs;
  std::vector<std::string> states;                                // two letters or NATIONAL
  std::vector<std::pair<std::string, std::string>> transactions;  // claim_837p -> supported | enrollment_required | ...
  int timely_filing_days = 365;
  bool supports_advance = true;
  std::string status = "active";  // active | inactive
  std::string updated_at;         // date-time text of the directory's own record
  PayerRates rates;
};

struct PayerMatch {
  Payer payer;
  int score_bps = 0;                // 10 000 = exact identifier
  std::vector<std::string> fields;  // which fields matched
};

struct PayerMatches {
  std::vector<PayerMatch> found;
  std::vector<std::string> warnings;  // not empty: a directory did not respond, so payers may be missing
};

}  // namespace tideover::domain
