#include "core/store/integrity/checkpoint_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <memory>
#include <system_error>

#include "core/crypto/primitives/encoding.hpp"

namespace tideover::store {
namespace {

using domain::Error;
using domain::ErrorCode;
using ports::Checkpoint;
using ports::CheckpointTrail;

constexpr std::string_view kPassed = "tideover-checkpoint-1";
constexpr std::string_view kRestored = "tideover-restored-1";
constexpr std::string_view kSignature = " sig=";
constexpr std::size_t kMostNotesPerChain = 4096;

Error file_error(const std::filesystem::path& file, std::string_view doing) {
  return Error::of(ErrorCode::service_unavailable, "the checkpoint file " + file.string() + " cannot be " +
                                                       std::string(doing) + ": " +
                                                       std::generic_category().message(errno));
}

std::string line_of(const Checkpoint& checkpoint) {
  std::string line(checkpoint.kind == Checkpoint::Kind::passed ? kPassed : kRestored);
  line += ' ' + format_timestamp(checkpoint.at);
  for (const auto& [table, heads] : checkpoint.heads)
    for (const auto& head : heads)
      line +=
          ' ' + table + ' ' + head.chain + ' ' + std::to_string(head.position) + ' ' + crypto::hex_encode(head.hash);
  return line;
}

std::string_view next_word(std::string_view& line) {
  const auto end = line.find(' ');
  const auto word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return word;
}

/// nullopt when the text is not a checkpoint of this format. The signature proves the content.
std::optional<Checkpoint> parse(std::string_view text) {
  Checkpoint checkpoint;
  const auto opening = next_word(text);
  if (opening != kPassed && opening != kRestored) return std::nullopt;
  checkpoint.kind = opening == kPassed ? Checkpoint::Kind::passed : Checkpoint::Kind::restored;
  const auto at = domain::parse_timestamp(next_word(text));
  if (!at) return std::nullopt;
  checkpoint.at = *at;
  while (!text.empty()) {
    const std::string table(next_word(text));
    ports::ChainHead head;
    head.chain = next_word(text);
    const auto position = next_word(text);
    const auto [end, failure] = std::from_chars(position.data(), position.data() + position.size(), head.position);
    const auto hash = crypto::hex_decode(next_word(text));
    if (failure != std::errc{} || end != position.data() + position.size() || !hash) return std::nullopt;
    head.hash.assign(hash->begin(), hash->end());
    checkpoint.heads[table].push_back(std::move(head));
  }
  return checkpoint;
}

/// nullopt when the line is not signed by this key.
std::optional<Checkpoint> genuine(std::string_view line, const crypto::PublicKey& key) {
  const auto at = line.rfind(kSignature);
  if (at == std::string_view::npos) return std::nullopt;
  const auto signature = crypto::hex_decode(line.substr(at + kSignature.size()));
  if (!signature || !crypto::signature_holds(key, line.substr(0, at), *signature)) return std::nullopt;
  return parse(line.substr(0, at));
}

void take_in(CheckpointTrail& trail, const Checkpoint& checkpoint, std::string_view table) {
  ++trail.checkpoints;
  trail.newest = checkpoint.at;
  if (checkpoint.kind == Checkpoint::Kind::restored) {
    trail.chains.clear();
    trail.restored = checkpoint.at;
  }
  const auto heads = checkpoint.heads.find(std::string(table));
  if (heads == checkpoint.heads.end()) return;
  for (const auto& head : heads->second) {
    auto& notes = trail.chains[head.chain];
    if (notes.size() == kMostNotesPerChain) notes.erase(notes.begin(), notes.begin() + kMostNotesPerChain / 2);
    // Two writers of one file may overtake each other; each checkpoint is valid for its own position.
    const auto place =
        std::upper_bound(notes.begin(), notes.end(), head.position,
                         [](std::int64_t position, const auto& note) { return position < note.position; });
    notes.insert(place, {checkpoint.at, head.position, head.hash});
  }
}

/// A crash may have left a partial line at the end.
bool cut_half_line(int descriptor) {
  constexpr off_t kLongestLine = 1 << 20;
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  if (size <= 0) return size == 0;
  std::string tail(static_cast<std::size_t>(std::min(size, kLongestLine)), '\0');
  const off_t start = size - static_cast<off_t>(tail.size());
  if (::pread(descriptor, tail.data(), tail.size(), start) != static_cast<ssize_t>(tail.size())) return false;
  const auto last_break = tail.rfind('\n');
  const off_t whole = last_break == std::string::npos ? start : start + static_cast<off_t>(last_break) + 1;
  return whole == size || ::ftruncate(descriptor, whole) == 0;
}

/// Syncs the directory: a new file survives a power failure only after that.
bool sync_folder_of(const std::filesystem::path& file) {
  const int folder =
      ::open(file.has_parent_path() ? file.parent_path().c_str() : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  const bool synced = ::fsync(folder) == 0;
  ::close(folder);
  return synced;
}

}  // namespace

domain::Status CheckpointFile::append(const Checkpoint& checkpoint) {
  std::string line = line_of(checkpoint);
  line += std::string(kSignature) + crypto::hex_encode(key_.sign(line)) + '\n';

  const std::lock_guard held(appending_);  // for this process; the lock on the file is for other processes
  const int descriptor = ::open(file_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return file_error(file_, "opened");
  const std::shared_ptr<const void> closing(nullptr, [descriptor](const void*) { ::close(descriptor); });
  if (::flock(descriptor, LOCK_EX) != 0) return file_error(file_, "locked");
  const bool is_new = ::lseek(descriptor, 0, SEEK_END) == 0;
  if (!cut_half_line(descriptor)) return file_error(file_, "mended");
  if (::write(descriptor, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return file_error(file_, "written");
  if (::fdatasync(descriptor) != 0 || (is_new && !sync_folder_of(file_))) return file_error(file_, "synced");
  return {};
}

domain::Result<CheckpointTrail> CheckpointFile::trail(std::string_view table) const {
  CheckpointTrail trail;
  if (::access(file_.c_str(), F_OK) != 0 && errno == ENOENT) return trail;
  std::ifstream file(file_);
  if (!file) return file_error(file_, "read");
  const auto key = key_.public_key();
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const bool cut_short = file.eof();  // no line break: a crash, or an append in progress
    if (const auto checkpoint = genuine(line, key))
      take_in(trail, *checkpoint, table);
    else if (!cut_short)
      trail.faults.push_back("line " + std::to_string(number) + ": not signed by this key");
  }
  return trail;
}

}  // namespace tideover::store
