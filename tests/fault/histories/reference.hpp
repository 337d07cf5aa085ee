// The money rules of the contract (sections 3 and 7) once more: no database, no shared code with the service, as few
// lines as they take. Amounts are cents; a debit is positive.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tideover::tests {

using Cents = std::int64_t;

struct Loan {
  enum class State { reviewed, in_review, agreed, unknown, by_hand, funded } state = State::reviewed;
  std::string claim;
  std::string settlement;  // id, once agreed
  Cents submitted = 0, expected = 0, advance = 0, fee = 0;
  std::string confirmed_under;  // key of the last confirm
  bool approved = false;        // by a reviewer
  bool blind = false;           // its rail cannot be asked
  int status = 0;               // index into kStatuses
  bool decided = false;         // the payer has spoken: nothing more is advanced
  struct Record {
    Cents payment = 0;
    std::string status;
    bool by_remittance = false;  // posted by a remittance, not by money alone
  };
  std::optional<Record> record;
};

/// A settlement that is over, while its claim is free for another one.
struct Ended {
  std::string settlement;
  std::string status;
  std::optional<Loan::Record> record;
};

/// What clients say of their claims here, in the only order that the contract admits (section 6).
inline constexpr const char* kStatuses[] = {"reviewed", "submitted", "accepted", "pending", "denied"};
inline constexpr int kDenied = 4;

struct RemittedClaim {
  std::size_t loan = 0;
  Cents paid = 0;
  bool denied = false;
  bool waits = true;  // for money, or for the loan to be funded
  bool waits_for_funding = false;
  bool in_question = false;  // more than one payment of an advance: an operator judges
};

struct Remittance {
  std::string trace;
  std::vector<RemittedClaim> claims;
  bool joined = false;  // with its money
  Cents total() const;
};

struct Money {
  std::string trace;
  Cents amount = 0;
  bool joined = false;
  std::string external_id{};
  int day = 0;  // on which it was received
};

class Reference {
 public:
  explicit Reference(std::string tenant) : payable_("provider_payable:" + std::move(tenant)) {}

  std::vector<Loan> loans;
  std::vector<Remittance> remittances;
  std::vector<Money> deposits;
  std::vector<Ended> ended;

  static Loan reviewed(std::string claim, Cents submitted);
  void begin(Loan& loan);      // the advance is promised
  void paid(Loan& loan);       // the rail has taken it
  void refused(Loan& loan);    // or not
  void came_back(Loan& loan);  // the advance, after it was paid
  void declined(Loan& loan);   // by a reviewer
  /// Whether a client may say so; then it is so.
  bool set_status(Loan& loan, int status);
  /// Whether the bank seems to have reported it already: then it is held, and booked nowhere until a reviewer has
  /// decided.
  bool is_repeated(const Money& arrived) const;
  void hold(Money arrived) { held_.push_back(std::move(arrived)); }
  void deposit(Money arrived);
  void remittance(Remittance arrived);

  /// By account, without those that hold nothing.
  std::map<std::string, Cents> posted() const { return without_zeros(posted_); }
  std::map<std::string, Cents> pending() const { return without_zeros(pending_); }

 private:
  static std::map<std::string, Cents> without_zeros(std::map<std::string, Cents> accounts);
  void end(Loan& loan, const char* status);
  void join(Remittance& remittance, Money& money);
  bool may_be_sum(const Money& money);
  bool join_parts(Remittance& remittance);
  void post_claims(Remittance& remittance);
  void pay_on(Cents payment);
  void post_waiting(const Loan& loan);
  void post(Loan& loan, Cents payment, bool denied, bool by_remittance);

  std::string payable_;
  std::vector<Money> held_;
  std::map<std::string, Cents> posted_, pending_;
};

}  // namespace tideover::tests
