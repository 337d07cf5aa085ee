#include "core/node/process_identity.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tideover::node {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// Field 22 of /proc/PID/stat: start time in clock ticks since boot. Empty when the process does not exist or is a
/// zombie. The second field, the program name, may contain any character and ends with the last parenthesis.
std::string start_of(const std::string& pid) {
  const std::string stat = first_line("/proc/" + pid + "/stat");
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return "";
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return "";
  for (int number = 4; number <= 22; ++number) fields >> field;
  return field;
}

std::string machine() {
  std::error_code unknown;
  return first_line("/proc/sys/kernel/random/boot_id") + ' ' +
         std::filesystem::read_symlink("/proc/self/ns/pid", unknown).string();
}

}  // namespace

std::string process_identity() {
  const std::string pid = std::to_string(::getpid());
  return "machine " + machine() + " process " + pid + " start " + start_of(pid);
}

usecases::ProcessState state_of_process(const std::string& identity) {
  const std::string here = "machine " + machine() + " process ";
  if (!identity.starts_with(here)) return usecases::ProcessState::elsewhere;
  std::istringstream rest(identity.substr(here.size()));
  std::string pid, word, start;
  rest >> pid >> word >> start;
  return start_of(pid) == start ? usecases::ProcessState::alive : usecases::ProcessState::gone;
}

}  // namespace tideover::node
