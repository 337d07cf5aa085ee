// The health response (core/docs/contract.md#access). Pure functions.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/domain/basics/date.hpp"

namespace tideover::wire {

struct Health {
  std::string version;
  domain::Timestamp now;
  bool ok = true;
  std::vector<std::pair<std::string, std::string>> checks;  // name -> "ok" or a description of the problem
};
std::string encode_health(const Health& health);

}  // namespace tideover::wire
