// The shipped reader of CCD+ addenda through the host: variants of Nacha files and of tables.
#include "tests/plugins/deposit_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

BOOST_FIXTURE_TEST_SUITE(ccd_addenda, DepositReader)

BOOST_AUTO_TEST_CASE(ccd_addenda_are_read_from_nacha_records) {
  const Nacha nacha;
  Nacha north, wage, ctx, blank;
  north.company_id = "1512345678";
  wage.entry_class = "PPD";
  ctx.entry_class = "CTX";
  blank.company = "SOUTHERN SAMPLE ";  // cut to sixteen by its bank
  blank.company_id = "";
  const std::string trn = "TRN*1*000012345678*1512345678~";

  check(*this, "ccd_addenda",
        {
            {"one payment; the originator differs from the company",
             nacha.of({{22, 79'000, {trn}}}),
             "3 790.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n",
             {}},
            {"an alphanumeric trace and a backslash",
             nacha.of({{32, 79'000, {"TRN*1*EFT-26/A 7*1512345678\\"}}}),
             "3 790.00 2026-11-20 payer NORTH trace EFT-26/A 7 from 1512345678\n",
             {}},
            {"a supplement names the payer",
             nacha.of({{22, 79'000, {"TRN*1*A1*1999999999*000087001~"}}}),
             "3 790.00 2026-11-20 payer 87001 trace A1 from 1999999999\n",
             {}},
            {"no addenda: the company's id",
             north.of({{22, 79'000, {}}}),
             "3 790.00 2026-11-20 payer NORTH from 1512345678\n",
             {}},
            {"addenda without a trace",
             north.of({{22, 79'000, {"THANK YOU"}}}),
             "3 790.00 2026-11-20 payer NORTH from 1512345678\n",
             {}},
            {"an empty trace number",
             north.of({{22, 79'000, {"TRN*1**1512345678~"}}}),
             "3 790.00 2026-11-20 payer NORTH from 1512345678\n",
             {}},
            {"no id: the company's name, cut by its bank",
             blank.of({{22, 79'000, {}}}),
             "3 790.00 2026-11-20 payer 87001\n",
             {}},
            {"CTX with a trace over two addenda",
             ctx.of(
                 {{22, 79'000, {padded("ST*820*0001\\BPR*C*790\\", 72) + "TRN*1*AB", "CDEF*1512345678\\SE*4*0001\\"}}}),
             "3 790.00 2026-11-20 payer NORTH trace ABCDEF from 1512345678\n",
             {}},
            {"debits, prenotes and entries without money",
             nacha.of({{27, 500, {}}, {23, 0, {}}, {24, 0, {trn}}, {22, 0, {trn}}}),
             "3 ignored\n4 ignored\n5 ignored\n7 ignored\n",
             {"not a credit", "not move money"}},
            {"a wage is no payment of a payer", wage.of({{22, 79'000, {}}}), "3 ignored\n", {"CCD nor CTX"}},
            {"but a trace makes it one",
             wage.of({{22, 79'000, {trn}}}),
             "3 790.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n",
             {}},
            {"a return", nacha.of({{22, 79'000, {"R01"}, "99"}}), "3 ignored\n", {"return"}},
            {"a notification of change", nacha.of({{22, 79'000, {"C01"}, "98"}}), "3 ignored\n", {"notification"}},
        });
}

BOOST_AUTO_TEST_CASE(nacha_records_are_read_in_every_layout) {
  const Nacha nacha;
  Nacha undated;
  undated.effective = "      ";
  const std::string trn = "TRN*1*000012345678*1512345678~";

  const auto international = [&](const std::string& from, const std::string& to) {
    Nacha iat;
    iat.entry_class = "IAT";
    auto text = iat.of({{22, 79'000, {trn}}});
    return text.replace(text.find("261119"), 6, from + to);
  };
  auto on_one_line = nacha.of({{22, 79'000, {trn}}});
  std::erase(on_one_line, '\n');
  auto trimmed = nacha.of({{22, 79'000, {trn}}});
  for (auto at = trimmed.find(" \n"); at != std::string::npos; at = trimmed.find(" \n")) trimmed.erase(at, 1);

  check(*this, "ccd_addenda",
        {
            {"no effective date: the day of the file",
             undated.of({{22, 79'000, {trn}}}),
             "3 790.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n",
             {}},
            {"two entries",
             nacha.of({{22, 100, {trn}}, {22, 200, {"TRN*1*B*1512345678~"}}}),
             "3 1.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n5 2.00 2026-11-20 payer NORTH trace B "
             "from 1512345678\n",
             {}},
            {"counts that are wrong",
             replaced(nacha.of({{22, 79'000, {trn}}}), "8220000002", "8220000003"),
             "3 790.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n",
             {"line 5: the entry and addenda count of the batch is wrong"}},
            {"an international payment from another currency",
             international("CAD", "USD"),
             "3 refused\n",
             {"IAT", "CAD", "Only US dollars"}},
            {"an international payment to another currency",
             international("USD", "MXN"),
             "3 refused\n",
             {"IAT", "MXN", "Only US dollars"}},
            {"an international payment in US dollars with a trace",
             international("USD", "USD"),
             "3 790.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n",
             {}},
            {"all records on one line",
             on_one_line,
             "3 790.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n",
             {}},
            {"two records on a line",
             replaced(nacha.of({{22, 79'000, {trn}}}), "\n705", "705"),
             "3 790.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n",
             {}},
            {"trimmed and blank lines",
             trimmed + "\r\n\r\n\x1A",
             "3 790.00 2026-11-20 payer NORTH trace 000012345678 from 1512345678\n",
             {}},
            {"a trace without its end",
             nacha.of({{22, 79'000, {"TRN*1*T-1*1512345678"}}}),
             "3 790.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n",
             {"line 3", "no end"}},
        });
}

BOOST_AUTO_TEST_CASE(batches_without_the_file_around_them_are_read_with_a_warning) {
  auto text = Nacha().of({{22, 79'000, {"TRN*1*T-1*1512345678~"}}});
  text.erase(0, text.find('\n') + 1);
  text.erase(text.find("\n9") + 1);
  check(
      *this, "ccd_addenda",
      {{"a batch alone", text, "2 790.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n", {"may be incomplete"}}});
}

BOOST_AUTO_TEST_CASE(ccd_addenda_are_read_from_lines_of_text) {
  check(*this, "ccd_addenda",
        {
            {"a table",
             "date,amount,company_id,company_name,addenda\n2026-11-20,790.00,9999999999,UNLISTED,TRN*1*T-1*1512345678~"
             "\ntotal,1,790.00\n",
             "2 790.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n",
             {}},
            {"tabs, commas in the addenda and an effective date",
             "date\teffective_date\tamount\taddenda\n20261120\t2026-11-23\t790\tA, B, "
             "TRN*1*T,1*1512345678\\\ntotal\t1\t790\n",
             "2 790.00 2026-11-20 effective 2026-11-23 payer NORTH trace T,1 from 1512345678\n",
             {}},
            {"no trace",
             "date|amount|company_name|addenda\n2026-11-20|790.5|NSHP|\ntotal|1|790.50\n",
             "2 790.50 2026-11-20 payer NORTH\n",
             {}},
            {"a name that two payers go by",
             "date|amount|company_name|addenda\n2026-11-20|790.5|TWIN SAMPLE INSU|\ntotal|1|790.50\n",
             "2 790.50 2026-11-20 payer ?\n",
             {}},
            {"bad rows are refused one by one",
             "date;amount;addenda\n2026-11-20;=1+1;A\n2026-02-30;1.00;B\n2026-11-20;-5.00;C\n2026-11-20;0;D\n2026-11-"
             "20;7.125;E\n2026-11-20\n2026-11-20;1e3;F\n"
             "2026-11-20;99999999999999999999.99;G\n2026-11-20;1.00;H\n",
             "2 refused\n3 refused\n4 refused\n5 ignored\n6 refused\n7 refused\n8 refused\n9 refused\n10 1.00 "
             "2026-11-20 payer ?\n",
             {"The amount is not valid", "The date is not valid", "negative", "fewer columns", "above 99 999 999.99",
              "no total line"}},
            {"a count that is wrong",
             "date,amount,addenda\n2026-11-20,1.00,\ntotal,2,1.00\n",
             "2 1.00 2026-11-20 payer ?\n",
             {"line 3", "the table has 1"}},
            {"a total above which an amount cannot be read",
             "date,amount,addenda\n2026-11-20,1.00,\n2026-11-20,x,\ntotal,2,3.00\n",
             "2 1.00 2026-11-20 payer ?\n3 refused\n",
             {"line 4", "cannot be checked"}},
            {"a column of currencies",
             "date,amount,currency,addenda\n2026-11-20,1.00,USD,\n2026-11-20,2.00,cad,\n2026-11-20,4.00,,\ntotal,3,7."
             "00\n",
             "2 1.00 2026-11-20 payer ?\n3 refused\n4 4.00 2026-11-20 payer ?\n",
             {"not in US dollars"}},
        });
}

BOOST_AUTO_TEST_CASE(ccd_addenda_refuse_unreadable_text_with_the_line) {
  const auto good = Nacha().of({{22, 79'000, {"TRN*1*T-1*1512345678~"}}});
  const auto without = [&](const std::string& line) {
    auto text = good;
    const auto at = text.find(line);
    return text.erase(at, text.find('\n', at) - at + 1);
  };
  auto letters = good;
  letters.replace(letters.find("0000079000"), 10, "ABCDEFGHIJ");
  auto wrong_file = good;
  wrong_file.replace(wrong_file.rfind("000000079000"), 12, "000000079001");
  check_refused(
      *this, "ccd_addenda",
      {
          {"nothing", "", {"line 1", "empty"}},
          {"no table", "hello\nworld\n", {"line 1", "name the columns"}},
          {"unknown columns", "date,amount,patient,addenda\n", {"column 3", "company_id"}},
          {"addenda that are not last", "date,addenda,amount\n", {"addenda as its last"}},
          {"UTF-16",
           std::string("\xFF\xFE"
                       "1\0",
                       4),
           {"UTF-16"}},
          {"no batch header", without("5220"), {"line 2", "outside of a batch"}},
          {"no batch control", without("8220"), {"no control record (8)"}},
          {"no file control", without("9000001000001"), {"line 6", "before its filler"}},
          {"a line that is too short", good.substr(0, 150) + "\n", {"line 2", "94"}},
          {"a credit total that is wrong",
           Nacha().of({{22, 79'000, {}}}, 1),
           {"line 4", "the credit total of the batch (positions 33-44) is wrong", "79000"}},
          {"an entry hash that is wrong",
           replaced(good, "0007100001", "0007100002"),
           {"line 5", "entry hash of the batch"}},
          {"a file total that is wrong", wrong_file, {"line 6", "the credit total of the file (positions 44-55)"}},
          {"a table whose total is wrong",
           "date,amount,addenda\n2026-11-20,1.00,\ntotal,1,1.01\n",
           {"line 3", "100 cents"}},
          {"a line that is too long", good.substr(0, 94) + "X\n", {"line 2", "94"}},
          {"an amount of letters", letters, {"line 3", "the amount", "30-39"}},
          {"a record behind the end", good + good, {"line 8", "follows the file control"}},
      });
}

BOOST_AUTO_TEST_SUITE_END()
