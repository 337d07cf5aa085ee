#include <iterator>

#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {

std::vector<Target> all_targets() {
  std::vector<Target> all;
  for (auto part : {file_targets, wire_targets, front_targets, code_targets, text_targets, rule_targets,
                    learning_targets, plugin_targets, book_targets}) {
    auto targets = part();
    all.insert(all.end(), std::make_move_iterator(targets.begin()), std::make_move_iterator(targets.end()));
  }
  return all;
}

}  // namespace tideover::fuzz
