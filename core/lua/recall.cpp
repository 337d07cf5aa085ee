#include "core/lua/recall.hpp"

#include <algorithm>
#include <functional>

namespace tideover::lua {
namespace {

bool is_same(const FactQuestion& one, const FactQuestion& other) {
  return one.field == other.field && one.line == other.line;
}

}  // namespace

std::size_t Recall::StepHash::operator()(const Step& step) const {
  return std::hash<FactValue>{}(step.answer) ^ step.from * 0x9e3779b97f4a7c15;
}

void CodeRecall::look_at(const domain::ClaimDraft& claim) {
  if (codes_.size() + claim.service_lines.size() > kMostCodes) forget();
  nothing_.assign(words_, 0);
  known_.clear();
  for (const auto& line : claim.service_lines) {
    if (line.cpt.size() + line.modifier.size() > kLongestText) {
      known_.push_back(nothing_.data());
      continue;
    }
    key_.assign(line.cpt).append(1, '\0').append(line.modifier);
    auto& bits = codes_[key_];
    if (bits.empty()) bits.resize(words_);
    known_.push_back(bits.data());
  }
}

void CodeRecall::learn(std::size_t rule, std::size_t line, const FactReads& reads) {
  const auto all = reads.all();
  const auto is_of_its_code = [](const auto& read) { return read.question.line == kAskedLine && is_of_code(*read.question.field); };
  if (known_[line] != nothing_.data() && reads.is_whole() && std::all_of(all.begin(), all.end(), is_of_its_code)) known_[line][rule / 64] |= std::uint64_t{1} << (rule % 64);
}

void CodeRecall::forget() {
  known_.clear();
  codes_.clear();
}

bool Recall::is_on() {
  if (pause_ == 0) return true;
  --pause_;
  return false;
}

bool Recall::knows_silence(const Window& window) {
  if (nodes_.empty()) return false;
  for (std::uint32_t at = 0; nodes_[at].field != nullptr;) {
    const auto heard = hear(nodes_[at], window);
    if (!heard) return false;
    const auto step = steps_.find({at, *heard});
    if (step == steps_.end()) return false;
    at = step->second;
  }
  ++spared_;
  return true;
}

void Recall::learn(const FactReads& reads) {
  if (!reads.is_whole()) return;
  const auto all = reads.all();
  for (const auto& read : all)
    if (const auto* text = std::get_if<std::string_view>(&read.heard); text != nullptr && text->size() > kLongestText) return;
  if (steps_.size() + all.size() > kMostSteps) make_room();
  if (pause_ > 0) return;

  ++learnt_;
  std::uint32_t at = 0;
  bool is_new = nodes_.empty();  // the node at which the walk stands
  if (is_new) nodes_.emplace_back();
  for (auto read = all.begin(); read != all.end(); ++read) {
    // Asking again brings the same answer.
    if (std::any_of(all.begin(), read, [&](const auto& earlier) { return is_same(earlier.question, read->question); })) continue;
    if (is_new) nodes_[at] = read->question;
    if (!is_same(nodes_[at], read->question)) return forget();  // it read what another rule kept: this claim ends with a fault
    const auto known = steps_.find({at, read->heard});
    is_new = known == steps_.end();
    if (!is_new) {
      at = known->second;
      continue;
    }
    FactValue answer = read->heard;
    if (const auto* text = std::get_if<std::string_view>(&answer)) answer = std::string_view(texts_.emplace_back(*text));
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    steps_.emplace(Step{at, answer}, next);
    at = next;
  }
}

void Recall::forget() {
  nodes_.clear();
  steps_.clear();
  texts_.clear();
  spared_ = learnt_ = 0;
}

void Recall::make_room() {
  if (spared_ < learnt_ * kWorthwhile) pause_ = kPause;
  forget();
}

}  // namespace tideover::lua
