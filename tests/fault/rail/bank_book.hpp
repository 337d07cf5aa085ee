// The book of a bank that tests trust instead of the service: every payment that was made, synced to disk before
// it is reported. One folder is one bank; any number of processes share it. A call sees what all others wrote
// before it. C++17, standard library and POSIX only: the plugin compiles it too. Thread-safe.
//
//   book           one line for each thing that happened, in order: paid KEY AMOUNT ACCOUNT TIME, submit KEY, query
//   KEY,
//                  cancel KEY, held KEY AMOUNT ACCOUNT TIME DUE (sent, on its way), arrived KEY AMOUNT ACCOUNT TIME
//                  (and so paid), dropped KEY, refused KEY CODE, fenced KEY
//   submit.script  what becomes of the submits behind the one at which it was written; behind the last line, and
//   without
//                  the file: pay
//   query.script   the same for questions: answer
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::fault {

struct Payment {
  std::string key;
  std::int64_t amount = 0;  // cents
  std::string account;      // fingerprint of the payout token
  std::int64_t made_at_ms = 0;
};

/// FNV-1a of the payout token, 16 hex digits: the token itself is not kept.
std::string fingerprint_of(std::string_view payout_account_token);

/// What becomes of one call. README.md lists the words.
struct Behaviour {
  std::string word = "pay";
  std::string argument;
};

class BankBook {
 public:
  /// How often a key may be paid.
  enum class Memory {
    once,   // a key that was seen is answered with its first result
    never,  // every arrival pays again
  };

  /// Creates the folder when it is absent. Throws std::runtime_error.
  explicit BankBook(std::filesystem::path folder);
  ~BankBook();
  BankBook(const BankBook&) = delete;
  BankBook& operator=(const BankBook&) = delete;

  // What tests ask and arrange.
  std::vector<Payment> payments();
  /// "submit", "query", "cancel", in order.
  std::vector<std::string> calls();
  std::size_t held();
  /// Everything that is still on its way arrives now.
  void deliver_all(Memory memory);
  /// Writes a script for the next calls; see above.
  void script(const std::string& call, const std::vector<std::string>& behaviours);

  // What the rail does. Each is one indivisible step.
  /// Notes the call and says how it shall go.
  Behaviour begin(const std::string& call, const std::string& key);
  /// The money of `payment` moves, unless the key is fenced or was seen by a bank that remembers.
  void pay(const Payment& payment, Memory memory);
  void refuse(const std::string& key, const std::string& code);
  /// The message is on its way until `calls` further calls were answered.
  void hold(const Payment& payment, int calls);
  /// After an answer was decided: what is due arrives.
  void deliver_due(Memory memory);
  /// False when the key is paid; otherwise whatever of it is on its way or comes later will be dropped.
  bool fence_unless_paid(const std::string& key);
  bool is_paid(const std::string& key);
  bool is_fenced(const std::string& key);
  /// The code of its refusal.
  std::optional<std::string> refusal(const std::string& key);

 private:
  class Lock;
  struct Held {
    Payment payment;
    std::size_t due = 0;  // number of calls
  };

  void learn();
  void take_in(std::string_view line);
  void write(const std::string& line, bool durable);
  bool would_pay(const Payment& payment, Memory memory) const;
  void deliver(Memory memory, bool all);
  std::size_t submits() { return calls_of_kind_["submit"]; }
  std::size_t questions() { return calls_of_kind_["query"] + calls_of_kind_["cancel"]; }

  const std::filesystem::path folder_;
  int fd_ = -1;
  std::mutex mutex_;
  std::int64_t end_ = 0;  // offset behind the last line that was taken in
  std::vector<Payment> payments_;
  std::set<std::string> paid_;
  std::map<std::string, std::string> refusals_;
  std::set<std::string> fenced_;
  std::vector<std::string> calls_;
  std::map<std::string, std::size_t> calls_of_kind_;
  std::vector<Held> held_;
};

}  // namespace tideover::fault
