// The shipped readers of bank files through the host, small files of both formats, and what a table of variants must
// give.
#pragma once
#include <algorithm>

#include "tests/plugins/world.hpp"

namespace tideover::plugin_test {

using domain::DepositFile;
using Kind = domain::DepositFileItem::Kind;

inline constexpr const char* kRates =
    R"("coverage_types":["medical"],"programs":["commercial"],"states":["NATIONAL"],)"
    R"("transactions":{"claim_837p":"supported"},)"
    R"("timely_filing_days":365,"supports_advance":true,"updated_at":"2026-11-20T00:00:00Z","denial_bps":0,)"
    R"("allowed_bps":8000,)"
    R"("patient_share_bps":0,"median_days_to_pay":14,"p80_days_to_pay":21})";

inline std::string directory() {
  return std::string(R"({"payer_id":"NORTH","name":"Northern Sample Health Plan","short_name":"Northern",)"
                     R"("aliases":["NSHP"],"ein":["512345678"],)") +
         kRates + "\n" +
         R"({"payer_id":"87001","name":"Southern Sample Mutual","short_name":"Southern","aliases":[],)" + kRates +
         "\n" + R"({"payer_id":"TWIN-A","name":"Twin Sample Insurance of A","short_name":"Twin A","aliases":[],)" +
         kRates + "\n" +
         R"({"payer_id":"TWIN-B","name":"Twin Sample Insurance of B","short_name":"Twin B","aliases":[],)" + kRates +
         "\n";
}

struct DepositReader : World {
  TempFolder folder;
  std::unique_ptr<plugin_host::PluginHost> host = load(
      {{shipped("payer_directory_file"), "payer_directory", "", {{"path", folder.file("payers.jsonl", directory())}}},
       {shipped("deposit_format_bai2"), "deposit_format", "", {}},
       {shipped("deposit_format_bai2"), "deposit_format", "bai2_ach", {{"type_codes", "142, 165"}}},
       {shipped("deposit_format_camt053"), "deposit_format", "", {}},
       {shipped("deposit_format_ccd_addenda"), "deposit_format", "", {}}});

  domain::Result<DepositFile> parse(const std::string& format, const std::string& bytes) {
    return host->deposits().find(format)->parse(bytes);
  }
  DepositFile read(const std::string& format, const std::string& bytes) {
    auto file = parse(format, bytes);
    if (!file) BOOST_FAIL(file.error().message);
    return std::move(*file);
  }
};

/// One line per item: what an operator would check.
inline std::string shown(const DepositFile& file) {
  std::string text;
  for (const auto& item : file.items) {
    text += std::to_string(item.line);
    const auto& d = item.deposit;
    if (item.kind == Kind::ignored) text += " ignored";
    if (item.kind == Kind::refused) text += " refused";
    if (item.kind == Kind::deposit) {
      text += " " + format_money(d.amount) + " " + format_date(d.received_date);
      if (d.effective_date && *d.effective_date != d.received_date)
        text += " effective " + format_date(*d.effective_date);
      text += " payer " + (d.payer_id.empty() ? "?" : d.payer_id);
      if (!d.trace_number.empty()) text += " trace " + d.trace_number;
      if (!d.originator.empty()) text += " from " + d.originator;
    }
    text += "\n";
  }
  return text;
}

inline std::string said(const DepositFile& file) {
  std::string text;
  for (const auto& item : file.items) text += item.reason + "\n";
  for (const auto& warning : file.warnings)
    text += "line " + std::to_string(warning.line) + ": " + warning.message + "\n";
  return text;
}

/// A variant, what it gives, and what is said about it: every part of `says`, or nothing at all where there is none.
struct Variant {
  const char* name;
  std::string file;
  std::string gives;
  std::vector<std::string> says;
};

inline void check(DepositReader& reader, const char* format, const std::vector<Variant>& variants) {
  for (const auto& variant : variants) BOOST_TEST_CONTEXT(variant.name) {
      const auto file = reader.parse(format, variant.file);
      BOOST_TEST_REQUIRE(bool(file), (file ? "" : file.error().message));
      BOOST_TEST(shown(*file) == variant.gives);
      if (variant.says.empty()) BOOST_TEST(said(*file).find_first_not_of('\n') == std::string::npos, said(*file));
      check_says(said(*file), variant.says);
    }
}

/// What is refused whole, and how that is said.
struct Refused {
  const char* name;
  std::string file;
  std::vector<std::string> says;
};

inline void check_refused(DepositReader& reader, const char* format, const std::vector<Refused>& variants) {
  for (const auto& variant : variants) BOOST_TEST_CONTEXT(variant.name) {
      const auto file = reader.parse(format, variant.file);
      BOOST_TEST_REQUIRE(!file);
      BOOST_TEST((file.error().code == domain::ErrorCode::invalid_payload), file.error().message);
      check_says(file.error().message, variant.says);
    }
}

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, what);
  return text.replace(at, what.size(), with);
}

inline std::string padded(std::string text, std::size_t width) {
  text.resize(width, ' ');
  return text;
}
inline std::string digits(std::int64_t number, std::size_t width) {
  const auto text = std::to_string(number);
  return std::string(width > text.size() ? width - text.size() : 0, '0') + text;
}

/// A BAI2 file of one group and one account around transactions, with totals that fit.
struct Bai {
  std::string group = "02,RECEIVER,BANK1,1,261120,0600,USD,2/";
  std::string account = "03,0001234567,,010,,,/";

  std::string of(const std::vector<std::string>& records, std::int64_t total) const {
    std::string text = "01,BANK1,RECEIVER,261120,0700,1,,,2/\n" + group + "\n" + account + "\n";
    std::size_t lines = 1;
    for (const auto& record : records) {
      text += record + "\n";
      lines += 1 + static_cast<std::size_t>(std::count(record.begin(), record.end(), '\n'));
    }
    return text + "49," + std::to_string(total) + "," + std::to_string(lines + 1) + "/\n98," + std::to_string(total) +
           ",1," + std::to_string(lines + 3) + "/\n99," + std::to_string(total) + ",1," + std::to_string(lines + 5) +
           "/\n";
  }
};

/// A Nacha file of one batch.
struct Nacha {
  std::string company = "NORTHERN SAMPLE ";
  std::string company_id = "9999999999";
  std::string entry_class = "CCD";
  std::string effective = "261120";
  struct Entry {
    int code = 22;
    std::int64_t cents = 0;
    std::vector<std::string> addenda;
    std::string addenda_type = "05";
  };

  std::string of(const std::vector<Entry>& entries, std::int64_t credit_off = 0) const {
    std::string text = "101 091000019 1234567802611200700A094101" + padded("SAMPLE BANK", 23) +
                       padded("SAMPLE ORIGIN", 23) + "        \n";
    std::string batch = "5220" + padded(company, 16) + padded("", 20) + padded(company_id, 10) +
                        padded(entry_class, 3) + "HCCLAIMPMT" + "261119" + effective + "   1" + "09100001" + "0000001";
    text += batch + "\n";
    std::int64_t records = 0, debit = 0, credit = credit_off, hash = 0;
    for (const auto& entry : entries) {
      ++records;
      hash += 7'100'001;
      (entry.code % 10 >= 5 ? debit : credit) += entry.cents;
      text += "6" + digits(entry.code, 2) + "071000013" + padded("12345", 17) + digits(entry.cents, 10) +
              padded("ID", 15) + padded("SAMPLE PROVIDER", 22) + "  " + (entry.addenda.empty() ? "0" : "1") +
              "09100001" + digits(records, 7) + "\n";
      int sequence = 0;
      const auto entry_sequence = records;
      for (const auto& line : entry.addenda) {
        ++records;
        text += "7" + entry.addenda_type + padded(line, 80) + digits(++sequence, 4) + digits(entry_sequence, 7) + "\n";
      }
    }
    const auto sums = digits(records, 6) + digits(hash, 10) + digits(debit, 12) + digits(credit, 12);
    text += "8220" + sums + padded(company_id, 10) + padded("", 25) + "09100001" + "0000001\n";
    text += "9000001000001" + digits(records, 8) + digits(hash, 10) + digits(debit, 12) + digits(credit, 12) +
            padded("", 39) + "\n";
    return text + std::string(94, '9') + "\n";
  }
};

}  // namespace tideover::plugin_test
