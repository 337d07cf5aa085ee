// The disk under a service, in the hands of the test. Make it before the service starts and keep it as long.
#pragma once

#include <filesystem>
#include <random>
#include <string>

#include "tests/fault/disk/disk_wish.hpp"
#include "tests/support/service/service_folder.hpp"

namespace tideover::test {

class FaultyDisk {
 public:
  /// Every service started in the folder from now on has this disk.
  explicit FaultyDisk(ServiceFolder& folder);
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  /// Writes to files whose path ends so fail like this from now on, also in the service that runs.
  void fail(DiskFault fault, const std::string& name_end);
  void heal() { wish_->fault = DiskFault::none; }
  /// How many calls have failed since fail().
  std::uint64_t hits() const { return wish_->hits; }

  /// Notes from now on what is not durable; `lies`: fsync says yes and does nothing.
  void remember_unsynced(ServiceFolder& folder, bool lies = false);
  /// After the service was killed: the files as a power cut would have left them. Unsynced writes are lost, all of them
  /// or, with `random`, each one by chance. Returns how many were taken back.
  std::size_t cut_power(std::mt19937* random = nullptr);

 private:
  const std::filesystem::path wish_file_, undo_file_;
  DiskWish* wish_ = nullptr;
};

}  // namespace tideover::test
