// What the shipped 835 reader makes of every file that a table in tests/data/x12_835 names: own variants of what payers
// send, and public samples where they are at hand. The tables are the expectation; a failure prints the row as it is.
#include <set>

#include "tests/plugins/remittance_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;
using domain::RemittanceDraft;

namespace {

const std::string kData = TIDEOVER_SOURCE_DIR "/tests/data/x12_835/";
const std::string kPublic = TIDEOVER_SOURCE_DIR "/../shared/data/x12_835/";

using Row = std::vector<std::string>;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" `"), last = text.find_last_not_of(" `");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// The rows of a Markdown table, without its head.
std::vector<Row> rows_of(const std::string& path, std::size_t columns) {
  std::vector<Row> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("| ", 0) != 0) continue;
    Row row;
    std::istringstream cells(line.substr(1));
    for (std::string cell; std::getline(cells, cell, '|');) row.push_back(trimmed(cell));
    BOOST_REQUIRE_MESSAGE(row.size() == columns, path << " has a row of another width: " << line);
    rows.push_back(std::move(row));
  }
  BOOST_REQUIRE_MESSAGE(rows.size() > 1, path << " holds no table");
  rows.erase(rows.begin());
  return rows;
}

template <class Items, class Text>
std::string joined(const Items& items, const std::string& separator, Text&& text_of) {
  std::string all;
  for (const auto& item : items) all += (all.empty() ? "" : separator) + text_of(item);
  return all;
}

std::string shown(const std::vector<domain::Adjustment>& adjustments) {
  if (adjustments.empty()) return "";
  return " {" +
         joined(adjustments, ", ",
                [](const auto& a) { return a.group + " " + a.code + " " + format_money(a.amount); }) +
         "}";
}

std::string shown(const domain::RemittanceLine& line) {
  const auto with = [](const std::string& procedure, const std::string& modifier) {
    return procedure + (modifier.empty() ? "" : ":" + modifier);
  };
  return " [" + with(line.cpt, line.modifier) +
         (line.submitted_cpt.empty() ? "" : " for " + with(line.submitted_cpt, line.submitted_modifier)) +
         (line.units.empty() ? "" : " x" + line.units) +
         (line.date_of_service ? " " + format_date(*line.date_of_service) : "") + " " +
         format_money(line.charge_amount) + " -> " + format_money(line.paid_amount) +
         (line.allowed_amount ? " allowed " + format_money(*line.allowed_amount) : "") + shown(line.adjustments) + "]";
}

std::string shown(const domain::RemittanceClaim& claim) {
  return claim.claim_identifier + " (" + claim.status + ")" +
         (claim.date_of_service ? " " + format_date(*claim.date_of_service) : "") + " " +
         format_money(claim.charge_amount) + " -> " + format_money(claim.paid_amount) +
         (claim.patient_responsibility && !claim.patient_responsibility->is_zero()
              ? " patient " + format_money(*claim.patient_responsibility)
              : "") +
         shown(claim.adjustments) + joined(claim.lines, "", [](const auto& line) { return shown(line); });
}

std::string shown(const domain::ProviderAdjustment& plb) {
  return "PLB " + plb.code + (plb.reference.empty() ? "" : ":" + plb.reference) + " " + format_money(plb.amount);
}

std::string shown(const RemittanceDraft& draft) {
  const auto claims = joined(draft.claims, "; ", [](const auto& claim) { return shown(claim); });
  const auto plbs = joined(draft.provider_adjustments, "; ", [](const auto& plb) { return shown(plb); });
  return claims + (claims.empty() || plbs.empty() ? "" : "; ") + plbs;
}

/// "80.00 - 0.00 - 75.00 = 5.00"
std::string balance_shown(const RemittanceDraft& draft) {
  const auto balance = domain::balance_of(draft);
  return format_money(balance.claims_total) + " - " + format_money(balance.provider_adjustments_total) + " - " +
         format_money(balance.payment_amount) + " = " + format_money(balance.difference);
}

/// Without their positions, which a table cannot say readably.
std::string warnings_shown(const std::vector<RemittanceDraft>& drafts) {
  return joined(drafts, " // ", [](const auto& draft) {
    const auto all = joined(draft.warnings, "; ",
                            [](const std::string& warning) { return warning.substr(0, warning.find(" (segment ")); });
    return all.empty() ? std::string("none") : all;
  });
}

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(x12_835_tables, RemittanceReader)

BOOST_AUTO_TEST_CASE(every_variant_is_read_balanced_and_warned_about_as_its_row_says) {
  auto unnamed = files_in(kData + "variants");
  std::size_t variants = 0;
  for (const auto& row : rows_of(kData + "variants.md", 5)) {
    const std::string file = row[0] + ".835";
    BOOST_TEST_CONTEXT(file) {
      BOOST_TEST(unnamed.erase(file) == 1u);
      const auto drafts = read(bytes_of(kData + "variants/" + file));
      BOOST_TEST(joined(drafts, " // ", [](const auto& draft) { return shown(draft); }) == row[2]);
      BOOST_TEST(joined(drafts, " // ", balance_shown) == row[3]);
      BOOST_TEST(warnings_shown(drafts) == row[4]);
      ++variants;
    }
  }
  for (const auto& row : rows_of(kData + "refused.md", 4)) {
    const std::string file = "refused_" + row[0] + ".835";
    BOOST_TEST_CONTEXT(file) {
      BOOST_TEST(unnamed.erase(file) == 1u);
      const auto path = kData + "variants/" + file;
      BOOST_REQUIRE(std::filesystem::exists(path));
      const auto error = refused(std::filesystem::file_size(path) == 0 ? "" : bytes_of(path));
      BOOST_TEST(error.message.substr(0, error.message.rfind(" (")) == row[2]);
      BOOST_TEST(joined(error.details, " ", [](const auto& detail) { return detail.second; }) == row[3]);
      ++variants;
    }
  }
  for (const auto& name : unnamed) BOOST_ERROR("no table names " << name);
  BOOST_TEST(variants >= 40u);
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_CASE(every_public_file_has_the_verdict_of_its_row) {
  auto unnamed = files_in(kPublic);
  for (const auto& row : rows_of(kData + "public_files.md", 6)) {
    if (unnamed.erase(row[0]) == 0) {
      BOOST_TEST_MESSAGE("skipped, not at hand: " << row[0]);
      continue;
    }
    BOOST_TEST_CONTEXT(row[0]) {
      const auto drafts = read(bytes_of(kPublic + row[0]));
      std::size_t claims = 0;
      bool balanced = true;
      for (const auto& draft : drafts) {
        claims += draft.claims.size();
        balanced = balanced && domain::balance_of(draft).balanced();
      }
      BOOST_TEST(std::to_string(drafts.size()) == row[1]);
      BOOST_TEST(std::to_string(claims) == row[2]);
      BOOST_TEST((balanced ? "yes" : "no") == row[3]);
      BOOST_TEST(joined(drafts, " // ", balance_shown) == row[4]);
      BOOST_TEST(warnings_shown(drafts) == row[5]);
    }
  }
  for (const auto& name : unnamed) BOOST_ERROR("no table names " << name);
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_SUITE_END()
