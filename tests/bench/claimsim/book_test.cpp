// Books of both worlds: the same bytes from the same seed, 835s that balance, a truth that agrees with them, an oracle
// that is calibrated, and a scorer that gives the oracle full marks.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/domain/claims/npi.hpp"
#include "core/domain/claims/procedure_code.hpp"
#include "tests/bench/claimsim/generate.hpp"
#include "tests/bench/claimsim/metrics.hpp"
#include "tests/bench/claimsim/score.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::claimsim;
using tideover::testing::read_file;
using tideover::testing::TempFolder;
namespace data = boost::unit_test::data;

namespace {

struct Generated {
  explicit Generated(char world, std::uint64_t seed = 7, int claims = 4'000, bool random_labels = false) {
    std::ostringstream said;
    generate({world, seed, claims, random_labels, book(), truth()}, said);
    summary = said.str();
  }
  std::filesystem::path book() const { return folder.path() / "book"; }
  std::filesystem::path truth() const { return folder.path() / "truth.csv"; }
  std::string bytes() const {
    std::string all = read_file(truth());
    for (const char* file : {"payers.csv", "claims.csv", "remits.csv", "tables/ptp.csv", "tables/mue.csv",
                             "tables/addon.csv", "tables/pa_list.csv", "fees.csv", "tables/pfs.csv"})
      all += read_file(book() / file);
    return all;
  }
  TempFolder folder;
  std::string summary;
};

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}

struct RemitLine {
  std::string code;
  std::int64_t charge = 0, paid = 0, adjusted = 0;
  bool tells_allowed = false;
  std::int64_t allowed = 0;
  std::set<std::string> carcs;
};

struct Remit {
  std::string claim_id, responded, posted;
  int status = 0;
  std::int64_t charge = 0, paid = 0, adjusted = 0;
  std::vector<RemitLine> lines;
  std::set<std::string> carcs;  // claim level
};

/// group:carc:cents, separated by `by`.
std::int64_t sum_adjustments(const std::string& text, char by, std::set<std::string>& carcs) {
  std::int64_t sum = 0;
  for (const auto& adjustment : split(text, by)) {
    const auto parts = split(adjustment, ':');
    BOOST_REQUIRE_EQUAL(parts.size(), 3U);
    sum += std::stoll(parts[2]);
    carcs.insert(parts[1]);
  }
  return sum;
}

std::vector<Remit> remits_of(const std::filesystem::path& file) {
  std::vector<Remit> remits;
  std::ifstream in(file);
  std::string row;
  for (std::getline(in, row); std::getline(in, row);) {
    std::erase(row, '"');
    std::vector<std::string> fields;
    std::istringstream text(row);
    for (std::string field; fields.size() < 8 && std::getline(text, field, ',');) fields.push_back(field);
    std::string lines;
    std::getline(text, lines);
    Remit remit{fields[0], fields[1], fields[2], std::stoi(fields[3]), std::stoll(fields[4]), std::stoll(fields[5]),
                0,         {},        {}};
    remit.adjusted = sum_adjustments(fields[7], ';', remit.carcs);
    for (const auto& each : split(lines, ';')) {
      auto parts = split(each, '|');
      parts.resize(7);
      RemitLine line{parts[0], std::stoll(parts[3]), std::stoll(parts[5]),
                     0,        !parts[4].empty(),    parts[4].empty() ? 0 : std::stoll(parts[4]),
                     {}};
      line.adjusted = sum_adjustments(parts[6], ',', line.carcs);
      remit.lines.push_back(std::move(line));
    }
    remits.push_back(std::move(remit));
  }
  return remits;
}

/// Prediction page 4.1: nothing paid and nothing allowed.
bool is_denied(const RemitLine& line) {
  static const std::set<std::string> kNoDenial{"1", "2", "3", "45", "59", "253"};
  bool denying = false;
  for (const auto& carc : line.carcs) denying |= !kNoDenial.contains(carc);
  return line.paid == 0 && denying;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(claimsim_book)

BOOST_DATA_TEST_CASE(one_seed_gives_the_same_bytes_and_another_seed_others, data::make({'A', 'B'}), world) {
  const std::string once = Generated(world, 3, 1'000).bytes();
  BOOST_TEST((once == Generated(world, 3, 1'000).bytes()));
  BOOST_TEST((once != Generated(world, 4, 1'000).bytes()));
}

BOOST_AUTO_TEST_CASE(the_worlds_differ) {
  BOOST_TEST((Generated('A', 3, 500).bytes() != Generated('B', 3, 500).bytes()));
}

BOOST_DATA_TEST_CASE(every_remittance_balances_and_follows_its_claim, data::make({'A', 'B'}), world) {
  const Generated book(world);
  std::map<std::string, ClaimRow> claims;
  for (auto& claim : read_claims(book.book() / "claims.csv")) claims[claim.claim_id] = claim;
  BOOST_TEST(claims.size() == 4'000U);
  std::string last;
  const auto remits = remits_of(book.book() / "remits.csv");
  BOOST_TEST(remits.size() > 4'000U);
  for (const Remit& remit : remits) {
    BOOST_REQUIRE(claims.contains(remit.claim_id));
    BOOST_REQUIRE(remit.responded > tideover::domain::format_date(claims[remit.claim_id].submitted));
    BOOST_REQUIRE(remit.responded >= last);
    last = remit.responded;
    BOOST_REQUIRE(remit.posted.empty() == (remit.paid == 0));
    std::int64_t charge = 0, paid = 0;
    for (const RemitLine& line : remit.lines) {
      BOOST_REQUIRE_EQUAL(line.charge, line.paid + line.adjusted);
      BOOST_REQUIRE(tideover::domain::has_procedure_code_syntax(line.code));
      charge += line.charge, paid += line.paid;
    }
    if (remit.lines.empty())
      BOOST_REQUIRE_EQUAL(remit.charge, remit.paid + remit.adjusted);
    else
      BOOST_REQUIRE((remit.charge == charge && remit.paid == paid));
  }
}

BOOST_DATA_TEST_CASE(providers_are_valid_but_for_a_few_typing_errors, data::make({'A', 'B'}), world) {
  const Generated generated(world);
  std::ifstream in(generated.book() / "claims.csv");
  std::string row;
  int slips = 0, claims = 0;
  for (std::getline(in, row); std::getline(in, row); ++claims) {
    const auto fields = split(row, ',');
    BOOST_REQUIRE(tideover::domain::passes_npi_check(fields[4]));
    slips += !tideover::domain::passes_npi_check(fields[5]);
  }
  BOOST_TEST(slips > 0);
  BOOST_TEST(slips < claims / 100);
}

BOOST_DATA_TEST_CASE(the_truth_agrees_with_the_first_responses, data::make({'A', 'B'}), world) {
  const Generated generated(world);
  const Book book = read_book(generated.book(), generated.truth());
  std::map<std::string, Remit> first;
  for (auto& remit : remits_of(generated.book() / "remits.csv")) first.try_emplace(remit.claim_id, remit);
  int denied_claims = 0, silent = 0;
  for (const TruthRow& truth : book.truth) {
    const auto found = first.find(truth.claim_id);
    BOOST_REQUIRE_EQUAL(found == first.end(), !truth.denied.has_value());
    if (!truth.denied) {
      ++silent;
      BOOST_REQUIRE(!truth.first_posted);
      continue;
    }
    const Remit& remit = found->second;
    std::int64_t denied = 0, charge = 0, allowed = 0;
    for (const RemitLine& line : remit.lines)
      charge += line.charge, denied += is_denied(line) ? line.charge : 0, allowed += line.allowed;
    const bool whole = remit.lines.empty() && !remit.carcs.empty();
    BOOST_REQUIRE_EQUAL(*truth.denied, whole || 2 * denied >= charge);
    BOOST_REQUIRE_EQUAL(truth.clean, !whole && denied == 0);
    if (truth.clean && remit.lines.front().tells_allowed) BOOST_REQUIRE_EQUAL(truth.allowed, allowed);
    if (truth.paid_first) BOOST_REQUIRE_EQUAL(remit.posted, tideover::domain::format_date(*truth.first_posted));
    denied_claims += *truth.denied;
  }
  BOOST_TEST(denied_claims > 300);
  BOOST_TEST(denied_claims < 640);
  BOOST_TEST(silent > 5);
}

BOOST_DATA_TEST_CASE(the_oracle_is_calibrated_and_reaches_the_best_scores, data::make({'A', 'B'}), world) {
  const Generated generated(world, 11, 15'000);
  const Book book = read_book(generated.book(), generated.truth());
  std::vector<PredictionRow> oracle;
  for (const TruthRow& truth : book.truth) oracle.push_back(oracle_prediction(truth));
  const Marks marks = marks_of(book, oracle, 0, oracle.size());
  BOOST_TEST(marks.denial_ece < 2.5 * marks.denial_ece_chance);
  BOOST_TEST(marks.confidence_ece < 2.5 * marks.confidence_ece_chance);
  BOOST_TEST(marks.auroc > 0.85);
  BOOST_TEST(marks.auroc < 0.91);
  double cash = 0, expected = 0, days = 0, said_days = 0, paid = 0, in_time = 0, confidence = 0;
  for (const TruthRow& truth : book.truth) {
    confidence += truth.confidence, in_time += truth.first_posted && *truth.first_posted <= truth.date;
    cash += static_cast<double>(truth.cash_90), expected += static_cast<double>(truth.expected_cash_90);
    if (!truth.paid_first) continue;
    ++paid;
    for (const int day : truth.days) said_days += day / static_cast<double>(kLevels);
  }
  for (std::size_t i = 0; i < book.truth.size(); ++i)
    if (book.truth[i].paid_first) days += days_between(book.claims[i].submitted, *book.truth[i].first_posted);
  BOOST_TEST(expected / cash == 1.0, boost::test_tools::tolerance(0.03));
  BOOST_TEST(confidence / in_time == 1.0, boost::test_tools::tolerance(0.02));
  BOOST_TEST(said_days / paid == days / paid, boost::test_tools::tolerance(0.03));
  for (const Mark& mark : score(book, oracle))
    if (mark.oracle == mark.oracle) BOOST_TEST(mark.value == mark.oracle);
}

BOOST_AUTO_TEST_CASE(a_constant_prediction_discriminates_nothing_and_loses_more) {
  const Generated generated('A');
  const Book book = read_book(generated.book(), generated.truth());
  std::vector<PredictionRow> constant;
  for (const TruthRow& truth : book.truth) {
    constant.push_back(oracle_prediction(truth));
    constant.back().p_denial = 0.11, constant.back().risk = 0.11;
  }
  const Marks marks = marks_of(book, constant, 0, constant.size());
  BOOST_TEST(marks.auroc == 0.5);
  std::vector<PredictionRow> oracle;
  for (const TruthRow& truth : book.truth) oracle.push_back(oracle_prediction(truth));
  BOOST_TEST(marks.loss > 1.2 * marks_of(book, oracle, 0, oracle.size()).loss);
}

BOOST_AUTO_TEST_CASE(losses_are_compared_at_the_oracle_s_dollars) {
  const Generated generated('A');
  const Book book = read_book(generated.book(), generated.truth());
  std::vector<PredictionRow> oracle, doubled;
  for (const TruthRow& truth : book.truth) {
    oracle.push_back(oracle_prediction(truth));
    doubled.push_back(oracle.back());
    doubled.back().expected_if_paid *= 2;
  }
  BOOST_TEST(marks_of(book, doubled, 0, doubled.size()).loss == marks_of(book, oracle, 0, oracle.size()).loss,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(terms_are_compared_with_the_oracle_at_their_own_dollars) {
  const Generated generated('A');
  const Book book = read_book(generated.book(), generated.truth());
  std::vector<PredictionRow> all, some, none;
  for (const TruthRow& truth : book.truth) {
    none.push_back(oracle_prediction(truth));
    all.push_back(none.back());
    all.back().proposed_advance = std::max<std::int64_t>(0, truth.expected_if_paid * 85 / 100);
    some.push_back(all.back());
    if (some.size() % 2 == 0) some.back().proposed_advance = 0;
  }
  const auto mark = [&](const std::vector<PredictionRow>& predictions, const std::string& name) {
    for (const Mark& each : score(book, predictions))
      if (each.name == name) return each;
    return Mark{};
  };
  const auto whole = mark(all, "terms: loss per $"), half = mark(some, "terms: loss per $");
  BOOST_TEST(whole.value == whole.oracle, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(half.value > 1.2 * half.oracle);
  BOOST_TEST(mark(some, "terms: share approved").value == 0.5, boost::test_tools::tolerance(0.02));
  BOOST_TEST(mark(none, "terms: share approved").name == "");
}

BOOST_AUTO_TEST_CASE(random_labels_are_the_same_chance_for_all) {
  const Generated generated('A', 5, 4'000, true);
  const Book book = read_book(generated.book(), generated.truth());
  for (const TruthRow& truth : book.truth) BOOST_REQUIRE_EQUAL(truth.p_denial, book.truth.front().p_denial);
  std::vector<PredictionRow> oracle;
  for (const TruthRow& truth : book.truth) oracle.push_back(oracle_prediction(truth));
  const auto marks = score(book, oracle);
  BOOST_TEST(marks.front().name == "random: denial ECE");
  BOOST_TEST(marks.front().value < 0.02);
}

BOOST_AUTO_TEST_CASE(malformed_predictions_are_refused_with_their_line) {
  const TempFolder folder;
  PredictionRow prediction;
  prediction.claim_id = "K1", prediction.p_denial = 0.25;
  const std::string row = line_of(prediction);
  const auto complaint_about = [&](const std::string& text) -> std::string {
    try {
      read_predictions(folder.write("predictions.csv", text));
    } catch (const BadFile& bad) {
      return std::string(bad.what()).substr((folder.path() / "predictions.csv").string().size());
    }
    return "none";
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = row;
    return predictions_header() + changed.replace(changed.find(from), from.size(), to);
  };
  BOOST_TEST(complaint_about(predictions_header() + row) == "none");
  BOOST_TEST(!read_predictions(folder.write("bare.csv", predictions_header() + row)).front().proposed_advance);
  prediction.proposed_advance = 4711;
  BOOST_TEST(read_predictions(folder.write("terms.csv", predictions_header() + line_of(prediction)))
                 .front()
                 .proposed_advance.value_or(0) == 4711);
  BOOST_TEST(complaint_about(with("0.250000", "1.250000")) == ":2: '1.250000' is no probability");
  BOOST_TEST(complaint_about(with("0.250000", "nan")) == ":2: 'nan' is not finite");
  BOOST_TEST(complaint_about(with("1970-01-01", "1970-02-30")) == ":2: '1970-02-30' is no date");
  BOOST_TEST(complaint_about(with("0|0|0", "0|0")) == ":2: has 49 quantiles, not 50");
  BOOST_TEST(complaint_about(with("0|0|0", "0|7|0")) == ":2: has quantiles that fall");
  BOOST_TEST(complaint_about(row).starts_with(":1: the header must begin with claim_id,p_denial"));
}

BOOST_AUTO_TEST_CASE(predictions_must_follow_the_claims) {
  const Generated generated('A', 5, 600);
  const Book book = read_book(generated.book(), generated.truth());
  std::vector<PredictionRow> oracle;
  for (const TruthRow& truth : book.truth) oracle.push_back(oracle_prediction(truth));
  std::swap(oracle[3], oracle[4]);
  BOOST_CHECK_THROW(check_order(book, oracle), BadFile);
  std::swap(oracle[3], oracle[4]);
  BOOST_CHECK_NO_THROW(check_order(book, oracle));
  oracle.pop_back();
  BOOST_CHECK_THROW(check_order(book, oracle), BadFile);
}

BOOST_AUTO_TEST_SUITE_END()
