// The shipped 835 reader through the host: own samples field by field and byte by byte.
#include <algorithm>

#include "tests/plugins/remittance_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;
using domain::RemittanceDraft;

namespace {

std::string sample(const std::string& name) {
  return bytes_of(TIDEOVER_SOURCE_DIR "/tests/data/x12_835/" + name);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

struct Reader : RemittanceReader {
  void check_warning(const RemittanceDraft& draft, const std::string& part) {
    std::string all;
    for (const auto& warning : draft.warnings) all += warning + "\n";
    check_says(all, {part});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(x12_835, Reader)

BOOST_AUTO_TEST_CASE(a_payment_is_read_to_its_last_adjustment) {
  const auto drafts = read(sample("one_payment.835"));
  BOOST_REQUIRE(drafts.size() == 1);
  const auto& draft = drafts[0];
  BOOST_TEST(draft.payer_id == "SAMPLE-80");
  BOOST_TEST(draft.payer_name == "Sample Payer");
  BOOST_TEST(draft.trace_number == "TRACE-790");
  BOOST_TEST(draft.originator_id == "1000000001");
  BOOST_TEST(domain::format_date(*draft.payment_date) == "2026-11-20");
  BOOST_TEST(draft.payment_amount.cents() == 79'000);
  BOOST_TEST(draft.payment_method == "ACH");
  BOOST_TEST(draft.payee_npi == "1999999984");
  BOOST_TEST(draft.warnings.empty());
  BOOST_TEST(domain::balance_of(draft).balanced());

  BOOST_REQUIRE(draft.claims.size() == 1);
  const auto& claim = draft.claims[0];
  BOOST_TEST(claim.claim_identifier == "CLM-0001");
  BOOST_TEST(claim.status == "1");
  BOOST_TEST(claim.charge_amount.cents() == 100'000);
  BOOST_TEST(claim.paid_amount.cents() == 80'000);
  BOOST_TEST(claim.patient_responsibility->cents() == 0);
  BOOST_TEST(claim.payer_claim_number == "PCN-1");
  BOOST_TEST(domain::format_date(*claim.date_of_service) == "2026-11-02");
  BOOST_TEST(domain::format_date(*claim.received_date) == "2026-11-05");
  BOOST_REQUIRE(claim.lines.size() == 2);
  BOOST_TEST(claim.lines[0].cpt == "99213");
  BOOST_TEST(claim.lines[0].modifier == "25");
  BOOST_TEST(claim.lines[1].modifier == "QW:59");
  BOOST_TEST(claim.lines[1].units == "2");
  BOOST_TEST(claim.lines[1].allowed_amount->cents() == 2'200);
  BOOST_TEST(domain::format_date(*claim.lines[1].date_of_service) == "2026-11-03");
  BOOST_REQUIRE(claim.lines[1].adjustments.size() == 3);
  BOOST_TEST(claim.lines[1].adjustments[1].code == "253");
  BOOST_TEST(claim.lines[1].adjustments[2].group == "PR");
  BOOST_TEST(claim.lines[1].adjustments[2].amount.cents() == 200);

  BOOST_REQUIRE(draft.provider_adjustments.size() == 1);
  BOOST_TEST(draft.provider_adjustments[0].code == "WO");
  BOOST_TEST(draft.provider_adjustments[0].reference == "CLM-0000");
  BOOST_TEST(draft.provider_adjustments[0].amount.cents() == 1'000);
  BOOST_TEST(draft.provider_adjustments[0].npi == "1999999984");
}

BOOST_AUTO_TEST_CASE(the_provider_of_a_claim_is_its_rendering_provider_else_that_of_its_group) {
  const auto text = sample("one_payment.835");
  const auto npi = [&](const std::string& group, const std::string& provider) {
    auto changed = replaced(text, "LX*1~", "LX*1~" + group);
    changed = replaced(changed, "DTM*232*", provider + "DTM*232*");
    return read(changed).at(0).claims.at(0).billing_npi;
  };
  BOOST_TEST(npi("", "").empty());
  BOOST_TEST(npi("TS3*1234567893*11*20261231*1*1000~", "") == "1234567893");
  BOOST_TEST(npi("TS3*1234567893*11*20261231*1*1000~", "NM1*82*1*A*B****XX*1234567802~") == "1234567802");
  BOOST_TEST(npi("TS3*A-12*11*20261231*1*1000~", "NM1*82*1*A*B****FI*123456789~").empty());
  BOOST_TEST(npi("TS3*1234567893*11*20261231*1*1000~LX*2~", "").empty());
}

BOOST_AUTO_TEST_CASE(the_last_claim_of_a_group_keeps_its_practice_when_the_next_group_begins) {
  auto text = replaced(sample("one_payment.835"), "LX*1~", "LX*1~TS3*1234567893*11*20261231*1*1000~");
  text = replaced(text, "PLB*", "LX*2~TS3*1234567802*11*20261231*1*10~CLP*CLM-2*1*10*10~LX*3~CLP*CLM-3*1*10*10~PLB*");
  const auto claims = read(text).at(0).claims;
  BOOST_REQUIRE(claims.size() == 3);
  BOOST_TEST(claims[0].billing_npi == "1234567893");
  BOOST_TEST(claims[1].billing_npi == "1234567802");
  BOOST_TEST(claims[2].billing_npi.empty());
}

BOOST_AUTO_TEST_CASE(the_payee_is_read_only_as_an_npi) {
  const auto text = sample("one_payment.835");
  BOOST_TEST(read(replaced(text, "XX*1999999984", "FI*1999999984")).at(0).payee_npi.empty());
  BOOST_TEST(read(replaced(text, "XX*1999999984", "XX*199999998")).at(0).payee_npi.empty());
  BOOST_TEST(read(replaced(text, "PLB*1999999984", "PLB*OLD-7")).at(0).provider_adjustments.at(0).npi.empty());
}

BOOST_AUTO_TEST_CASE(the_other_ids_of_the_payee_are_read_once_each) {
  const auto text = sample("one_payment.835");
  const auto ids = [&](const std::string& payee) {
    const auto draft = read(replaced(text, "XX*1999999984", payee)).at(0);
    return draft.payee_tax_id + ' ' + draft.payee_assigned_id;
  };
  BOOST_TEST(ids("XX*1999999984") == " ");
  BOOST_TEST(ids("FI*51-2345678") == "51-2345678 ");
  BOOST_TEST(ids("XX*1999999984~REF*TJ*512345678~REF*PQ*P-77~REF*PQ*P-78") == "512345678 P-77");
  BOOST_TEST(ids("FI*512345678~REF*TJ*999999999") == "512345678 ");
  BOOST_TEST(ids("XX*1999999984~REF*TJ*" + std::string(81, '7')) == " ");
  // A REF of a claim is not that of the payee.
  BOOST_TEST(read(replaced(text, "DTM*232*", "REF*TJ*512345678~DTM*232*")).at(0).payee_tax_id.empty());
  const auto provider = [&](const std::string& plb01) {
    return read(replaced(text, "PLB*1999999984", "PLB*" + plb01)).at(0).provider_adjustments.at(0).provider_id;
  };
  BOOST_TEST(provider("1999999984").empty());
  BOOST_TEST(provider("OLD-7") == "OLD-7");
}

BOOST_AUTO_TEST_CASE(a_format_of_abi_1_0_is_read_as_far_as_it_reaches) {
  host = load(
      {{shipped("payer_directory_file"), "payer_directory", "", {{"path", TIDEOVER_SOURCE_DIR "/config/payers.jsonl"}}},
       {broken("old_remittance"), "remittance_format", "", {}}});
  const auto file = host->remittances().find("old_remittance")->parse("anything", {});
  BOOST_REQUIRE(file);
  const auto& line = file->payments.at(0).claims.at(0).lines.at(0);
  BOOST_TEST(!file->payments.at(0).is_test);
  BOOST_TEST(line.cpt == "99213");
  BOOST_TEST(line.submitted_cpt.empty());
  BOOST_TEST(line.submitted_modifier.empty());
  BOOST_TEST(file->payments.at(0).payee_npi.empty());
  BOOST_TEST(file->payments.at(0).claims.at(0).billing_npi.empty());
  BOOST_TEST(file->payments.at(0).provider_adjustments.at(0).npi.empty());
  BOOST_TEST(file->payments.at(0).payee_tax_id.empty());
  BOOST_TEST(file->payments.at(0).provider_adjustments.at(0).provider_id.empty());
  const auto mapped = host->remittances().find("old_remittance")->parse("anything", {{"paid_amount", "Paid"}});
  BOOST_REQUIRE(!mapped);
  BOOST_TEST((mapped.error().code == domain::ErrorCode::validation_error));
}

BOOST_AUTO_TEST_CASE(each_payment_says_whether_its_interchange_is_a_test) {
  const auto real = replaced(sample("one_payment.835"), "*T*:~", "*P*:~"), test = replaced(real, "*P*:~", "*T*:~");
  const auto drafts = read(real + test + real);
  BOOST_REQUIRE(drafts.size() == 3u);
  BOOST_TEST(!drafts[0].is_test);
  BOOST_TEST(drafts[1].is_test);
  BOOST_TEST(!drafts[2].is_test);
}

BOOST_AUTO_TEST_CASE(a_trace_number_longer_than_x12_has_them_is_refused) {
  const auto text = sample("one_payment.835");
  BOOST_TEST(read(replaced(text, "TRACE-790", std::string(50, 'T')))[0].trace_number.size() == 50);
  check_says(refused(replaced(text, "TRACE-790", std::string(51, 'T'))).message, {"trace number", "TRN02", "50"});
}

BOOST_AUTO_TEST_CASE(more_claims_than_one_request_may_post_are_refused) {
  const auto file = [](int claims) {
    std::string text = "ST*835*0001~BPR*I*0*C*NON************20261120~TRN*1*T*1000000001~N1*PR*SAMPLE~LX*1~";
    for (int i = 0; i < claims; ++i) text += "CLP*C" + std::to_string(i) + "*4*10*0**12*P~";
    return text + "SE*" + std::to_string(claims + 6) + "*0001~";
  };
  BOOST_TEST(read(file(10'000))[0].claims.size() == 10'000);
  const auto refusal = parse(file(10'001));
  BOOST_REQUIRE(!refusal);
  BOOST_TEST((refusal.error().code == domain::ErrorCode::payload_too_large));
}

BOOST_AUTO_TEST_CASE(each_interchange_brings_its_own_delimiters_and_version) {
  const auto drafts = read(sample("two_interchanges.835"));
  BOOST_REQUIRE(drafts.size() == 3);
  BOOST_TEST(drafts[0].claims[0].adjustments[0].amount.cents() == 5'000);
  BOOST_TEST(drafts[1].claims[0].status == "4");
  BOOST_TEST(!drafts[1].claims[0].patient_responsibility.has_value());
  BOOST_TEST(drafts[2].payment_amount.cents() == -2'550);
  BOOST_TEST(drafts[2].claims[0].paid_amount.cents() == -10'000);
  BOOST_TEST(drafts[2].claims[1].lines[0].cpt == "99213");
  for (const auto& draft : drafts) {
    BOOST_TEST(draft.warnings.empty());
    BOOST_TEST(domain::balance_of(draft).balanced());
  }
}

BOOST_AUTO_TEST_CASE(payments_are_handed_over_before_the_file_is_read_on) {
  auto cut = sample("two_interchanges.835");
  cut.resize(cut.size() - 20);
  int taken = 0;
  const auto read = host->remittances().find("x12_835")->read(cut, {}, [&](RemittanceDraft) -> domain::Status {
    ++taken;
    return {};
  });
  BOOST_TEST(!read);
  BOOST_TEST(taken > 0);
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_receiver_of_payments_is_no_fault_of_the_plugin) {
  auto& format = *host->remittances().find("x12_835");
  const auto bytes = sample("two_interchanges.835");
  int taken = 0;
  BOOST_CHECK_THROW(static_cast<void>(format.read(bytes, {},
                                                  [&](RemittanceDraft) -> domain::Status {
                                                    ++taken;
                                                    throw std::runtime_error("the disk is full");
                                                  })),
                    std::runtime_error);
  BOOST_TEST(taken == 1);
  const auto stopped = format.read(bytes, {}, [&](RemittanceDraft) -> domain::Status {
    ++taken;
    return domain::Error::of(domain::ErrorCode::conflict, "stopped");
  });
  BOOST_REQUIRE(!stopped);
  BOOST_TEST(stopped.error().message == "stopped");
  BOOST_TEST(taken == 2);
}

BOOST_AUTO_TEST_CASE(a_file_without_envelope_is_read_with_a_warning) {
  const auto text = sample("no_envelope.835");
  for (const auto& bytes : {text, text.substr(0, text.size() - 1)}) {
    const auto drafts = read(bytes);
    BOOST_REQUIRE(drafts.size() == 1);
    BOOST_TEST(drafts[0].payment_amount.cents() == 5'000);
    check_warning(drafts[0], "no ISA/IEA envelope");
  }
}

BOOST_AUTO_TEST_CASE(a_payment_in_another_currency_is_left_out_and_the_others_count) {
  const auto three = bytes_of(TIDEOVER_SOURCE_DIR "/tests/data/x12_835/variants/three_payments_in_one_group.835");
  const std::string second = "ST*835*0002~";
  const auto begin = three.find(second);
  BOOST_REQUIRE(begin != std::string::npos);
  const auto parse_file = [&](const std::string& bytes) {
    return host->remittances().find("x12_835")->parse(bytes, {});
  };
  for (const std::string before : {"TRN*1", "N1*PR", "LX*", "CLP*", "CAS*", "SE*"})
    for (const std::string currency : {"CUR*PR*CAD*1.38~", "CUR*PE*eur ~", "CU\nR*PR*GB\nP~"})
      BOOST_TEST_CONTEXT(currency << " before " << before) {
        auto text = three;
        auto at = text.find(before, begin);
        if (at == std::string::npos || at > text.find("ST*835*0003~")) continue;
        const auto read = parse_file(text.insert(at, currency));
        BOOST_REQUIRE(read);
        BOOST_TEST(read->payments.size() == 2u);
        BOOST_TEST(read->payments.at(1).claims.at(0).claim_identifier == "V-3");
        BOOST_REQUIRE(read->left_out.size() == 1u);
        check_says(read->left_out[0].reason, {"transaction 0002", "CUR02", "only US dollars"});
      }
  const auto dollars = parse_file(replaced(three, "TRN*1", "CUR*PR*USD~TRN*1"));
  BOOST_REQUIRE(dollars);
  BOOST_TEST(dollars->payments.size() == 3u);
  BOOST_TEST(dollars->left_out.empty());
  const auto alone = parse_file(replaced(sample("one_payment.835"), "TRN*1", "CUR*PR*CAD~TRN*1"));
  BOOST_REQUIRE(alone);
  BOOST_TEST(alone->payments.empty());
  BOOST_TEST(alone->left_out.size() == 1u);
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_CASE(a_test_interchange_marks_its_payments) {
  const auto text = sample("one_payment.835");
  const auto isa15 = text.find(":~") - 2;
  auto live = text, test = text;
  live[isa15] = 'P';
  test[isa15] = 'T';
  BOOST_TEST(!read(live).at(0).is_test);
  BOOST_TEST(read(test).at(0).is_test);
  const auto both = read(live + test);
  BOOST_TEST(!both.at(0).is_test);
  BOOST_TEST(both.at(1).is_test);
  BOOST_TEST(!read(sample("no_envelope.835")).at(0).is_test);
}

BOOST_AUTO_TEST_CASE(wrong_counts_and_control_numbers_are_warnings) {
  const auto text = sample("one_payment.835");
  check_warning(read(replaced(text, "SE*22*0001", "SE*21*0001")).at(0),
                "SE01 counts 21 segments, the transaction has 22");
  check_warning(read(replaced(text, "SE*22*0001", "SE*22*0002")).at(0), "SE02");
  check_warning(read(replaced(text, "GE*1*1", "GE*2*1")).at(0), "GE01 counts 2");
  check_warning(read(replaced(text, "IEA*1*", "IEA*3*")).at(0), "IEA01 counts 3");
  check_warning(read(replaced(text, "GE*1*1~\n", "")).at(0), "no GE");
  const auto group = text.substr(text.find("GS*"), text.find("GE*") - text.find("GS*"));
  check_warning(read(group + text).at(0), "the group before this segment has no GE (segment 24 ISA");
  check_warning(read(replaced(text, "DTM*472*20261103", "DTM*472*20261333")).at(0), "not CCYYMMDD");
  check_warning(read(replaced(text, "HC:99213:25", "HC>99213>25")).at(0), "component separator");
}

BOOST_AUTO_TEST_CASE(unreadable_text_is_an_error_with_segment_and_byte) {
  const auto text = sample("one_payment.835");
  const std::vector<std::tuple<std::string, std::string, std::string>> cases{
      {"BPR*I*790*", "BPR*I*7.905*", "BPR02"},     {"BPR*I*790*C*", "BPR*I*790*X*", "BPR03"},
      {"*1000*800*0*", "*1000*8OO*0*", "CLP04"},   {"CLP*CLM-0001*", "CLP**", "CLP01"},
      {"CAS*CO*45*190", "CAS*CO*45*1e3", "CAS"},   {"IEA*1*000000001~\n", "", "no IEA"},
      {"ST*835*", "ST*837*", "no 835 transaction"}};
  for (const auto& [what, with, says] : cases) {
    const auto error = refused(replaced(text, what, with));
    check_says(error.message, {says, "segment ", "byte "});
    BOOST_TEST(error.details.at(0).first == "segment");
    BOOST_TEST(error.details.at(1).first == "byte");
  }
  check_says(refused("hello").message, {"must start with ISA, GS or ST"});
  check_says(refused("").message, {"the file is empty"});
}

BOOST_AUTO_TEST_CASE(a_file_cut_at_any_byte_is_one_error) {
  const auto text = sample("one_payment.835");
  const std::size_t whole = text.find_last_of('~') + 1;
  for (std::size_t length = 0; length < whole; ++length) {
    const auto result = parse(text.substr(0, length));
    BOOST_TEST_CONTEXT("cut after byte " << length) {
      BOOST_REQUIRE(!result);
    }
  }
  BOOST_TEST(bool(parse(text.substr(0, whole))));
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_CASE(no_byte_that_changes_ends_in_anything_but_an_answer) {
  const auto text = sample("two_interchanges.835");
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char byte : {'\0', '~', '*', '\n', '\xFF', '9', '-'}) {
      auto changed = text;
      changed[i] = byte;
      (void)parse(changed);
    }
  BOOST_TEST(faults.empty(), faults.size() << " faults, the first: " << (faults.empty() ? "" : faults[0].message));
}

BOOST_AUTO_TEST_SUITE_END()
