// A second, deliberately small reading of 835 files, independent of the product's plugin: enough to say which claims a
// provider must have sent to be paid this way. Takes well-formed files only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tideover::test {

struct X12Line {
  std::string code;      // SVC01-2
  std::string modifier;  // SVC01-3.., joined by ':'
  std::string charge;    // SVC02 as written
  std::string units;     // SVC05 as written
};

struct X12Claim {
  std::string identifier;  // CLP01
  std::string status;      // CLP02
  std::string charge;      // CLP03 as written
  std::int64_t charge_cents = 0;
  std::int64_t paid_cents = 0;  // CLP04
  std::string service_date;     // YYYY-MM-DD, the earliest; empty when the claim names none
  std::vector<X12Line> lines;
};

struct X12Payment {
  std::int64_t amount_cents = 0;  // BPR02
  std::string amount;             // BPR02 as written
  std::string date;               // BPR16, else DTM 405, YYYY-MM-DD
  std::string trace;              // TRN02
  std::vector<X12Claim> claims;
};

std::vector<X12Payment> read_835(const std::string& text);

}  // namespace tideover::test
