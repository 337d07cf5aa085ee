#include "core/lua/facts/memo_cache.hpp"

#include <algorithm>

namespace tideover::lua {
namespace {

bool is_same(const FactQuestion& one, const FactQuestion& other) {
  return one.field == other.field && one.line == other.line;
}

/// The numbers in rules are close together; a multiplication distributes them.
std::size_t spread(std::uint64_t value) {
  return static_cast<std::size_t>((value * 0x9e3779b97f4a7c15) >> 20);
}

}  // namespace

QuestionCache::Slot QuestionCache::slot_of(const FactQuestion& question) {
  const auto known =
      std::find_if(questions_.begin(), questions_.end(), [&](const auto& asked) { return is_same(asked, question); });
  const auto slot = static_cast<Slot>(known - questions_.begin());
  if (known == questions_.end()) {
    questions_.push_back(question);
    answers_.resize(questions_.size() * kLines);
  }
  return slot;
}

CachedAnswer QuestionCache::ask_now(const FactQuestion& question, const Window& window) const {
  using Kind = CachedAnswer::Kind;
  const auto value = answer_now(question, window);
  if (!value) return {};
  if (const auto* number = std::get_if<std::int64_t>(&*value)) return {*number, Kind::number};
  if (const auto* yes = std::get_if<bool>(&*value)) return {*yes ? 1 : 0, Kind::boolean};
  if (const auto* text = std::get_if<std::string_view>(&*value)) {
    const auto known = text->size() > kLongestText ? texts_.end() : texts_.find(*text);
    return known == texts_.end() ? CachedAnswer{} : CachedAnswer{known->second, Kind::text};
  }
  return {0, Kind::nil};
}

const CachedAnswer& QuestionCache::answer(Slot slot, const FactQuestion& question, const Window& window) {
  const std::size_t line = question.line == kAskedLine ? window.line : 0;
  if (line >= kLines) return passing_ = ask_now(question, window);
  KnownAnswer& value = answers_[slot * kLines + line];
  if (value.claim != claim_) value = {claim_, ask_now(question, window)};
  return value.answer;
}

std::optional<CachedAnswer> QuestionCache::keep(const FactValue& value) {
  using Kind = CachedAnswer::Kind;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return CachedAnswer{*number, Kind::number};
  if (const auto* yes = std::get_if<bool>(&value)) return CachedAnswer{*yes ? 1 : 0, Kind::boolean};
  const auto* text = std::get_if<std::string_view>(&value);
  if (text == nullptr) return CachedAnswer{0, Kind::nil};
  if (text->size() > kLongestText) return std::nullopt;
  const auto known = texts_.find(*text);
  if (known != texts_.end()) return CachedAnswer{known->second, Kind::text};
  const auto number = static_cast<std::int64_t>(texts_.size());
  texts_.emplace(*text, number);
  return CachedAnswer{number, Kind::text};
}

void QuestionCache::forget_texts() {
  texts_.clear();
  begin_claim();
}

void CodeMemo::look_at(const domain::ClaimDraft& claim) {
  if (codes_.size() + claim.service_lines.size() > kMostCodes) forget();
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

void CodeMemo::learn(std::size_t rule, std::size_t line, const FactReads& reads) {
  const auto all = reads.all();
  const auto is_of_its_code = [](const auto& read) {
    return read.question.line == kAskedLine && is_of_code(*read.question.field);
  };
  if (known_[line] != nothing_.data() && reads.is_whole() && std::all_of(all.begin(), all.end(), is_of_its_code))
    known_[line][rule / 64] |= std::uint64_t{1} << (rule % 64);
}

std::uint64_t CodeMemo::silent_of_all(std::size_t word) const {
  std::uint64_t silent = ~std::uint64_t{0};
  for (const auto* bits : known_) silent &= bits[word];
  return silent;
}

void CodeMemo::forget() {
  known_.clear();
  codes_.clear();
}

bool MemoCache::is_on() {
  if (pause_ == 0) return true;
  --pause_;
  return false;
}

bool MemoCache::knows_silence(QuestionCache& cache, const Window& window) {
  if (nodes_.empty()) return false;
  std::uint32_t at = 0;
  while (nodes_[at].question.field != nullptr) {
    const auto& value = cache.answer(nodes_[at].slot, nodes_[at].question, window);
    if (value.kind == CachedAnswer::Kind::other) return false;
    at = steps_[place_of(at, value)].to;
    if (at == 0) return false;
  }
  ++spared_;
  return true;
}

std::size_t MemoCache::place_of(std::uint32_t from, const CachedAnswer& answer) const {
  const std::size_t mask = steps_.size() - 1;
  auto place = spread(static_cast<std::uint64_t>(answer.value) * 31 + (std::uint64_t{from} << 8) +
                      static_cast<std::uint64_t>(answer.kind)) &
               mask;
  while (steps_[place].to != 0 && (steps_[place].from != from || steps_[place].answer != answer))
    place = (place + 1) & mask;
  return place;
}

/// A new node for the answer.
std::uint32_t MemoCache::add_step(std::uint32_t from, const CachedAnswer& answer) {
  if (++step_count_ * 2 > steps_.size()) {
    std::vector<Step> grown(steps_.size() * 2);
    grown.swap(steps_);
    for (const auto& step : grown)
      if (step.to != 0) steps_[place_of(step.from, step.answer)] = step;
  }
  const auto to = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  steps_[place_of(from, answer)] = {answer, from, to};
  return to;
}

void MemoCache::learn(QuestionCache& cache, const FactReads& reads) {
  if (!reads.is_whole() || cache.is_full()) return;
  const auto all = reads.all();
  std::array<CachedAnswer, FactReads::kMost> answers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto kept = cache.keep(all[i].value);
    if (!kept) return;
    answers[i] = *kept;
  }
  if (step_count_ + all.size() > kMostSteps) free_steps();
  if (pause_ > 0) return;

  ++learnt_;
  if (steps_.empty()) steps_.resize(16);
  std::uint32_t at = 0;
  bool is_new = nodes_.empty();  // the current node of the walk
  if (is_new) nodes_.emplace_back();
  for (auto read = all.begin(); read != all.end(); ++read) {
    // Repeating the question gives the same answer.
    if (std::any_of(all.begin(), read, [&](const auto& earlier) { return is_same(earlier.question, read->question); }))
      continue;
    if (is_new) nodes_[at] = {read->question, cache.slot_of(read->question)};
    if (nodes_[at].question.field == nullptr || !is_same(nodes_[at].question, read->question))
      return forget();  // it read what another rule kept: this claim ends with a fault
    const auto& answer = answers[static_cast<std::size_t>(read - all.begin())];
    const auto known = steps_[place_of(at, answer)].to;
    is_new = known == 0;
    at = is_new ? add_step(at, answer) : known;
  }
}

void MemoCache::forget() {
  nodes_.clear();
  steps_.clear();
  step_count_ = 0;
  spared_ = learnt_ = 0;
}

void MemoCache::free_steps() {
  if (spared_ < learnt_ * kWorthwhile) pause_ = kPause;
  forget();
}

}  // namespace tideover::lua
