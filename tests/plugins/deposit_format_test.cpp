// The shipped readers of bank files through the host: variants of BAI2 in tables, every byte of small files cut off,
// and the published files where they are at hand.
#include <chrono>
#include <filesystem>

#include "tests/plugins/deposit_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

const std::string kData = TIDEOVER_SOURCE_DIR "/../shared/data/";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(deposit_formats, DepositReader)

BOOST_AUTO_TEST_CASE(bai2_gives_each_credit_of_a_payer) {
  const Bai bai;
  check(*this, "bai2",
        {
            {"an ACH credit with its TRN in the text",
             bai.of({"16,142,79000,0,REF1,CUST1,ACH CREDIT\n88,TRN*1*T-1*1512345678~/"}, 79000),
             "4 790.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n",
             {}},
            {"a TRN broken over two continuations",
             bai.of({"16,142,79000,0,REF1,,ACH CREDIT TRN*1*0000\n88,12345*15123\n88,45678~"}, 79000),
             "4 790.00 2026-11-20 payer NORTH trace 000012345 from 1512345678\n",
             {}},
            {"an alphanumeric trace that ends with a backslash",
             bai.of({"16,165,79000,,REF1,,TRN*1*EFT-26/A.7*1512345678*000087001\\/"}, 79000),
             "4 790.00 2026-11-20 payer 87001 trace EFT-26/A.7 from 1512345678\n",
             {}},
            {"a TRN without its end",
             bai.of({"16,142,79000,0,REF1,,TRN*1*T-1*1512345678\n88,DESC DATE:261119"}, 79000),
             "4 790.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n",
             {"line 4", "no end (~)"}},
            {"no trace: the company's id",
             bai.of({"16,142,79000,0,REF1,,ORIG CO NAME:ABSENT  ORIG ID:1512345678 SEC:CCD EED:261123"}, 79000),
             "4 790.00 2026-11-20 effective 2026-11-23 payer NORTH from 1512345678\n",
             {}},
            {"no trace and no id: the company's name",
             bai.of({"16,142,79000,0,REF1,,ORIG CO NAME:SOUTHERN SAMPLE MUTUAL DESC DATE:261119"}, 79000),
             "4 790.00 2026-11-20 payer 87001\n",
             {}},
            {"a name cut to sixteen characters",
             bai.of({"16,142,79000,0,REF1,,ORIG CO NAME:SOUTHERN SAMPLE   SEC:CCD"}, 79000),
             "4 790.00 2026-11-20 payer 87001\n",
             {}},
            {"an unknown payer",
             bai.of({"16,142,79000,0,REF1,,TRN*1*T-1*1999999999~"}, 79000),
             "4 790.00 2026-11-20 payer ? trace T-1 from 1999999999\n",
             {}},
            {"the originator differs from the company",
             bai.of({"16,142,79000,0,REF1,,ORIG ID:1999999999 ADDENDA:TRN*1*T-1*1512345678~"}, 79000),
             "4 790.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n",
             {}},
            {"funds type S with its three amounts",
             bai.of({"16,115,79000,S,1000,38000,40000,REF1,CUST1,LOCKBOX"}, 79000),
             "4 790.00 2026-11-20 payer ?\n",
             {}},
            {"funds type V with its date",
             bai.of({"16,142,79000,V,261123,1200,REF1,CUST1,NSHP"}, 79000),
             "4 790.00 2026-11-20 effective 2026-11-23 payer ?\n",
             {}},
            {"funds type D with its distribution",
             bai.of({"16,142,79000,D,3,0,1000,1,38000,2,40000,REF1,CUST1,TRN*1*D-1*1512345678~"}, 79000),
             "4 790.00 2026-11-20 payer NORTH trace D-1 from 1512345678\n",
             {}},
            {"a distribution that goes on in the next line",
             bai.of({"16,142,79000,D,2,0,1000/\n88,1,78000,REF1,CUST1,TRN*1*D-2*1512345678~"}, 79000),
             "4 790.00 2026-11-20 payer NORTH trace D-2 from 1512345678\n",
             {}},
            {"text with commas and slashes",
             bai.of({"16,142,79000,0,REF1,CUST1,A, B / C, TRN*1*T,1*1512345678~/"}, 79000),
             "4 790.00 2026-11-20 payer NORTH trace T,1 from 1512345678\n",
             {}},
        });
}

BOOST_AUTO_TEST_CASE(bai2_says_why_an_entry_is_no_credit_of_a_payer) {
  const Bai bai;
  Bai canadian, unnamed, deletion, correction, test, undated;
  canadian.account = "03,0001234567,CAD,010,,,/";
  unnamed.group = "02,RECEIVER,BANK1,1,261120,0600,,2/";
  deletion.group = "02,RECEIVER,BANK1,2,261120,0600,USD,2/";
  correction.group = "02,RECEIVER,BANK1,3,261120,0600,USD,2/";
  test.group = "02,RECEIVER,BANK1,4,261120,0600,USD,2/";
  undated.group = "02,RECEIVER,BANK1,1,261399,0600,USD,2/";

  check(
      *this, "bai2",
      {
          {"debits, fees, summaries of items and zero",
           bai.of({"16,455,79000,0,,,DEBIT", "16,354,12,0,,,INTEREST", "16,143,79000,0,,,ITEM", "16,142,,0,,,NOTHING"},
                  158012),
           "4 ignored\n5 ignored\n6 ignored\n7 ignored\n",
           {"type code 455 is not a credit", "type code 354", "type_codes", "itemizes", "zero"}},
          {"any credit with a TRN counts",
           bai.of({"16,399,79000,0,,,TRN*1*T-1*1512345678~"}, 79000),
           "4 790.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n",
           {}},
          {"two credits that nothing tells apart are two",
           bai.of({"16,142,79000,0,,,NSHP", "16,142,79000,0,,,NSHP"}, 158000),
           "4 790.00 2026-11-20 payer ?\n5 790.00 2026-11-20 payer ?\n",
           {}},
          {"a negative credit", bai.of({"16,142,-79000,0,,,TAKEN BACK"}, -79000), "4 refused\n", {"negative", "bank"}},
          {"an enormous amount",
           bai.of({"16,142,99999999999999999999,0,,,"}, 1'000'000'000'000),
           "4 refused\n",
           {"above 99 999 999.99"}},
          {"the largest amount",
           bai.of({"16,142,9999999999,0,,,"}, 9'999'999'999),
           "4 99999999.99 2026-11-20 payer ?\n",
           {}},
          {"one cent too much",
           bai.of({"16,142,10000000000,0,,,"}, 10'000'000'000),
           "4 refused\n",
           {"above 99 999 999.99"}},
          {"an account in Canadian dollars",
           canadian.of({"16,142,79000,0,,,"}, 79000),
           "4 refused\n",
           {"not in US dollars"}},
          {"no currency is US dollars", unnamed.of({"16,142,79000,0,,,"}, 79000), "4 790.00 2026-11-20 payer ?\n", {}},
          {"a group that deletes", deletion.of({"16,142,79000,0,,,"}, 79000), "4 refused\n", {"status 2"}},
          {"a group that corrects",
           correction.of({"16,142,79000,0,,,"}, 79000),
           "4 790.00 2026-11-20 payer ?\n",
           {"line 2", "status 3"}},
          {"a test", test.of({"16,142,79000,0,,,"}, 79000), "4 ignored\n", {"status 4"}},
          {"a day that does not exist", undated.of({"16,142,79000,0,,,"}, 79000), "4 refused\n", {"no date"}},
          {"a trace number of 51 characters",
           bai.of({"16,142,79000,0,,,TRN*1*" + std::string(51, 'T') + "*1512345678~"}, 79000),
           "4 refused\n",
           {"longer than 50"}},
          {"other character sets",
           bai.of({"16,142,79000,0,,,\xE9\xE8 TRN*1*T\xE9*1512345678~"}, 79000),
           "4 790.00 2026-11-20 payer NORTH trace T? from 1512345678\n",
           {}},
          {"no transaction at all", bai.of({}, 0), "", {}},
      });
}

BOOST_AUTO_TEST_CASE(bai2_is_read_in_every_layout) {
  const Bai bai;
  Bai foreign_group, lower;
  foreign_group.group = "02,RECEIVER,BANK1,1,261120,0600,CAD,2/";
  lower.account = "03,0001234567,usd,010,,,/";

  check(
      *this, "bai2",
      {
          {"an account in small letters of US dollars",
           lower.of({"16,142,79000,0,,,"}, 79000),
           "4 790.00 2026-11-20 payer ?\n",
           {}},
          {"a group in Canadian dollars",
           foreign_group.of({"16,142,79000,0,,,"}, 79000),
           "4 refused\n",
           {"not in US dollars"}},
          {"a summary that goes on behind its type code",
           "01,B,R,261120,0700,1,,,2/\n02,R,B,1,261120,,,/\n03,1,,010,500,,,015/       "
           "\n88,700,,,100,300,1,,/\n16,142,100,0,,,/\n49,1600,4/\n98,1600,1,6/\n99,1600,1,8/\n",
           "5 1.00 2026-11-20 payer ?\n",
           {}},
          {"several records on one line",
           "01,B,R,261120,0700,1,,,2/02,R,B,1,261120,,,/03,1,,015,,,/\n16,142,100,0,R1,,A / B, "
           "TRN*1*T-1*1512345678~/16,142,200,0,,,/88,ORIG ID:1512345678/\n49,300,5/98,300,1,7/99,300,1,9/\n",
           "2 1.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n2 2.00 2026-11-20 payer NORTH from 1512345678\n",
           {}},
          {"a text that looks like the beginning of a record",
           bai.of({"16,142,79000,0,REF1,,PAID 11/16,2026 TRN*1*T-1*1512345678~/"}, 79000),
           "4 790.00 2026-11-20 payer NORTH trace T-1 from 1512345678\n",
           {}},
          {"a trailer without its total",
           "01,B,R,261120,0700,1,,,2/\n02,R,B,1,261120,,,/\n03,1,,/\n16,142,100,0,,,/\n49,,3/\n98,100,1,5/\n99,100,1,7/"
           "\n",
           "4 1.00 2026-11-20 payer ?\n",
           {"line 5: the trailer has no control total of the account"}},
          {"padding and Ctrl-Z behind the end",
           bai.of({"16,142,79000,0,,,"}, 79000) + std::string(40, '\0') + "\x1A",
           "4 790.00 2026-11-20 payer ?\n",
           {}},
          {"Windows line ends and a byte order mark",
           "\xEF\xBB\xBF"
           "01,B,R,261120,0700,1,,,2/\r\n02,R,B,1,261120,,,/\r\n03,1,,/\r\n16,142,100,0,,,NSHP/\r\n49,100,3/"
           "\r\n98,100,1,5/\r\n99,100,1,7/\r\n",
           "4 1.00 2026-11-20 payer ?\n",
           {}},
          {"several groups and accounts, each with its own day",
           "01,B,R,261120,0700,1,,,2/\n02,R,B,1,261119,,,/\n03,1,,/\n16,142,100,0,,,TRN*1*A*1512345678~/\n49,100,3/"
           "\n03,2,,/\n16,142,200,0,,,/\n49,200,3/\n98,300,2,8/\n"
           "02,R,B,1,261120,,EUR,/\n03,3,USD,/\n16,142,300,0,,,/\n49,300,3/\n03,4,,/\n16,142,400,0,,,/\n49,400,3/"
           "\n98,700,2,8/\n99,1000,2,18/\n",
           "4 1.00 2026-11-19 payer NORTH trace A from 1512345678\n7 2.00 2026-11-19 payer ?\n12 3.00 2026-11-20 payer "
           "?\n15 refused\n",
           {"US dollars"}},
          {"counts that are wrong",
           "01,B,R,261120,0700,1,,,2/\n02,R,B,1,261120,,,/\n03,1,,/\n16,142,100,0,,,/\n49,100,4/\n98,100,2,9/"
           "\n99,100,x,7/\n",
           "4 1.00 2026-11-20 payer ?\n",
           {"line 5: the trailer has another count of records; the file has 3",
            "line 6: the trailer has another count of accounts", "line 7"}},
      });
}

BOOST_AUTO_TEST_CASE(bai2_type_codes_are_a_setting) {
  const Bai bai;
  check(*this, "bai2_ach",
        {{"a lockbox is left out",
          bai.of({"16,115,79000,0,,,", "16,165,79000,0,,,"}, 158000),
          "4 ignored\n5 790.00 2026-11-20 payer ?\n",
          {"type code 115"}}});
  check_says(refusal({{shipped("deposit_format_bai2"), "deposit_format", "", {{"type_codes", "142;455"}}}}),
             {"type_codes", "100 to 399"});
}

BOOST_AUTO_TEST_CASE(bai2_refuses_unreadable_text_with_the_line) {
  const Bai bai;
  const auto good = bai.of({"16,142,79000,0,REF1,,NSHP"}, 79000);
  const auto without = [&](const std::string& line) {
    auto text = good;
    const auto at = text.find(line);
    BOOST_REQUIRE(at != std::string::npos);
    return text.erase(at, text.find('\n', at) - at + 1);
  };
  const std::string one = "01,B,R,261120,0700,1,,,2/\n02,R,B,1,261120,,,/\n03,1,,/\n16,142,100,0,,,/\n49,100,3/\n";
  const auto other_group = one + "98,101,1,5/\n99,101,1,7/\n", other_file = one + "98,100,1,5/\n99,101,1,7/\n";
  check_refused(
      *this, "bai2",
      {
          {"nothing", "\n", {"line 1", "empty"}},
          {"an 835", "ISA*00*          *00*", {"line 1", "not a BAI2"}},
          {"JSON", "{\"amount\": 1}\n", {"line 1", "not a BAI2"}},
          {"UTF-16",
           "\xFF\xFE"
           "0\0",
           {"UTF-16"}},
          {"a NUL byte", std::string("01,B,R,261120,0700,1,,,2/\n02,\0,/\n", 33), {"line 2", "NUL"}},
          {"no account", without("03,"), {"line 3", "outside of an account"}},
          {"no group", without("02,"), {"line 2", "outside of a group"}},
          {"no header", without("01,"), {"line 1", "outside of a file"}},
          {"no account trailer", without("49,"), {"line 5", "no trailer (49)"}},
          {"no group trailer", without("98,"), {"line 6", "no trailer (98)"}},
          {"no file trailer", without("99,"), {"line 6", "truncated"}},
          {"a continuation of nothing", "88,TEXT/\n", {"line 1", "88"}},
          {"an unknown record",
           "01,B,R,261120,0700,1,,,2/\n17,1/\n",
           {"line 2", "does not start with a BAI2 record code"}},
          {"an amount with a point", bai.of({"16,142,790.00,0,,,"}, 79000), {"line 4", "whole number of cents"}},
          {"a formula for an amount", bai.of({"16,142,=1+1,0,,,"}, 79000), {"line 4", "whole number of cents"}},
          {"a funds type that is none", bai.of({"16,142,79000,Q,,,"}, 79000), {"line 4", "funds type"}},
          {"a distribution without end", bai.of({"16,142,79000,D,100000000,0,1"}, 79000), {"line 4", "distributions"}},
          {"a value date that is none", bai.of({"16,142,79000,V,269999,,,"}, 79000), {"line 4", "value date"}},
          {"a control total of other amounts",
           bai.of({"16,142,79000,0,,,"}, 79001),
           {"line 5", "control total of the account is 79001 cents", "79000"}},
          {"a group total of other amounts", other_group, {"line 6", "control total of the group is 101 cents", "100"}},
          {"a file total of other amounts", other_file, {"line 7", "control total of the file is 101 cents", "100"}},
          {"a transaction that ran into the text of another",
           bai.of({"16,142,52000,0,,,PAID 16,142,58000,0,,,"}, 110000),
           {"line 5", "joined"}},
          {"a type code that is none", bai.of({"16,ACH,79000,0,,,"}, 79000), {"line 4", "type code"}},
      });
}

BOOST_AUTO_TEST_CASE(a_file_cut_at_any_byte_is_refused_or_gives_its_whole_deposits) {
  const auto bai = Bai().of({"16,142,79000,0,REF1,,TRN*1*T-1*1512345678~", "16,142,100,S,1,2,97,REF2,,NSHP"}, 79'100);
  const auto nacha = Nacha().of({{22, 79'000, {"TRN*1*T-1*1512345678~"}}, {22, 100, {}}});
  const std::string table =
      "date,amount,addenda\n2026-11-20,790.00,TRN*1*T-1*1512345678~\n2026-11-20,1.00,TRN*1*T-2*1512345678~\ntotal,2,"
      "791.00\n";
  const struct {
    const char* format;
    const std::string& whole;
    bool may_lose_lines;   // where the file says nothing about its end; then with a warning
    std::size_t harmless;  // cuts that are not refused: of the last line end, of filler, between two rows of a table
  } files[]{{"bai2", bai, false, 1}, {"ccd_addenda", nacha, false, 135}, {"ccd_addenda", table, true, 3}};
  for (const auto& file : files) {
    const auto all = shown(read(file.format, file.whole));
    std::size_t refused = 0;
    for (std::size_t size = 0; size < file.whole.size(); ++size) {
      const auto cut = parse(file.format, file.whole.substr(0, size));
      if (!cut) {
        ++refused;
        BOOST_TEST((cut.error().code == domain::ErrorCode::invalid_payload), cut.error().message);
        BOOST_TEST(cut.error().message.find("line ") != std::string::npos, cut.error().message);
        continue;
      }
      const auto left = shown(*cut);
      const bool marked = file.may_lose_lines && all.compare(0, left.size(), left) == 0 && !cut->warnings.empty();
      BOOST_TEST((left == all || marked), file.format << " cut at " << size << " gives\n" << left);
    }
    BOOST_TEST(refused == file.whole.size() - file.harmless);
  }
}

BOOST_AUTO_TEST_CASE(a_reference_stays_when_the_file_is_made_again) {
  const Bai bai;
  auto later = bai.of({"16,142,79000,0,REF1,,NSHP"}, 79'000);
  const auto first = read("bai2", later).items.at(0).reference;
  later.replace(later.find("261120,0700,1"), 13, "261121,0900,7");
  BOOST_TEST(read("bai2", later).items.at(0).reference == first);
  BOOST_TEST(read("bai2", bai.of({"16,142,79001,0,REF1,,NSHP"}, 79'001)).items.at(0).reference != first);
  for (const auto* other : {"16,165,79000,0,REF1,,NSHP", "16,142,79000,0,REF2,,NSHP", "16,142,79000,0,REF1,X,NSHP",
                            "16,142,79000,0,REF1,,NSHQ"})
    BOOST_TEST(read("bai2", bai.of({other}, 79'000)).items.at(0).reference != first);
}

BOOST_AUTO_TEST_CASE(more_transactions_than_one_request_may_post_are_refused) {
  const auto file = parse("bai2", Bai().of(std::vector<std::string>(10'001, "16,455,1,0,,,"), 10'001));
  BOOST_REQUIRE(!file);
  BOOST_TEST((file.error().code == domain::ErrorCode::payload_too_large));
}

BOOST_AUTO_TEST_CASE(files_made_to_be_slow_are_read_in_time) {
  std::string traces, continuations, header;
  while (traces.size() < (8 << 20)) traces += "TRN*1**";
  while (continuations.size() < (8 << 20)) continuations += "\n88,TRN*1*";
  while (header.size() < (8 << 20)) header += "date,";
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST(shown(read("bai2", Bai().of({"16,142,79000,0,,," + traces}, 79'000))) == "4 790.00 2026-11-20 payer ?\n");
  BOOST_TEST(shown(read("bai2", Bai().of({"16,142,79000,0,,," + continuations}, 79'000))) ==
             "4 790.00 2026-11-20 payer ?\n");
  BOOST_TEST(!parse("ccd_addenda", header + "\n"));
  BOOST_TEST(!parse("bai2", std::string(8 << 20, '1')));
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)));
}

BOOST_AUTO_TEST_CASE(no_change_of_a_few_bytes_does_more_than_fail) {
  const auto bai = Bai().of({"16,142,79000,D,2,0,1000/\n88,1,78000,REF1,CUST1,TRN*1*T-1*15123\n88,45678~",
                             "16,165,100,V,261120,1200,REF2,,ORIG ID:1512345678 EED:261120"},
                            79'100);
  const auto nacha = Nacha().of({{22, 79'000, {"TRN*1*T-1*1512345678~"}}, {22, 100, {}}});
  const std::string table = "date,amount,addenda\n2026-11-20,790.00,TRN*1*T-1*1512345678~\ntotal,1,790.00\n";
  const std::string bytes = "0123456789,/*~\\ \n\r-+SVDTRN|;\t\xFF=";
  std::mt19937 random(1);
  for (const auto& [format, whole] :
       {std::pair("bai2", bai), std::pair("ccd_addenda", nacha), std::pair("ccd_addenda", table)})
    for (int round = 0; round < 3'000; ++round) {
      std::string changed = whole;
      for (std::size_t i = 0, edits = 1 + random() % 4; i < edits; ++i) {
        const auto at = random() % changed.size();
        if (random() % 2 == 0)
          changed[at] = bytes[random() % bytes.size()];
        else
          changed.erase(at, 1 + random() % 5);
      }
      const auto file = parse(format, changed);
      BOOST_TEST_INFO(format << " round " << round);
      if (!file)
        BOOST_TEST_REQUIRE((file.error().code == domain::ErrorCode::invalid_payload), file.error().message);
      else
        for (const auto& item : file->items)
          if (item.kind == Kind::deposit) BOOST_TEST_REQUIRE(item.deposit.amount.cents() > 0);
    }
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_CASE(published_files_give_the_values_read_by_hand) {
  const struct {
    const char* format;
    const char* path;
    const char* gives;  // nullptr: nothing is a payment
    std::vector<std::string> says;
  } files[]{
      // Canadian: eleven lines, of which five are credits of any type (108) - no payer's.
      {"bai2", "bai2/sample1.txt", nullptr, {"type code 108", "type code 409"}},
      {"bai2",
       "bai2/sample2.txt",
       "5 4500.00 2004-06-20 payer ?\n10 5000.00 2004-06-20 payer ?\n16 ignored\n18 100000.00 2004-06-20 payer ?\n",
       {"type code 218"}},
      {"ccd_addenda", "ach/ccd-debit.ach", nullptr, {"not a credit"}},
      {"ccd_addenda", "ach/ctx-debit.ach", nullptr, {"not a credit"}},
      {"ccd_addenda", "ach/ppd-credit.ach", nullptr, {"CCD nor CTX"}},
      {"ccd_addenda", "ach/contested-return.ach", nullptr, {"return"}},
      {"ccd_addenda", "ach/dishonored-return.ach", nullptr, {"return"}},
      {"ccd_addenda", "ach/cor-read.ach", nullptr, {"notification of change"}},
  };
  for (const auto& file : files) BOOST_TEST_CONTEXT(file.path) {
      if (!std::filesystem::exists(kData + file.path)) {
        BOOST_TEST_MESSAGE("skipped: there is no file " << kData << file.path);
        continue;
      }
      std::ifstream in(kData + file.path, std::ios::binary);
      const auto read_file = read(file.format, {std::istreambuf_iterator<char>(in), {}});
      if (file.gives) {
        BOOST_TEST(shown(read_file) == file.gives);
      } else {
        BOOST_TEST(!read_file.items.empty());
        for (const auto& item : read_file.items) BOOST_TEST((item.kind == Kind::ignored), shown(read_file));
      }
      check_says(said(read_file), file.says);
    }
}

BOOST_AUTO_TEST_SUITE_END()
