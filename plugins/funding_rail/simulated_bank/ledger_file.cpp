#include "simulated_bank/ledger_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

#include "tideover/sdk.hpp"

namespace simulated_bank {
namespace {

using tideover::sdk::Fault;

constexpr char kSeparator = '|';
constexpr std::size_t kFields = 12;

std::string line_of(const Payment& p) {
  std::string body;
  for (const auto& field :
       {p.key, p.rail, std::to_string(p.amount), p.fingerprint, std::to_string(p.kind), std::to_string(p.taken_ms),
        std::to_string(p.settles_ms), std::to_string(p.returns_ms), p.reference, p.reason_code, p.reason})
    body += field + kSeparator;
  return body + checksum(body) + '\n';
}

template <class Number>
bool read_number(std::string_view text, Number& into) {
  const auto end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, into);
  return error == std::errc() && stopped == end;
}

std::optional<Payment> payment_of(std::string_view line) {
  std::vector<std::string> fields(1);
  std::size_t body = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == kSeparator) {
      fields.emplace_back();
      body = i + 1;
    } else {
      fields.back() += line[i];
    }
  }
  if (fields.size() != kFields || fields.back() != checksum(line.substr(0, body))) return std::nullopt;
  Payment p;
  p.key = fields[0];
  p.rail = fields[1];
  p.fingerprint = fields[3];
  p.reference = fields[8];
  p.reason_code = fields[9];
  p.reason = fields[10];
  const bool are_numbers = read_number(fields[2], p.amount) && read_number(fields[4], p.kind) &&
                           read_number(fields[5], p.taken_ms) && read_number(fields[6], p.settles_ms) &&
                           read_number(fields[7], p.returns_ms);
  if (!are_numbers) return std::nullopt;
  return p;
}

std::string reason() {
  return std::strerror(errno);
}

}  // namespace

std::string checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::string hex(16, '0');
  for (std::size_t i = 0; i < hex.size(); ++i) hex[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
  return hex;
}

LedgerFile::LedgerFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  // The data folder does not exist before the first start; other errors appear in open().
  std::error_code ignored;
  if (const auto folder = std::filesystem::path(path_).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder, ignored);
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd_ < 0)
    throw Fault(TIDEOVER_FAULT_INVALID_CONFIG, "cannot open " + path_ + " (setting 'ledger_path'): " + reason());
}

LedgerFile::~LedgerFile() {
  if (fd_ >= 0) ::close(fd_);
}

LedgerFile::Lock::Lock(LedgerFile& file) : file_(file) {
  if (file_.fd_ < 0) return;
  while (::flock(file_.fd_, LOCK_EX) != 0)
    if (errno != EINTR) throw Fault(TIDEOVER_FAULT_UNAVAILABLE, "cannot lock " + file_.path_ + ": " + reason());
}

LedgerFile::Lock::~Lock() {
  if (file_.fd_ >= 0) ::flock(file_.fd_, LOCK_UN);
}

std::vector<Payment> LedgerFile::read_new() {
  std::vector<Payment> found;
  if (fd_ < 0) return found;
  std::string text;
  char chunk[16 * 1024];
  for (;;) {
    const ssize_t got = ::pread(fd_, chunk, sizeof chunk, static_cast<off_t>(end_) + static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Fault(TIDEOVER_FAULT_UNAVAILABLE, "cannot read " + path_ + ": " + reason());
    if (got == 0) break;
    text.append(chunk, static_cast<std::size_t>(got));
  }
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t newline = text.find('\n', from);
    const bool is_last = newline == std::string::npos || newline + 1 == text.size();
    const auto payment =
        newline == std::string::npos ? std::nullopt : payment_of(std::string_view(text).substr(from, newline - from));
    if (!payment && !is_last)
      throw Fault(TIDEOVER_FAULT_INVALID_CONFIG,
                  path_ + ":" + std::to_string(line_ + 1) + ": damaged payment record; restore the file from a copy");
    if (!payment) {
      // A crash truncated the last line before its answer was sent: the payment does not exist.
      if (::ftruncate(fd_, static_cast<off_t>(end_)) != 0)
        throw Fault(TIDEOVER_FAULT_UNAVAILABLE, "cannot repair " + path_ + ": " + reason());
      break;
    }
    found.push_back(*payment);
    end_ += static_cast<std::int64_t>(newline + 1 - from);
    ++line_;
    from = newline + 1;
  }
  return found;
}

void LedgerFile::append(const Payment& payment) {
  if (fd_ < 0) return;
  const std::string line = line_of(payment);
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t put = ::write(fd_, line.data() + written, line.size() - written);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) break;
    written += static_cast<std::size_t>(put);
  }
  if (written != line.size() || ::fdatasync(fd_) != 0) {
    const std::string why = reason();
    // If the truncation fails too, the next read_new() finds the line, partial or complete, and decides by its
    // checksum.
    if (::ftruncate(fd_, static_cast<off_t>(end_)) == 0) ::fdatasync(fd_);
    throw Fault(TIDEOVER_FAULT_UNAVAILABLE, "cannot write " + path_ + ": " + why);
  }
  end_ += static_cast<std::int64_t>(line.size());
  ++line_;
}

}  // namespace simulated_bank
