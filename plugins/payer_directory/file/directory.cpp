// The payer directory that ships with Tideover. Reads payers from one text file at start. Immutable after construction,
// therefore thread-safe.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "payer_file.hpp"
#include "payer_search.hpp"
#include "tideover/payer_directory.hpp"

namespace payer_file {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kLongestQuery = 200;
constexpr std::array<const char*, 7> kSystems{"stedi", "availity", "optum", "waystar", "cms", "naic", "ein"};

class Directory : public sdk::PayerDirectory {
 public:
  static constexpr std::array<tideover_config_key, 1> kConfigKeys{
      {{TIDEOVER_STR("path"), TIDEOVER_STR("JSON Lines file with one payer per line"), 1}}};

  Directory(const sdk::Host& host, const sdk::Config& config) : payers_(load(config.require("path"))) {
    std::unordered_map<std::string, std::size_t> position_of;
    for (const auto& payer : payers_) position_of.emplace(payer.payer_id, position_of.size());
    std::sort(payers_.begin(), payers_.end(),
              [](const sdk::Payer& a, const sdk::Payer& b) { return a.payer_id < b.payer_id; });
    for (const auto& payer : payers_) entries_.push_back(make_entry(payer, position_of.at(payer.payer_id)));
    // An id precedes an alias, an alias precedes a crosswalk identifier; among equals the first payer keeps the name.
    for (std::size_t i = 0; i < payers_.size(); ++i) by_name_.emplace(fold(payers_[i].payer_id), i);
    for (std::size_t i = 0; i < payers_.size(); ++i)
      for (const auto& alias : entries_[i].aliases) by_name_.emplace(alias.text, i);
    for (std::size_t i = 0; i < payers_.size(); ++i)
      for (const auto& id : entries_[i].identifiers) by_name_.emplace(id.text, i);
    host.log(TIDEOVER_LOG_INFO, std::to_string(payers_.size()) + " payers loaded");
  }

  const sdk::Payer* get(std::string_view payer_id, const sdk::Deadline&) override {
    const auto found = by_name_.find(fold(payer_id));
    return found == by_name_.end() ? nullptr : &payers_[found->second];
  }

  std::vector<sdk::PayerMatch> search(const sdk::PayerQuery& query, const sdk::Deadline&) override {
    if (query.text.size() > kLongestQuery)
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                       "the search text is longer than " + std::to_string(kLongestQuery) + " characters");
    return query.text.empty() ? list(query) : rank(query);
  }

  std::vector<std::string> systems() override { return {kSystems.begin(), kSystems.end()}; }

 private:
  bool is_in(std::size_t index, std::string_view system) const {
    const auto& ids = entries_[index].identifiers;
    return system == "any" || std::any_of(ids.begin(), ids.end(), [&](const auto& id) { return id.system == system; });
  }

  std::vector<sdk::PayerMatch> list(const sdk::PayerQuery& query) const {
    std::vector<sdk::PayerMatch> matches;
    for (std::size_t i = 0; i < payers_.size() && matches.size() < query.limit; ++i)
      if (payers_[i].payer_id > query.after && is_in(i, query.system)) matches.push_back({&payers_[i], 10'000, {}});
    return matches;
  }

  std::vector<sdk::PayerMatch> rank(const sdk::PayerQuery& query) const {
    const SearchText text(query.text, query.system);
    for (const auto kind : {MatchKind::as_written, MatchKind::misspelled, MatchKind::partial})
      if (auto matches = matches_of(text, kind); !matches.empty()) {
        if (matches.size() > query.limit) matches.resize(query.limit);
        return matches;
      }
    return {};
  }

  std::vector<sdk::PayerMatch> matches_of(const SearchText& text, MatchKind kind) const {
    std::vector<sdk::PayerMatch> matches;
    for (std::size_t i = 0; i < payers_.size(); ++i)
      if (auto found = score(entries_[i], text, kind); found.bps > 0)
        matches.push_back({&payers_[i], found.bps, std::move(found.fields)});
    const auto position = [&](const sdk::PayerMatch& match) {
      return entries_[static_cast<std::size_t>(match.payer - payers_.data())].position;
    };
    std::sort(matches.begin(), matches.end(), [&](const auto& a, const auto& b) {
      return a.score_bps != b.score_bps ? a.score_bps > b.score_bps : position(a) < position(b);
    });
    return matches;
  }

  std::vector<sdk::Payer> payers_;    // in payer_id order
  std::vector<SearchEntry> entries_;  // parallel to payers_
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace
}  // namespace payer_file

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::PayerDirectory, payer_file::Directory, "file", "Payers from a file", "1.0.0",
                       "0.1.0");
