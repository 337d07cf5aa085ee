// The steps of the typical flow and what to expect of an answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/support/world/world.hpp"

namespace tideover::test {

/// YYYY-MM-DD, that many days from today (UTC).
std::string day(int from_today);
/// YYYYMMDD of YYYY-MM-DD.
std::string compact(std::string date);

/// A clean claim of 1000.00 for a payer that pays 80 %, in two service lines; each identifier is another patient's.
std::string claim_body(const std::string& identifier, const std::string& payer = "SAMPLE-80");

/// The answer, which must have status 200.
Json expect_ok(const Answer& answer);
/// The refusal, which must have that status and error, a message, and the request id of its header.
Json expect_error(const Answer& answer, int status, const std::string& error);

/// Reviews and adjudicates; returns the settlement id.
std::string advance(const ApiClient& api, const std::string& identifier, const std::string& rail = "RTP",
                    const std::string& payout_token = "tok_ok");
/// Reviews, adjudicates and confirms; returns the settlement id.
std::string fund(const ApiClient& api, const std::string& identifier, const std::string& rail = "RTP");

std::string adjudication_body(const std::string& authorization, const std::string& rail = "RTP",
                              const std::string& payout_token = "tok_ok");
std::string deposit_body(const std::string& trace, const std::string& amount, const std::string& external_id = "");
/// A remittance of one claim of 1000.00 that pays `amount`.
std::string remittance_body(const std::string& trace, const std::string& identifier, const std::string& amount,
                            const std::string& clp02 = "1");
/// A file for POST /v1/remittances or /v1/imports/claims.
std::string file_body(const std::string& format, const std::string& bytes, const std::string& more = "");
std::string base64(const std::string& bytes);

struct Book {
  std::map<std::string, std::int64_t> posted;   // account to cents
  std::map<std::string, std::int64_t> pending;  // account to cents
  std::int64_t posted_sum = 0;
  std::int64_t pending_sum = 0;

  /// Of the accounts whose names begin so; 0 when there are none.
  std::int64_t posted_in(const std::string& prefix) const;
};
Book book_of(const ApiClient& api);
/// Every ledger transaction, newest last, as the pages give them.
std::vector<std::string> ledger_of(const ApiClient& api);

}  // namespace tideover::test
