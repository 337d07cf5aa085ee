// An intruder with access to the database file: writes past the service, without its triggers, and can put everything
// back.
#pragma once
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tideover::tests {

class Intruder {
 public:
  explicit Intruder(const std::filesystem::path& database);
  ~Intruder();
  Intruder(const Intruder&) = delete;
  Intruder& operator=(const Intruder&) = delete;

  /// Rows changed, or -1 where the schema refuses.
  int run(const std::string& sql);
  std::int64_t number(const std::string& query);
  std::vector<std::string> texts(const std::string& query);
  /// Without generated columns.
  std::string columns_of(const std::string& table);
  void set_hash(const std::string& table, const std::string& chain, std::int64_t position, const std::string& hash);
  /// The tables as they were when this object was made.
  void put_back();

 private:
  sqlite3* database_ = nullptr;
};

}  // namespace tideover::tests
