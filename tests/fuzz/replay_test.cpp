// The corpus and mutations of it, with every build: no search, but what was found once stays found, and a sanitizer
// build sees hundreds of thousands of broken inputs.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {

std::ostream& operator<<(std::ostream& out, const Target& target) {
  return out << target.name;
}

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kSeed = 20261122;
constexpr std::size_t kMutations = 20'000;      // of each target, by its cost
constexpr std::size_t kLargestSeed = 16 << 10;  // mutations of larger files are slow and tell little

std::vector<std::string> corpus_of(const Target& target) {
  std::vector<fs::path> folders{fs::path(TIDEOVER_SOURCE_DIR) / "tests/fuzz/corpus" / target.name};
  for (const auto& seeds : target.seeds) folders.push_back(fs::path(TIDEOVER_SOURCE_DIR) / seeds);
  std::vector<fs::path> files;
  for (const auto& folder : folders)
    if (fs::is_directory(folder))
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> corpus;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

class Mutator {
 public:
  std::string operator()(std::string text, const std::string& other) {
    for (int changes = 1 + below(4); changes > 0; --changes) {
      const auto at = place(text);
      switch (below(8)) {
        case 0:
          text.resize(at);
          break;
        case 1:
          text.insert(at, 1, static_cast<char>(below(256)));
          break;
        case 2:
          text.erase(at, 1 + place(text) % 16);
          break;
        case 3:
          text.insert(at, text.substr(place(text), place(text) % 64));
          break;
        case 4:
          text.insert(at, other.substr(place(other), place(other) % 64));
          break;
        case 5:
          text.insert(at, 1, kTelling[below(sizeof kTelling - 1)]);
          break;
        default:
          if (!text.empty()) text[std::min(at, text.size() - 1)] = static_cast<char>(below(256));
      }
    }
    return text;
  }

 private:
  static constexpr char kTelling[] = "\0\n\r*~:^|,;\"'\\/{}[]-+.0918e\xff\xef=";
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  std::size_t place(const std::string& text) {
    return static_cast<std::size_t>(below(static_cast<int>(text.size()) + 1));
  }
  std::mt19937 random_{kSeed};
};

std::string shown(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes.substr(0, 4096)) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

bool holds(const Target& target, const std::string& bytes) {
  try {
    target.run(bytes);
    return true;
  } catch (const std::exception& error) {  // Broken, or what the product threw
    BOOST_ERROR(target.name << ": " << error.what() << "; the input in hex: " << shown(bytes));
    return false;
  }
}

BOOST_DATA_TEST_CASE(the_corpus_and_its_mutations_break_no_invariant, boost::unit_test::data::make(all_targets()),
                     target) {
  const auto corpus = corpus_of(target);
  BOOST_REQUIRE_MESSAGE(!corpus.empty(), target.name << " has no corpus");
  for (const auto& bytes : corpus) BOOST_REQUIRE(holds(target, bytes));
  std::vector<std::string> small;
  std::ranges::copy_if(corpus, std::back_inserter(small),
                       [](const auto& bytes) { return bytes.size() <= kLargestSeed; });
  BOOST_REQUIRE(!small.empty());
  Mutator mutate;
  const auto mutations = kMutations / target.cost;
  for (std::size_t round = 0; round < mutations; ++round)
    BOOST_REQUIRE(holds(target, mutate(small[round % small.size()], small[round * 7 % small.size()])));
  std::cout << "  " << target.name << ": " << corpus.size() << " files, " << mutations << " mutations" << std::endl;
}

}  // namespace
}  // namespace tideover::fuzz
