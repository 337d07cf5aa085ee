#include "tests/fault/disk/faulty_disk.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <vector>

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

struct Write {
  UndoNote note;
  std::string path, old;
};

void take_back(const Write& write) {
  const int file = ::open(write.path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;  // the file itself is gone, and removing counts as durable
  const auto size = static_cast<ssize_t>(write.old.size());
  const bool done = ::pwrite(file, write.old.data(), write.old.size(), write.note.offset) == size &&
                    ::ftruncate(file, write.note.old_size) == 0;
  ::close(file);
  if (!done) throw std::runtime_error("cannot take back a write to " + write.path);
}

}  // namespace

FaultyDisk::FaultyDisk(ServiceFolder& folder)
    : wish_file_(folder.path() / "disk-wish"), undo_file_(folder.path() / "disk-undo") {
  const int file = ::open(wish_file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ::ftruncate(file, sizeof(DiskWish)) != 0)
    throw std::runtime_error("cannot make " + wish_file_.string());
  void* mapped = ::mmap(nullptr, sizeof(DiskWish), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (mapped == MAP_FAILED) throw std::runtime_error("cannot map " + wish_file_.string());
  wish_ = static_cast<DiskWish*>(mapped);
  folder.set_variable("LD_PRELOAD", TIDEOVER_DISK_LIBRARY);
  folder.set_variable("TIDEOVER_TEST_DISK_ROOT", folder.path().string());
  folder.set_variable("TIDEOVER_TEST_DISK_WISH", wish_file_.string());
}

FaultyDisk::~FaultyDisk() {
  ::munmap(wish_, sizeof(DiskWish));
}

void FaultyDisk::fail(DiskFault fault, const std::string& name_end) {
  heal();
  if (name_end.size() >= sizeof(wish_->name_end)) throw std::runtime_error("too long: " + name_end);
  std::memcpy(wish_->name_end, name_end.c_str(), name_end.size() + 1);
  wish_->hits = 0;
  wish_->fault = fault;
}

void FaultyDisk::remember_unsynced(ServiceFolder& folder, bool lies) {
  folder.set_variable("TIDEOVER_TEST_DISK_UNDO", undo_file_.string());
  if (lies) folder.set_variable("TIDEOVER_TEST_DISK_LIES", "1");
}

std::size_t FaultyDisk::cut_power(std::mt19937* random) {
  std::vector<Write> writes;
  std::map<std::string, std::uint64_t> durable;  // by path: writes up to here are
  std::ifstream notes(undo_file_, std::ios::binary);
  UndoNote note{};
  while (notes.read(reinterpret_cast<char*>(&note), sizeof(note))) {
    std::string path(note.path_bytes, '\0'), old(note.old_bytes, '\0');
    // A kill in the middle of a note: its write had not begun.
    if (!notes.read(path.data(), note.path_bytes) ||
        !notes.read(old.data(), static_cast<std::streamsize>(note.old_bytes)))
      break;
    if (note.kind == UndoNote::sync)
      durable[path] = std::max(durable[path], note.number);
    else
      writes.push_back({note, std::move(path), std::move(old)});
  }
  std::size_t taken_back = 0;
  for (auto write = writes.rbegin(); write != writes.rend(); ++write) {
    const auto known = durable.find(write->path);
    if (known != durable.end() && write->note.number <= known->second) continue;
    if (random != nullptr && (*random)() % 2 == 0) continue;
    take_back(*write);
    ++taken_back;
  }
  fs::remove(undo_file_);
  return taken_back;
}

}  // namespace tideover::test
