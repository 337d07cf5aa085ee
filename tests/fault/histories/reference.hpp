// The money rules of the contract (sections 3 and 7) once more: no database, no shared code with the service, as few lines as
// they take. Amounts are cents; a debit is positive.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tideover::tests {

using Cents = std::int64_t;

struct Loan {
  enum class State { reviewed, agreed, unknown, funded } state = State::reviewed;
  std::string claim;
  std::string settlement;  // id, once agreed
  Cents submitted = 0, expected = 0, advance = 0, fee = 0;
  std::string confirmed_under;   // key of the last confirm
  bool refused_once = false;     // by the rail
  bool decided = false;          // the payer has spoken: nothing more is advanced
  struct Record {
    Cents payment = 0;
    std::string status;
    bool noticed = false;  // posted by a notice, not by money alone
  };
  std::optional<Record> record;
};

struct NoticedClaim {
  std::size_t loan = 0;
  Cents paid = 0;
  bool denied = false;
  bool waits = true;               // for money, or for the loan to be funded
  bool waits_for_funding = false;
};

struct Notice {
  std::string trace;
  std::vector<NoticedClaim> claims;
  bool joined = false;  // with its money
  Cents total() const;
};

struct Money {
  std::string trace;
  Cents amount = 0;
  bool joined = false;
};

class Reference {
 public:
  explicit Reference(std::string tenant) : payable_("provider_payable:" + std::move(tenant)) {}

  std::vector<Loan> loans;
  std::vector<Notice> notices;
  std::vector<Money> deposits;

  static Loan reviewed(std::string claim, Cents submitted);
  void begin(Loan& loan);       // the advance is promised
  void paid(Loan& loan);        // the rail has taken it
  void refused(Loan& loan);     // or not
  void deposit(Money arrived);
  void notice(Notice arrived);

  /// By account, without those that hold nothing.
  std::map<std::string, Cents> posted() const { return without_zeros(posted_); }
  std::map<std::string, Cents> pending() const { return without_zeros(pending_); }

 private:
  static std::map<std::string, Cents> without_zeros(std::map<std::string, Cents> accounts);
  void join(Notice& notice, Money& money);
  void post_claims(Notice& notice);
  void post(Loan& loan, Cents payment, bool denied, bool noticed);

  std::string payable_;
  std::map<std::string, Cents> posted_, pending_;
};

}  // namespace tideover::tests
