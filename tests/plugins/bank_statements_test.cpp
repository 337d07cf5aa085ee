// Statements with balances and every movement: BAI2 and camt.053, what is no statement, and what is refused.
#include <chrono>

#include "api/plugin/tideover/deposit_format.hpp"
#include "tests/plugins/deposit_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

std::string money_text(const std::optional<domain::Money>& amount) {
  return amount ? format_money(*amount) : "-";
}

/// A line per statement, then one per movement.
std::string statements_of(const DepositFile& file) {
  std::string text;
  for (const auto& statement : file.statements) {
    text += statement.account + ' ' + format_date(statement.date) + ' ' + money_text(statement.opening) + " > " +
            money_text(statement.closing) + " sums " + money_text(statement.credit_sum) + ' ' +
            money_text(statement.debit_sum) + " counts " +
            (statement.credit_count ? std::to_string(*statement.credit_count) : "-") + ' ' +
            (statement.debit_count ? std::to_string(*statement.debit_count) : "-") +
            (statement.reason.empty() ? "" : " refused") + '\n';
    for (const auto& line : statement.lines) {
      text += std::to_string(line.line) + (line.is_debit ? " debit " : " credit ") + format_money(line.amount) + ' ' +
              format_date(line.date) + ' ' + line.type_code;
      for (const auto& reference : line.references) text += " <" + reference + '>';
      if (line.item) text += " item " + std::to_string(*line.item);
      text += '\n';
    }
  }
  return text;
}

void check_statements(DepositReader& reader, const char* format, const std::vector<Variant>& variants) {
  for (const auto& variant : variants) BOOST_TEST_CONTEXT(variant.name) {
      const auto file = reader.parse(format, variant.file);
      BOOST_TEST_REQUIRE(bool(file), (file ? "" : file.error().message));
      BOOST_TEST(statements_of(*file) == variant.gives);
      check_says(said(*file), variant.says);
    }
}

Bai with_balances(const std::string& summary = ",010,100000,,,015,174000,,") {
  Bai bai;
  bai.account = "03,0001234567," + summary + "/";
  return bai;
}

/// A camt.053 file around the contents of one statement.
std::string camt(const std::string& contents, const std::string& version = "08") {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001." +
         version + "\"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr>" + contents + "</BkToCstmrStmt></Document>\n";
}
std::string balance(const std::string& code, const std::string& amount, const std::string& direction = "CRDT",
                    const std::string& day = "2026-11-20") {
  return "<Bal><Tp><CdOrPrtry><Cd>" + code + "</Cd></CdOrPrtry></Tp><Amt Ccy=\"USD\">" + amount + "</Amt><CdtDbtInd>" +
         direction + "</CdtDbtInd><Dt><Dt>" + day + "</Dt></Dt></Bal>";
}
std::string stmt(const std::string& entries,
                 const std::string& balances = balance("OPBD", "1000.00") + balance("CLBD", "1740.00")) {
  return "<Stmt><Id>S1</Id><Acct><Id><IBAN>US00 1234 5678</IBAN></Id><Ccy>USD</Ccy></Acct>" + balances + entries +
         "</Stmt>";
}
std::string entry(const std::string& amount, const std::string& direction, const std::string& details,
                  const std::string& family = "RCDT", const std::string& more = "") {
  return "\n<Ntry><NtryRef>N1</NtryRef><Amt Ccy=\"USD\">" + amount + "</Amt><CdtDbtInd>" + direction + "</CdtDbtInd>" +
         more +
         "<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-23</Dt></ValDt>"
         "<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>" +
         family +
         "</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>"
         "<NtryDtls>" +
         details + "</NtryDtls></Ntry>";
}
std::string detail(const std::string& amount, const std::string& end_to_end, const std::string& remittance) {
  return "<TxDtls><Refs><EndToEndId>" + end_to_end + "</EndToEndId></Refs>" +
         (amount.empty() ? "" : "<Amt Ccy=\"USD\">" + amount + "</Amt>") +
         "<RltdPties><Dbtr><Pty><Nm>Sample &amp; Co"
         "</Nm><Id><OrgId><Othr><Id>1512345678</Id></Othr></OrgId></Id></Pty></Dbtr></RltdPties><RmtInf><Ustrd>" +
         remittance + "</Ustrd></RmtInf></TxDtls>";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bank_statement_files, DepositReader)

BOOST_AUTO_TEST_CASE(bai2_with_balances_is_a_statement_of_all_movements) {
  const std::string ach = "16,142,79000,0,REF1,CUST1,ACH CREDIT\n88,TRN*1*T-1*1512345678~/";
  const std::int64_t balances = 100'000 + 174'000;
  check_statements(
      *this, "bai2",
      {{"credits and debits",
        with_balances().of({ach, "16,354,500,0,,,INTEREST/", "16,451,5500,0,BANK9,KEY9,ACH DEBIT TRACE#:0910001/"},
                           balances + 79'000 + 500 + 5'500),
        "0001234567 2026-11-20 1000.00 > 1740.00 sums - - counts - -\n"
        "4 credit 790.00 2026-11-20 142 <T-1> <CUST1> <REF1> item 0\n"
        "6 credit 5.00 2026-11-20 354 item 1\n"
        "7 debit 55.00 2026-11-20 451 <KEY9> <BANK9> <0910001> item 2\n",
        {}},
       {"sums and counts in a continuation",
        with_balances(",010,-100,,,015,79000,,\n88,100,79000,1,,400,0,0,").of({ach}, -100 + 79'000 + 79'000 + 79'000),
        "0001234567 2026-11-20 -1.00 > 790.00 sums 790.00 0.00 counts 1 0\n"
        "5 credit 790.00 2026-11-20 142 <T-1> <CUST1> <REF1> item 0\n",
        {}},
       {"a negative credit is a debit, items of a deposit and zero are none",
        with_balances().of(
            {"16,142,-100,0,R,,REVERSAL/", "16,143,79000,0,,,ITEM/", "16,142,0,0,,,ZERO/", "16,890,5,0,,,NO MONEY/"},
            balances - 100 + 79'000 + 5),
        "0001234567 2026-11-20 1000.00 > 1740.00 sums - - counts - -\n4 debit 1.00 2026-11-20 142 <R> item 0\n",
        {}},
       {"only a closing balance",
        with_balances(",015,174000,,").of({}, 174'000),
        "0001234567 2026-11-20 - > 1740.00 sums - - counts - -\n",
        {}},
       {"no balances", Bai().of({ach}, 79'000), "", {}},
       {"another currency",
        with_balances("CAD,010,100000,,,015,174000,,").of({}, balances),
        "0001234567 2026-11-20 1000.00 > 1740.00 sums - - counts - - refused\n",
        {}}});
  for (const char* group : {"02,R,BANK1,4,261120,0600,USD,2/", "02,R,BANK1,2,261120,0600,USD,2/",
                            "02,R,BANK1,1,261120,0600,USD,1/", "02,R,BANK1,1,261120,0600,USD,3/"})
    BOOST_TEST_CONTEXT(group) {
      auto bai = with_balances();
      bai.group = group;
      BOOST_TEST(statements_of(read("bai2", bai.of({}, balances))).empty());
    }
  auto nameless = with_balances();
  nameless.account = "03,,,010,100000,,,015,174000,,/";
  const auto file = read("bai2", nameless.of({}, balances));
  BOOST_TEST(file.statements.empty());
  check_says(said(file), {"line 3", "no number"});
}

BOOST_AUTO_TEST_CASE(camt_053_gives_statements_movements_and_deposits) {
  const auto trn = detail("790.00", "E2E-1", "TRN*1*T-1*1512345678~");
  const std::string head = "US00 1234 5678 2026-11-20 1000.00 > 1740.00 sums - - counts - -\n";
  const auto one = camt(stmt(entry("790.00", "CRDT", trn) + entry("50.00", "DBIT", detail("", "KEY-9", "x"), "ICDT")));
  check_statements(
      *this, "camt053",
      {{"a credit and a debit",
        one,
        head + "3 credit 790.00 2026-11-20 PMNT-RCDT-ESCT <T-1> <E2E-1> <N1> item 0\n"
               "4 debit 50.00 2026-11-20 PMNT-ICDT-ESCT <KEY-9> <N1> item 1\n",
        {}},
       {"details that add up are movements",
        camt(stmt(entry("800.00", "CRDT", trn + detail("10.00", "NOTPROVIDED", "OTHER")))),
        head + "3 credit 790.00 2026-11-20 PMNT-RCDT-ESCT <T-1> <E2E-1> <N1> item 0\n"
               "3 credit 10.00 2026-11-20 PMNT-RCDT-ESCT <N1> item 1\n",
        {}},
       {"details that do not add up are one movement",
        camt(stmt(entry("801.00", "CRDT", trn + detail("10.00", "E2", "OTHER")))),
        head + "3 credit 801.00 2026-11-20 PMNT-RCDT-ESCT <N1> item 0\n",
        {"line 3", "do not add up"}},
       {"a reversal, a fee and an entry that is not booked",
        camt(stmt(entry("1.00", "CRDT", "", "RCDT", "<RvslInd>true</RvslInd>") + entry("2.00", "CRDT", "", "MCRD") +
                  replaced(entry("3.00", "CRDT", trn), "BOOK", "PDNG"))),
        head + "3 credit 1.00 2026-11-20 PMNT-RCDT-ESCT <N1> item 0\n"
               "4 credit 2.00 2026-11-20 PMNT-MCRD-ESCT <N1> item 1\n",
        {"it reverses an earlier debit", "`transaction_codes`", "not booked"}},
       {"the closing balance of the day before is the opening one, overdrawn, with sums",
        camt(stmt("<TxsSummry><TtlCdtNtries><NbOfNtries>1</NbOfNtries><Sum>790.00</Sum></TtlCdtNtries>"
                  "<TtlDbtNtries><Sum>0</Sum></TtlDbtNtries></TxsSummry>",
                  balance("PRCD", "1000.00", "DBIT", "2026-11-19") + balance("CLBD", "1740.00"))),
        "US00 1234 5678 2026-11-20 -1000.00 > 1740.00 sums 790.00 0.00 counts - -\n",
        {}},
       {"two statements",
        camt(stmt("") + replaced(stmt(""), "US00 1234 5678", "US99")),
        head + replaced(head, "US00 1234 5678", "US99"),
        {}},
       {"no balances", camt(stmt(entry("790.00", "CRDT", trn), "")), "", {}},
       {"several pages",
        camt(replaced(stmt(""), "<Acct>",
                      "<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd>"
                      "</StmtPgntn><Acct>")),
        "",
        {"several pages"}},
       {"another currency", camt(replaced(stmt(""), "<Ccy>USD", "<Ccy>EUR")), replaced(head, "\n", " refused\n"), {}},
       {"elements of another namespace say nothing",
        camt(stmt(replaced(replaced(entry("5.00", "CRDT", ""), "<Ntry>", "<x:Ntry xmlns:x=\"urn:x\">"), "</Ntry>",
                           "</x:Ntry>"))),
        head,
        {}}});
  BOOST_TEST(shown(read("camt053", one)) ==
             "3 790.00 2026-11-20 effective 2026-11-23 payer NORTH trace T-1 from 1512345678\n4 ignored\n");
  const auto old =
      camt(replaced(replaced(stmt(entry("790.00", "CRDT", trn)), "<Sts><Cd>BOOK</Cd></Sts>", "<Sts>BOOK</Sts>"),
                    "<Amt Ccy=\"USD\">790.00</Amt><RltdPties>",
                    "<AmtDtls><TxAmt><Amt Ccy=\"USD\">790.00</Amt></TxAmt></AmtDtls><RltdPties>"),
           "02");
  BOOST_TEST(statements_of(read("camt053", old)) ==
             head + "3 credit 790.00 2026-11-20 PMNT-RCDT-ESCT <T-1> <E2E-1> <N1> item 0\n");
  BOOST_TEST(read("camt053", camt(stmt("", balance("CLBD", "1.00") + balance("CLBD", "2.00")))).statements.size() ==
             1u);
}

BOOST_AUTO_TEST_CASE(camt_053_refuses_hostile_and_damaged_files) {
  const auto good = camt(stmt(entry("790.00", "CRDT", detail("790.00", "E", "TRN*1*T-1*1~"))));
  const auto head_end = good.find('\n') + 1;
  const auto with_head = [&](const std::string& what) {
    return good.substr(0, head_end) + what + good.substr(head_end);
  };
  std::string deep;
  for (int i = 0; i < 60; ++i) deep += "<a>";
  check_refused(
      *this, "camt053",
      {{"nothing", "", {"line 1"}},
       {"no XML", "01,BANK,RECEIVER,", {"not well-formed"}},
       {"another message", replaced(good, "camt.053", "camt.054"), {"not a camt.053"}},
       {"an older version", replaced(good, "001.08", "001.01"), {"not a camt.053"}},
       {"another root", "<html/>", {"not a camt.053"}},
       {"an internal entity", with_head("<!DOCTYPE d [<!ENTITY a \"b\">]>"), {"line 2", "DOCTYPE"}},
       {"an external entity", with_head("<!DOCTYPE d [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>"), {"DOCTYPE"}},
       {"an external document type", with_head("<!DOCTYPE d SYSTEM \"http://127.0.0.1/x.dtd\">"), {"DOCTYPE"}},
       {"an unknown entity", replaced(good, "T-1", "&a;"), {"not well-formed"}},
       {"many levels", replaced(good, "<Ntry>", "<Ntry>" + deep), {"40 deep"}},
       {"a long value", replaced(good, "T-1", std::string(9000, 'x')), {"8192 bytes"}},
       {"a NUL byte", replaced(good, "T-1", std::string(1, '\0')), {"NUL"}},
       {"another encoding", replaced(good, "UTF-8", "UTF-16"), {}},
       {"an unknown encoding", replaced(good, "UTF-8", "KOI8-R"), {"encoding"}},
       {"invalid UTF-8", replaced(good, "T-1", "\xC3\x28"), {"not well-formed"}},
       {"an amount with three decimals",
        replaced(good, "790.00</Amt><CdtDbtInd>", "790.001</Amt><CdtDbtInd>"),
        {"line 3", "two decimals"}},
       {"a negative amount", replaced(good, "790.00</Amt><CdtDbtInd>", "-790.00</Amt><CdtDbtInd>"), {"decimal number"}},
       {"a large amount",
        replaced(good, "790.00</Amt><CdtDbtInd>", std::string(30, '9') + "</Amt><CdtDbtInd>"),
        {"decimal number"}},
       {"no direction",
        replaced(good, "CRDT</CdtDbtInd><Sts>", "X</CdtDbtInd><Sts>"),
        {"neither a credit nor a debit"}},
       {"a balance without a direction", replaced(good, "CRDT</CdtDbtInd><Dt>", "</CdtDbtInd><Dt>"), {"a balance"}},
       {"no statement", camt(""), {"no statement"}}});
  for (std::size_t cut = 0; cut + 1 < good.size(); cut += 7) BOOST_TEST(!parse("camt053", good.substr(0, cut)));
}

BOOST_AUTO_TEST_CASE(a_large_camt_053_file_is_read_in_time) {
  std::string entries;
  const auto one = entry("0.01", "CRDT", detail("0.01", "E", std::string(2000, 'x')));
  for (int i = 0; i < 9'000; ++i) entries += one;
  const auto begun = std::chrono::steady_clock::now();
  BOOST_TEST(read("camt053", camt(stmt(entries))).statements.at(0).lines.size() == 9'000u);
  BOOST_TEST((std::chrono::steady_clock::now() - begun < std::chrono::seconds(10)));
  for (int i = 0; i < 1'001; ++i) entries += one;
  const auto refused = parse("camt053", camt(stmt(entries)));
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == domain::ErrorCode::payload_too_large));
}

BOOST_AUTO_TEST_CASE(a_host_before_1_6_is_given_no_statement) {
  struct Seen {
    int deposits = 0, statements = 0;
  } seen;
  tideover_deposit_sink lent{};
  lent.size = offsetof(tideover_deposit_sink, statement);
  lent.ctx = &seen;
  lent.deposit = [](void* ctx, const tideover_deposit*) { ++static_cast<Seen*>(ctx)->deposits; };
  lent.statement = [](void* ctx, const tideover_bank_statement*) { ++static_cast<Seen*>(ctx)->statements; };
  lent.entry = [](void* ctx, const tideover_bank_entry*) { ++static_cast<Seen*>(ctx)->statements; };
  const auto give = [&] {
    sdk::DepositSink sink(&lent);
    sink.statement({});
    sink.entry({});
    sink.deposit({});
  };
  give();
  BOOST_TEST(seen.deposits == 1);
  BOOST_TEST(seen.statements == 0);
  lent.size = sizeof lent;
  give();
  BOOST_TEST(seen.statements == 2);
}

BOOST_AUTO_TEST_SUITE_END()
