// The input of a case: the claim or review that it runs a rule on. A case starts from a valid claim, or from a review
// that is clearly within approval, and gives only what differs.
//
// Threads: bound to one Lua state. Runs no script.
#pragma once
#include "core/lua/vm/table_reader.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::lua {

/// The case of a denial rule. By default the valid claim that every case starts from.
struct ClaimCase {
  domain::ClaimDraft claim;
  domain::Payer payer;
  bool payer_known = true;
  domain::ValidationProfile profile = domain::ValidationProfile::standard;
  domain::Date today;
  int duplicates = 0;
  std::optional<domain::ClaimHistory> history;
  std::string near_payer;

  ClaimCase();
  ports::ClaimFacts facts() const;
};

/// The case of a terms rule. By default a review that is clearly within approval.
struct TermsCase {
  domain::Review review;
  std::string rail = "RTP";
  bool payer_supports_advance = true;
  domain::Portfolio portfolio;
  domain::ClaimDetails details;

  TermsCase();
  ports::TermsFacts facts() const;
};

/// The case of a recourse rule: an event with its usual bearers.
struct RecourseCase {
  domain::RecourseFacts facts;
};

/// Reads the input of one case. Faults go to `complain`.
class CaseInput {
 public:
  CaseInput(lua_State* state, TableReader::Complain complain) : state_(state), complain_(std::move(complain)) {}

  /// The fields today, profile, claim and payer of the case.
  ClaimCase claim_case(TableReader& table);
  /// The field review of the case.
  TermsCase terms_case(TableReader& table);
  /// The field event of the case. Without usual bearers: the funder bears takebacks and short payments, the practice
  /// everything else.
  RecourseCase recourse_case(TableReader& table);

 private:
  void read_claim_date(TableReader& claim, const char* key, std::optional<domain::Date>& date);
  void read_claim(TableReader& table, ClaimCase& given);
  domain::ClaimHistory read_history();
  domain::LineHistory read_line_history();
  void read_line(ClaimCase& given);
  void read_payer(TableReader& table, ClaimCase& given);
  void read_review(TableReader& given, TermsCase& terms);
  void read_record(TableReader& given, domain::Review& review);

  lua_State* state_;
  TableReader::Complain complain_;
};

}  // namespace tideover::lua
