// Who takes part in a simulated book: payers, providers, charts and procedure codes, each with the hidden constants
// that the oracle knows. All of it is made up: identifiers are valid in form only, and a code's number says nothing
// about any real procedure.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "tests/bench/claimsim/world/delay.hpp"

namespace tideover::claimsim {

enum class PayerClass { commercial, medicare, medicaid, exchange, workers_comp };
const char* name_of(PayerClass payer_class);

/// What the patient pays, if the claim is adjudicated clean: one of these ways.
struct PatientShare {
  double deductible_all = 0;   // probability that nothing is left for the payer
  double deductible_half = 0;  // probability that half is
  double copay = 0;            // probability of a fixed sum
  std::int64_t copay_cents = 0;
  double coinsurance = 0;  // probability of a share
  double coinsurance_rate = 0;
};

/// How strictly a payer applies a rule: P(denied | broken).
struct Strictness {
  double npi, late, duplicate, bundled, units, addon, modifier, authorization, balance;
};

struct Payer {
  std::string id;
  PayerClass payer_class = PayerClass::commercial;
  int timely_filing_days = 180;
  domain::Date from;  // first day on which it gets claims
  double weight = 1;  // share of charts
  double mood = 0;    // logit of a denial, beside its class
  Strictness strict{};
  double silent = 0.005;
  double rework = 0.4;       // P(paid later | denied), before the reason is known
  double reversal = 0.008;   // P(money taken back | paid)
  Delay delay, later_delay;  // later_delay from `slower_from` on
  domain::Date slower_from;
  double rate = 1.3;  // × Medicare fee, or the share of charge that it pays
  bool pays_share_of_charge = false;
  int step_month = 1;                // prices change on the first of this month
  double step = 0.025;               // by this much on average
  bool reduces_multiple = true;      // second and further surgical lines are paid at one half
  double off_contract = 0.03;        // share of claims priced by some other contract
  bool status_4_on_denial = true;    // CLP02; others say 1
  bool states_allowed = true;        // in the 835; else it follows from charge and adjustments
  bool denies_whole_claims = false;  // with one adjustment of the claim and no lines, where the reason is the claim's
  int plan_year_month = 1;           // deductibles start again
};

enum class Kind { visit, procedure, surgery, imaging, laboratory, therapy, supply };

struct Code {
  std::string code;
  Kind kind = Kind::visit;
  int specialty = 0;
  double fee = 0;      // Medicare, cents
  int most_units = 1;  // per line
  double mood = 0;     // logit of a line denial
};

struct Provider {
  std::string npi;
  std::string facility;
  std::vector<std::string> servicers;
  int specialty = 0;
  double weight = 1;
  double charge_level = 2;  // charge ÷ Medicare fee
  int locality = 0;
  double mood = 0;            // logit of a denial
  double slow = 0;            // share of claims sent very late
  bool states_extras = true;  // diagnosis, place, authorization …
  bool states_service_date = true;
  std::vector<int> codes;  // what it bills, most frequent first
  std::vector<int> charts;
};

struct Chart {
  std::string id;
  int payer = 0, former_payer = -1;
  domain::Date changed;  // from then on `payer`, `former_payer` before
  const char* age_band = "";
  const char* sex = "";
};

/// Two codes that are not paid together: the second is denied.
struct Pair {
  int paid, bundled;
  bool modifier_allowed;
};

struct Population {
  std::vector<Payer> payers;
  std::vector<Provider> providers;
  std::vector<Chart> charts;
  std::vector<Code> codes;
  std::vector<Pair> pairs;
  std::vector<std::array<int, 2>> addons;  // add-on code, primary code
  std::vector<double> running_provider_weights;
};

/// Sizes and levels in which worlds differ.
struct Settings {
  domain::Date first;
  int days = 0;  // of submissions
  int payers = 60, new_payers = 8, providers = 700, charts = 30'000, codes_per_specialty = 30, specialties = 12;
  double payer_tail = 1.0;               // weight of the payer at rank r is 1 / (r + 2)^tail
  std::array<double, 5> class_shares{};  // by PayerClass
  double share_of_charge = 0;            // of payers that pay a share of the charge
  double twice_a_month = 0;              // of payers
  double midyear_plans = 0;              // of payers whose plan year begins in July
};

Population populate(const Settings& settings, std::uint64_t seed);

/// A hidden constant of two things, standard normal or uniform, always the same for the same seed.
double normal_of(std::uint64_t seed, std::uint64_t what, std::uint64_t a, std::uint64_t b = 0);
double uniform_of(std::uint64_t seed, std::uint64_t what, std::uint64_t a, std::uint64_t b = 0);

}  // namespace tideover::claimsim
