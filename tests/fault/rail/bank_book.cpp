#include "tests/fault/rail/bank_book.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tideover::fault {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("bank book: " + what + ": " + std::strerror(errno));
}

std::string fields_of(const Payment& payment) {
  return payment.key + ' ' + std::to_string(payment.amount) + ' ' + payment.account + ' ' +
         std::to_string(payment.made_at_ms);
}

/// Call `number`, counted from 1, of a script whose first line says behind how many calls it begins. A line "always
/// WORD" also stands for all behind it.
Behaviour scripted(const std::filesystem::path& file, std::size_t number, const char* otherwise) {
  std::ifstream script(file);
  std::string line;
  std::size_t before = 0;
  script >> line >> before;
  std::getline(script, line);
  for (std::size_t at = before + 1; std::getline(script, line); ++at) {
    const bool always = line.rfind("always ", 0) == 0;
    if (at != number && !always) continue;
    std::istringstream words(always ? line.substr(7) : line);
    Behaviour behaviour;
    words >> behaviour.word >> behaviour.argument;
    return behaviour;
  }
  return {otherwise, ""};
}

}  // namespace

std::string fingerprint_of(std::string_view payout_account_token) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : payout_account_token) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::string hex(16, '0');
  for (std::size_t i = 0; i < hex.size(); ++i) hex[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
  return hex;
}

/// This thread among those of the process, this process among those that share the folder.
class BankBook::Lock {
 public:
  explicit Lock(BankBook& book) : guard_(book.mutex_), fd_(book.fd_) {
    while (::flock(fd_, LOCK_EX) != 0)
      if (errno != EINTR) fail("cannot lock");
    book.learn();
  }
  ~Lock() { ::flock(fd_, LOCK_UN); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  const std::lock_guard<std::mutex> guard_;
  const int fd_;
};

BankBook::BankBook(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::filesystem::create_directories(folder_);
  fd_ = ::open((folder_ / "book").c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd_ < 0) fail("cannot open " + (folder_ / "book").string());
}

BankBook::~BankBook() {
  ::close(fd_);
}

void BankBook::learn() {
  std::string text;
  char chunk[16 * 1024];
  for (;;) {
    const ssize_t got = ::pread(fd_, chunk, sizeof chunk, static_cast<off_t>(end_) + static_cast<off_t>(text.size()));
    if (got < 0) fail("cannot read");
    if (got == 0) break;
    text.append(chunk, static_cast<std::size_t>(got));
  }
  std::size_t from = 0;
  for (std::size_t newline; (newline = text.find('\n', from)) != std::string::npos; from = newline + 1)
    take_in(std::string_view(text).substr(from, newline - from));
  end_ += static_cast<std::int64_t>(from);
  // A writer that was killed in the middle of a line did not report it.
  if (from != text.size() && ::ftruncate(fd_, static_cast<off_t>(end_)) != 0) fail("cannot cut off a torn line");
}

void BankBook::take_in(std::string_view line) {
  std::istringstream fields{std::string(line)};
  std::string what, key;
  fields >> what >> key;
  const auto payment = [&] {
    Payment read{key, 0, {}, 0};
    fields >> read.amount >> read.account >> read.made_at_ms;
    return read;
  };
  const auto forget_held = [&] {
    const auto first =
        std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.payment.key == key; });
    if (first != held_.end()) held_.erase(first);
  };
  if (what == "paid") {
    payments_.push_back(payment());
    paid_.insert(key);
  } else if (what == "held") {
    Held held{payment(), 0};
    fields >> held.due;
    held_.push_back(held);
  } else if (what == "arrived") {  // one line, so that a kill cannot part the payment from the message
    payments_.push_back(payment());
    paid_.insert(key);
    forget_held();
  } else if (what == "dropped") {
    forget_held();
  } else if (what == "refused") {
    fields >> refusals_[key];
  } else if (what == "fenced") {
    fenced_.insert(key);
  } else {
    calls_.push_back(what);
    ++calls_of_kind_[what];
  }
}

void BankBook::write(const std::string& line, bool durable) {
  const std::string whole = line + '\n';
  if (::write(fd_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) fail("cannot write");
  if (durable && ::fdatasync(fd_) != 0) fail("cannot sync");
  take_in(line);
  end_ += static_cast<std::int64_t>(whole.size());
}

std::vector<Payment> BankBook::payments() {
  const Lock lock(*this);
  return payments_;
}

std::vector<std::string> BankBook::calls() {
  const Lock lock(*this);
  return calls_;
}

std::size_t BankBook::held() {
  const Lock lock(*this);
  return held_.size();
}

void BankBook::script(const std::string& call, const std::vector<std::string>& behaviours) {
  const Lock lock(*this);
  std::ofstream file(folder_ / (call + ".script"), std::ios::trunc);
  file << "behind " << (call == "submit" ? submits() : questions()) << '\n';
  for (const auto& behaviour : behaviours) file << behaviour << '\n';
}

Behaviour BankBook::begin(const std::string& call, const std::string& key) {
  const Lock lock(*this);
  write(call + ' ' + key, false);
  if (call == "submit") return scripted(folder_ / "submit.script", submits(), "pay");
  return scripted(folder_ / "query.script", questions(), "answer");
}

bool BankBook::would_pay(const Payment& payment, Memory memory) const {
  if (fenced_.count(payment.key)) return false;
  return memory == Memory::never || (!paid_.count(payment.key) && !refusals_.count(payment.key));
}

void BankBook::pay(const Payment& payment, Memory memory) {
  const Lock lock(*this);
  if (would_pay(payment, memory)) write("paid " + fields_of(payment), true);
}

void BankBook::refuse(const std::string& key, const std::string& code) {
  const Lock lock(*this);
  if (!paid_.count(key)) write("refused " + key + ' ' + code, true);
}

void BankBook::hold(const Payment& payment, int calls) {
  const Lock lock(*this);
  write("held " + fields_of(payment) + ' ' + std::to_string(calls_.size() + static_cast<std::size_t>(calls)), true);
}

void BankBook::deliver(Memory memory, bool all) {
  for (const auto& held : std::vector<Held>(held_)) {
    if (!all && held.due > calls_.size()) continue;
    write(would_pay(held.payment, memory) ? "arrived " + fields_of(held.payment) : "dropped " + held.payment.key, true);
  }
}

void BankBook::deliver_due(Memory memory) {
  const Lock lock(*this);
  deliver(memory, false);
}

void BankBook::deliver_all(Memory memory) {
  const Lock lock(*this);
  deliver(memory, true);
}

bool BankBook::fence_unless_paid(const std::string& key) {
  const Lock lock(*this);
  if (paid_.count(key)) return false;
  if (!fenced_.count(key)) write("fenced " + key, true);
  return true;
}

bool BankBook::is_paid(const std::string& key) {
  const Lock lock(*this);
  return paid_.count(key) != 0;
}

bool BankBook::is_fenced(const std::string& key) {
  const Lock lock(*this);
  return fenced_.count(key) != 0;
}

std::optional<std::string> BankBook::refusal(const std::string& key) {
  const Lock lock(*this);
  const auto known = refusals_.find(key);
  return known == refusals_.end() ? std::nullopt : std::optional<std::string>(known->second);
}

}  // namespace tideover::fault
