// The shipped import formats through the host: tables of files and what must come out.
#include "tests/plugins/import_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

const std::string kHeader =
    "claim_identifier,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount";

std::string sample(const std::string& name) {
  std::ifstream file(std::string(TIDEOVER_SOURCE_DIR "/tests/data/imports/") + name, std::ios::binary);
  BOOST_REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(csv, Formats)

BOOST_AUTO_TEST_CASE(a_row_becomes_the_fields_of_a_claim) {
  const auto found = rows("csv", kHeader + "\nC-1,CH-1,1234567893,1999999984,87726,1000.00\n");
  BOOST_REQUIRE(found.size() == 1);
  BOOST_TEST(found[0].line == 2);
  BOOST_TEST(found[0].fault == "");
  BOOST_TEST(value(found[0], "claim_identifier") == "C-1");
  BOOST_TEST(value(found[0], "submitted_amount") == "1000.00");
}

BOOST_AUTO_TEST_CASE(payments_of_other_payers_are_read_under_their_own_header_or_a_mapped_one) {
  const std::string cells = "\nC-1,CH-1,1234567893,1999999984,87726,1000.00,S,600.00,25.00,Y,N,N,N,N\n";
  const auto check = [&](const ports::ImportRow& row) {
    BOOST_TEST(row.fault == "");
    BOOST_TEST(value(row, "payer_sequence") == "S");
    BOOST_TEST(value(row, "paid_by_others") == "600.00");
    BOOST_TEST(value(row, "patient_paid") == "25.00");
    BOOST_TEST(value(row, "benefits_assigned") == "Y");
    for (const char* field : {"accepts_assignment", "is_encounter", "is_test", "pay_to_plan"})
      BOOST_TEST(value(row, field) == "N", field);
  };
  check(rows("csv", kHeader +
                        ",payer_sequence,paid_by_others,patient_paid,benefits_assigned,accepts_assignment,is_encounter,"
                        "is_test,pay_to_plan" +
                        cells)
            .at(0));
  check(rows("csv", kHeader + ",Resp,COB Paid,Copay,AOB,Accept,Capitated,Test,Subrogation" + cells,
             {{"payer_sequence", "Resp"},
              {"paid_by_others", "COB Paid"},
              {"patient_paid", "Copay"},
              {"benefits_assigned", "AOB"},
              {"accepts_assignment", "Accept"},
              {"is_encounter", "Capitated"},
              {"is_test", "Test"},
              {"pay_to_plan", "Subrogation"}})
            .at(0));
}

BOOST_AUTO_TEST_CASE(every_delimiter_line_end_and_chunk_size_gives_the_same) {
  for (const char delimiter : {',', ';', '\t', '|'})
    for (const std::string end : {"\n", "\r\n", "\r"})
      for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{65536}}) {
        std::string text =
            "\xEF\xBB\xBF" + kHeader + end + "\"a \"\"b\"\", c\",\"two\nlines\",3,4,5,6" + end + end + "x,y,z,1,2,3";
        std::size_t quoted = 0;
        for (char& c : text) {
          if (c == '"') ++quoted;
          if (c == ',' && quoted % 2 == 0) c = delimiter;
        }
        text += end;
        const auto found = rows("csv", text, {}, step);
        BOOST_REQUIRE(found.size() == 2);
        BOOST_TEST(value(found[0], "claim_identifier") == "a \"b\", c");
        BOOST_TEST(value(found[0], "chart_identifier") == "two\nlines");
        BOOST_TEST(value(found[1], "claim_identifier") == "x");
      }
}

BOOST_AUTO_TEST_CASE(consecutive_rows_of_one_claim_become_its_service_lines) {
  const auto found = rows("csv", sample("claims_flat.csv"));
  BOOST_REQUIRE(found.size() == 3);
  BOOST_TEST(value(found[0], "claim_identifier") == "IMP-1001");
  BOOST_TEST(value(found[0], "service_lines[0].cpt") == "99213");
  BOOST_TEST(value(found[0], "service_lines[1].cpt") == "87880");
  BOOST_TEST(value(found[0], "service_lines[1].modifier") == "QW");
  BOOST_TEST(value(found[0], "service_lines[2].cpt") == "(none)");
  BOOST_TEST(value(found[1], "service_lines[0].amount") == "250.00");
  BOOST_TEST(found[2].line == 5);
  BOOST_TEST(value(found[2], "service_lines[0].cpt") == "(none)");
}

BOOST_AUTO_TEST_CASE(nested_columns_name_their_service_line) {
  const auto found = rows("csv", kHeader + ",service_lines[0].cpt,service_lines[1].cpt\nC,CH,1,2,3,4,99213,\n");
  BOOST_TEST(value(found.at(0), "service_lines[0].cpt") == "99213");
  BOOST_TEST(value(found.at(0), "service_lines[1].cpt") == "(none)");
}

BOOST_AUTO_TEST_CASE(rows_of_one_claim_must_agree) {
  const auto found = rows("csv", kHeader + ",cpt\nC,CH,1,2,3,100,99213\nC,CH,1,2,3,200,99214\n");
  BOOST_REQUIRE(found.size() == 1);
  check_says(found[0].fault, {"different values", "submitted_amount"});
}

BOOST_AUTO_TEST_CASE(columns_that_are_no_field_of_the_service_are_not_read) {
  const auto found = rows(
      "csv", kHeader + ",line_no,Member Name,cpt\nC,CH,1,2,3,100,1,Some One,99213\nC,CH,1,2,3,100,2,Some One,99214\n");
  BOOST_REQUIRE(found.size() == 1);
  BOOST_TEST(found[0].fault == "");
  BOOST_TEST(value(found[0], "service_lines[1].cpt") == "99214");
  BOOST_TEST(found[0].fields.size() == 8);
}

BOOST_AUTO_TEST_CASE(a_claim_with_a_broken_row_inside_does_not_look_whole) {
  const auto found =
      rows("csv", kHeader + ",cpt\nC,CH,1,2,3,100,99213\nbroken\nC,CH,1,2,3,100,99214\nD,CH,1,2,3,100,1\n");
  BOOST_REQUIRE(found.size() == 3);
  check_says(found[0].fault, {"row 3", "may belong to this claim"});
  BOOST_TEST(found[0].line == 2);
  check_says(found[1].fault, {"1 cells", "header has 7"});
  BOOST_TEST(found[1].line == 3);
  BOOST_TEST(found[2].fault == "");
}

BOOST_AUTO_TEST_CASE(a_row_that_cannot_be_read_spoils_the_claim_it_may_belong_to) {
  const std::string identifier_first = kHeader + ",cpt,amount\n";
  const std::string identifier_second =
      "chart_identifier,claim_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount,cpt,"
      "amount\n";
  const auto line = [](const std::string& claim, const std::string& code) {
    return claim + ",c,1,2,3,30," + code + ",10\n";
  };
  const auto turned = [](const std::string& claim, const std::string& code) {
    return "c," + claim + ",1,2,3,30," + code + ",10\n";
  };
  struct Case {
    const char* what;
    std::string text;
    std::string verdicts;  // of the records in their order: g(ood), s(poiled) by a row, b(roken) row
  };
  const std::vector<Case> cases{
      {"short last line",
       identifier_first + line("T-1", "1") + line("T-2", "1") + "T-2,c,1,2,3,30\n" + line("T-3", "1"), "gsbg"},
      {"long last line", identifier_first + line("T-2", "1") + "T-2,c,1,2,3,30,1,10,10\n" + line("T-3", "1"), "sbg"},
      {"last line of the file", identifier_first + line("T-2", "1") + "T-2,c\n", "sb"},
      {"first line", identifier_first + line("T-1", "1") + "T-2,c,1,2,3\n" + line("T-2", "2") + line("T-3", "1"),
       "gbsg"},
      {"first line of the file", identifier_first + "T-2,c\n" + line("T-2", "2") + line("T-3", "1"), "bsg"},
      {"claim of one broken line", identifier_first + line("T-1", "1") + "T-2,c\n" + line("T-3", "1"), "gbg"},
      {"a line of no claim", identifier_first + line("T-1", "1") + "\"T-2,c\n" + line("T-3", "1") + line("T-4", "1"),
       "sbsg"},
      {"identifier that is no text",
       identifier_first + line("T-1", "1") + "T\xff-1,c,1,2,3,30,1,10\n" + line("T-3", "1"), "sbs"},
      {"text that is none in another cell",
       identifier_first + line("T-1", "1") + "T-2,\xff,1,2,3,30,1,10\n" + line("T-3", "1"), "gbg"},
      {"claims of several broken lines",
       identifier_first + line("T-1", "1") + "T-2,c\nT-3,c\n" + line("T-3", "1") + line("T-4", "1"), "gbbsg"},
      {"columns that moved",
       identifier_second + turned("T-1", "1") + "c,c,T-2,1,2,3,30,1,10\n" + turned("T-2", "2") + turned("T-3", "1"),
       "sbsg"},
      {"its own, though columns may have moved",
       identifier_second + turned("T-1", "1") + "c,T-1,1,2\n" + turned("T-2", "2"), "sbg"},
      {"two broken lines that name different claims",
       identifier_first + line("T-1", "1") + "T-2,c\nT-3,c\n" + line("T-4", "1") + line("T-5", "1"), "gbbgg"},
      {"the second of two broken lines names the next claim",
       identifier_first + line("T-1", "1") + "T-2,c\nT-3,c\n" + line("T-3", "2") + line("T-4", "1"), "gbbsg"},
      {"totals without a claim", identifier_first + line("T-1", "1") + ",120.00\n" + line("T-2", "1"), "gbg"},
      {"totals with a word", identifier_first + line("T-1", "1") + "Total,120.00\n" + line("T-2", "1"), "gbg"},
      {"several between", identifier_first + line("T-1", "1") + "T-1\nT-1,c\n" + line("T-1", "2") + line("T-2", "1"),
       "sbbg"}};
  for (const auto& [what, text, verdicts] : cases) {
    BOOST_TEST_CONTEXT(what) {
      std::string seen;
      std::int64_t reached = 1;
      for (const auto& row : rows("csv", text)) {
        BOOST_TEST(row.line > reached);  // in the order of the file
        reached = row.line;
        seen += row.fault.empty() ? 'g' : row.fault.find("may belong to this claim") != std::string::npos ? 's' : 'b';
      }
      BOOST_TEST(seen == verdicts);
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes_of_columns_that_are_not_read_spoil_no_row) {
  const auto found = rows("csv", kHeader +
                                     ",Patient "
                                     "Name,facility\nC-1,CH,1,2,3,100,MU\xD1OZ,North\nC-2,CH,1,2,3,100,SMITH,"
                                     "N\xF6rd\nC-3,CH,1,2,3,100,SMITH,N\xC3\xB6rd\n");
  BOOST_REQUIRE(found.size() == 3);
  BOOST_TEST(found[0].fault == "");
  check_says(found[1].fault, {"the cell of 'facility'", "not UTF-8", "byte 2"});
  BOOST_TEST(value(found[1], "claim_identifier") == "C-2");
  BOOST_TEST(value(found[2], "facility") == "N\xC3\xB6rd");
}

BOOST_AUTO_TEST_CASE(a_mapping_says_how_the_file_writes_text_dates_and_amounts) {
  const Pairs us{{"file.encoding", "windows-1252"},
                 {"file.dates", "MM/DD/YYYY"},
                 {"file.amounts", "us"},
                 {"submitted_amount", "Billed"}};
  const std::string header =
      "claim_identifier,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,Billed,date_of_service,"
      "facility\n";
  const auto row = [&](const std::string& amount, const std::string& date) {
    return header + "C-1,CH,1,2,3,\"" + amount + "\"," + date + ",St. Ren\xE9\x92s\n";
  };
  const struct {
    const char *amount, *date, *read_amount, *read_date;
  } cases[]{
      {"$1,250.00", "11/05/2026", "1250.00", "2026-11-05"},       {"1,250", "1/5/2026", "1250", "2026-01-05"},
      {"(95.00)", "11/05/2026 00:00:00", "-95.00", "2026-11-05"}, {"-$95.00", "11/5/2026", "-95.00", "2026-11-05"},
      {"$ 95", "2026-11-05 00:00", "95", "2026-11-05"},           {"1,25.00", "11/05/26", "1,25.00", "11/05/26"},
      {"1.250,00", "05.11.2026", "1.250,00", "05.11.2026"},       {"$", "11/05/20267", "$", "11/05/20267"}};
  for (const auto& one : cases) BOOST_TEST_CONTEXT(one.amount << " on " << one.date) {
      const auto found = rows("csv", row(one.amount, one.date), us);
      BOOST_REQUIRE(found.size() == 1);
      BOOST_TEST(found[0].fault == "");
      BOOST_TEST(value(found[0], "submitted_amount") == one.read_amount);
      BOOST_TEST(value(found[0], "date_of_service") == one.read_date);
      BOOST_TEST(value(found[0], "facility") == "St. Ren\xC3\xA9\xE2\x80\x99s");
    }
  const Pairs european{{"file.dates", "DD.MM.YYYY"}, {"file.amounts", "european"}, {"submitted_amount", "Billed"}};
  const auto found = rows("csv", header + "C-1,CH,1,2,3,\"1.250,50\",5.11.2026,X\n", european);
  BOOST_TEST(value(found.at(0), "submitted_amount") == "1250.50");
  BOOST_TEST(value(found.at(0), "date_of_service") == "2026-11-05");
  BOOST_TEST(value(rows("csv", header + "C-1,CH,1,2,3,1,20261105,X\n",
                        {{"file.dates", "YYYYMMDD"}, {"submitted_amount", "Billed"}})
                       .at(0),
                   "date_of_service") == "2026-11-05");
  BOOST_TEST(
      value(rows("csv", header + "C-1,CH,1,2,3,\"$1,250.00\",11/05/2026,X\n", {{"submitted_amount", "Billed"}}).at(0),
            "submitted_amount") == "$1,250.00");
}

BOOST_AUTO_TEST_CASE(formats_go_along_with_a_mapping_either_way_round_and_unknown_ones_are_refused) {
  const std::string file = kHeader + "\nC-1,CH,1,2,3,\"1,000.00\"\n";
  BOOST_TEST(value(rows("csv", file, {{"file.amounts", "us"}}).at(0), "submitted_amount") == "1000.00");
  const std::string paid = kHeader + ",paid_by_others,patient_paid\nC-1,CH,1,2,3,\"1,000.00\",\"$1,200.00\",$5.00\n";
  BOOST_TEST(value(rows("csv", paid, {{"file.amounts", "us"}}).at(0), "paid_by_others") == "1200.00");
  BOOST_TEST(value(rows("csv", paid, {{"file.amounts", "us"}}).at(0), "patient_paid") == "5.00");
  const std::string other =
      "Claim "
      "No,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount\nC-1,CH,1,2,3,\"1,000."
      "00\"\n";
  BOOST_TEST(value(rows("csv", other, {{"Claim No", "claim_identifier"}, {"file.amounts", "us"}}).at(0),
                   "submitted_amount") == "1000.00");
  const std::vector<std::tuple<std::string, std::string, std::string>> bad{{"file.amounts", "dollars", "european"},
                                                                           {"file.dates", "MM/DD/YY", "MM/DD/YYYY"},
                                                                           {"file.encoding", "ebcdic", "windows-1252"},
                                                                           {"file.separator", ";", "file.encoding"}};
  for (const auto& [name, text, says] : bad) {
    const auto error = refused("csv", file, {{name, text}});
    BOOST_TEST((error.code == domain::ErrorCode::validation_error));
    check_says(error.message, {name, says});
  }
  check_says(refused("ndjson", "{}\n", {{"file.amounts", "us"}}).message, {"file.amounts"});
}

BOOST_AUTO_TEST_CASE(titles_may_stand_above_the_header) {
  const std::string row = "C-1,CH,1,2,3,100\n";
  for (const std::string titles : {"Charges by claim,,,,,\nPrinted 11/24/2026,,,,,\n",
                                   "Charges by claim\n\n\"Printed\n11/24/2026\"\n", "A; B; C\n", "\"open\n"}) {
    const auto found = rows("csv", titles + kHeader + "\n" + row);
    BOOST_TEST_CONTEXT(titles) {
      BOOST_REQUIRE(found.size() == 1);
      BOOST_TEST(found[0].fault == "");
      BOOST_TEST(value(found[0], "claim_identifier") == "C-1");
    }
  }
  std::string far;
  for (int i = 0; i < 30; ++i) far += "title " + std::to_string(i) + "\n";
  check_says(refused("csv", far + kHeader + "\n" + row).message, {"required columns are missing", "claim_identifier"});
}

BOOST_AUTO_TEST_CASE(an_identifier_that_a_spreadsheet_has_shortened_is_refused) {
  for (const std::string shortened : {"2.12345E+11", "1E+05", "1.00e+05"}) {
    const auto found =
        rows("csv", kHeader + "\n" + shortened + ",CH,1,2,3,100\nC-2," + shortened + ",1,2,3,100\nC-3,CH,1,2,3,100\n");
    BOOST_REQUIRE(found.size() == 3);
    check_says(found[0].fault, {"'claim_identifier'", "spreadsheet has shortened"});
    check_says(found[1].fault, {"'chart_identifier'", "spreadsheet has shortened"});
    BOOST_TEST(found[2].fault == "");
  }
  const auto kept = rows("csv", kHeader + "\n'00012345,CH-E+1,1,2,3,100\n");
  BOOST_TEST(value(kept.at(0), "claim_identifier") == "00012345");
  BOOST_TEST(value(kept.at(0), "chart_identifier") == "CH-E+1");
}

BOOST_AUTO_TEST_CASE(a_broken_row_says_whose_it_is_where_that_is_known) {
  const auto found = rows("csv", kHeader + "\nC-1,b\n\"C-2,b,c,d,e,1\n");
  BOOST_REQUIRE(found.size() == 2);
  BOOST_TEST(value(found[0], "claim_identifier") == "C-1");
  BOOST_TEST(found[1].fields.empty());
}

BOOST_AUTO_TEST_CASE(a_claim_waits_for_its_end_behind_so_many_broken_rows_only) {
  std::string text = kHeader + ",cpt\nC,CH,1,2,3,100,99213\n";
  for (int i = 0; i < 5000; ++i) text += "C\n";
  const auto found = rows("csv", text + "C,CH,1,2,3,100,99213\nD,CH,1,2,3,100,99213\n");
  BOOST_REQUIRE(found.size() == 5003);
  BOOST_TEST(found[0].fault != "");
  BOOST_TEST(found[5001].fault != "");
  BOOST_TEST(found[5002].fault == "");
}

BOOST_AUTO_TEST_CASE(a_mapping_works_in_both_directions) {
  const std::string text = "Claim No;Chart;Rendering;Billing;Payer;Charge\n1;2;3;4;5;6\n";
  const Pairs forward{{"claim_identifier", "Claim No"},      {"chart_identifier", "Chart"},
                      {"servicer_npi", "Rendering"},         {"billing_npi", "Billing"},
                      {"patient_primary_payor_id", "Payer"}, {"submitted_amount", "Charge"}};
  Pairs inverted;
  for (const auto& [field, header] : forward) inverted.emplace_back(header, field);
  for (const auto& mapping : {forward, inverted}) {
    const auto found = rows("csv", text, mapping);
    BOOST_REQUIRE(found.size() == 1);
    BOOST_TEST(value(found[0], "submitted_amount") == "6");
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_mapping_lists_every_unknown_name) {
  const auto error = refused("csv", kHeader + "\n", {{"claim_identifier", "a"}, {"nope", "b"}, {"neither", "c"}});
  BOOST_TEST((error.code == domain::ErrorCode::validation_error));
  check_says(error.message, {"nope", "neither"});
  BOOST_REQUIRE(error.lists.size() == 1);
  BOOST_TEST(error.lists[0].first == "unknown");
  BOOST_TEST(error.lists[0].second.size() == 2U);
  BOOST_REQUIRE(error.fields.size() == 1);
  BOOST_TEST(error.fields[0].path == "mapping");
}

BOOST_AUTO_TEST_CASE(missing_required_columns_are_all_named) {
  const auto error = refused("csv", "claim_identifier,chart_identifier,servicer_npi\n1,2,3\n");
  BOOST_TEST((error.code == domain::ErrorCode::invalid_payload));
  check_says(error.message, {"billing_npi", "patient_primary_payor_id", "submitted_amount"});
  BOOST_TEST(error.message.find("servicer_npi") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_none_is_refused) {
  check_says(refused("csv", "").message, {"the file is empty"});
  check_says(refused("csv", "\n\n\n").message, {"no header row"});
  check_says(refused("csv", std::string("\xFF\xFE"
                                        "c\0",
                                        4))
                 .message,
             {"UTF-16"});
  check_says(refused("csv", kHeader + ",claim_identifier\n").message, {"two columns", "claim_identifier"});
  check_says(refused("csv", kHeader + ",cpt,service_lines[0].cpt\n").message, {"not both"});
}

BOOST_AUTO_TEST_CASE(a_broken_row_is_reported_with_its_line_and_reading_goes_on) {
  const std::string good = "ok,b,c,d,e,1\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"a,b\n", "2 cells"},
      {"a,b,c,d,e,f,g\n", "7 cells"},
      {"a\"b,c,d,e,f,g\n", "a quote is inside"},
      {"\"a\"b,c,d,e,f,g\n", "follows a closing quote"},
      {"\xC3\x28,b,c,d,e,f\n", "the cell of 'claim_identifier' is not UTF-8"},
      {"\xED\xA0\x80,b,c,d,e,f\n", "not UTF-8"},
      {std::string("a\0b,b,c,d,e,f\n", 14), "NUL"},
      {"\"never closed,b,c,d,e,f\n", "is not closed"},
      {std::string(1024 * 1024 + 2, 'x') + "\n", "longer than 1 MiB"}};
  for (const auto& [bad, fault] : cases) {
    const auto found = rows("csv", kHeader + "\n" + good + bad + good);
    BOOST_TEST_CONTEXT(fault) {
      BOOST_REQUIRE(found.size() == 3);
      BOOST_TEST(found[0].fault == "");
      check_says(found[1].fault, {fault});
      BOOST_TEST(found[1].line == 3);
      BOOST_TEST(found[2].fault == "");
      BOOST_TEST(found[2].line == 4);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_stray_quote_costs_its_own_line_and_no_other) {
  const auto row = [](const std::string& name, const std::string& facility = "e") {
    return name + ",b,c,d," + facility + ",1\n";
  };
  const auto lines_of = [&](const std::string& text) {
    std::string lines;
    for (const auto& found : rows("csv", kHeader + "\n" + text))
      lines += (lines.empty() ? "" : " ") + std::to_string(found.line) + (found.fault.empty() ? "" : "!");
    return lines;
  };
  // Closed far below by the quote that opens another cell, with text or with a delimiter behind it.
  BOOST_TEST(lines_of(row("1") + row("2", "\"e") + row("3") + row("4", "\"north\"") + row("5")) == "2 3! 4 5 6");
  BOOST_TEST(lines_of(row("1") + row("2", "\"e") + row("3") + row("4", "\"\"") + row("5")) == "2 3! 4 5 6");
  BOOST_TEST(lines_of(row("1") + "\"2,b,c,d,e,1\n" + row("3") + "4,b,c,d,e\",1\n" + row("5")) == "2 3! 4 5! 6");
  // A cell that does go over lines stays one.
  BOOST_TEST(lines_of(row("1") + row("2", "\"north\nwing\"") + row("3")) == "2 3 5");
  BOOST_TEST(lines_of(row("1") + row("2", "\"never closed") + row("3")) == "2 3! 4");
}

BOOST_AUTO_TEST_CASE(a_broken_stream_ends_with_its_own_reason) {
  TextSource source(kHeader + "\nC,CH,1,2,3,4\n", 1000, true);
  auto reader = host->imports().find("csv")->open(source, {});
  BOOST_REQUIRE(reader);
  ports::ImportRow row;
  auto more = (*reader)->next(row);
  while (more && *more) more = (*reader)->next(row);
  BOOST_REQUIRE(!more);
  BOOST_TEST((more.error().code == domain::ErrorCode::payload_too_large));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(ndjson, Formats)

BOOST_AUTO_TEST_CASE(objects_are_flattened_with_their_numbers_untouched) {
  const auto found = rows("ndjson", sample("claims.ndjson"));
  BOOST_REQUIRE(found.size() == 2);
  BOOST_TEST(value(found[0], "claim_identifier") == "IMP-2001");
  BOOST_TEST(value(found[0], "submitted_amount") == "1000.00");
  BOOST_TEST(value(found[0], "service_lines[1].cpt") == "87880");
  BOOST_TEST(value(found[0], "service_lines[1].units") == "1e0");
  BOOST_TEST(value(found[1], "facility") == "(none)");
  BOOST_TEST(value(found[1], "own.nested[0][1]") == "true");
  BOOST_TEST(found[1].line == 3);
}

BOOST_AUTO_TEST_CASE(payments_of_other_payers_are_read_by_their_own_name_or_a_mapped_one) {
  const auto row = rows("ndjson",
                        R"({"payer_sequence":"secondary","COB":600.00,"benefits_assigned":false,"is_encounter":null})"
                        "\n",
                        {{"paid_by_others", "COB"}})
                       .at(0);
  BOOST_TEST(value(row, "payer_sequence") == "secondary");
  BOOST_TEST(value(row, "paid_by_others") == "600.00");
  BOOST_TEST(value(row, "benefits_assigned") == "false");
  BOOST_TEST(value(row, "is_encounter") == "(none)");
}

BOOST_AUTO_TEST_CASE(a_mapping_renames_top_level_keys_only) {
  const auto found = rows("ndjson", "{\"Claim\":\"1\",\"x\":{\"Claim\":\"2\"}}\n", {{"claim_identifier", "Claim"}});
  BOOST_TEST(value(found.at(0), "claim_identifier") == "1");
  BOOST_TEST(value(found.at(0), "x.Claim") == "2");
}

BOOST_AUTO_TEST_CASE(a_broken_line_is_reported_and_reading_goes_on) {
  std::string deep = "{\"a\":";
  for (int i = 0; i < 40; ++i) deep += "[";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"{\"a\":1,}", "not valid JSON at column 8"},
      {"{\"a\":01}", "not valid JSON"},
      {"{\"a\":NaN}", "not valid JSON"},
      {"{\"a\":1} {}", "not valid JSON"},
      {"[1]", "not a JSON object"},
      {"7", "not a JSON object"},
      {"{\"a\":1,\"a\":2}", "is duplicate"},
      {"{\"a\":\"\\u0000\"}", "NUL"},
      {"{\"a\":\"\\ud800\"}", "not valid JSON"},
      {"{\"a\":\"\\udc00\"}", "a value contains half a surrogate pair"},
      {"{\"\\udc00\":1}", "a key contains half a surrogate pair"},
      {"{\"a\":\"\xFF\"}", "not UTF-8"},
      {deep, "deeper than 32"},
      {std::string("{\"a\":\"") + '\0' + "\"}", "NUL"},
      {"{\"a\":\"" + std::string(1024 * 1024, 'x') + "\"}", "longer than 1 MiB"}};
  for (const auto& [bad, fault] : cases)
    for (const std::size_t step : {std::size_t{333}, std::size_t{65536}}) {
      const auto found = rows("ndjson", "{\"a\":1}\r\n" + bad + "\n\n{\"a\":2}", {}, step);
      BOOST_TEST_CONTEXT(fault) {
        BOOST_REQUIRE(found.size() == 3);
        check_says(found[1].fault, {fault});
        BOOST_TEST(found[1].line == 2);
        BOOST_TEST(value(found[2], "a") == "2");
        BOOST_TEST(found[2].line == 4);
      }
    }
}

BOOST_AUTO_TEST_CASE(an_empty_file_is_refused) {
  check_says(refused("ndjson", "").message, {"the file is empty"});
}

BOOST_AUTO_TEST_SUITE_END()
