// Packs what an open claim keeps for its answer, and for the reversal of that answer, into few bytes: hundreds of
// thousands of claims are open at a time. Counts of an answer are kept for answered claims only.
#include <array>

#include "core/estimators/basics/packed.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

void put(PackedWriter& out, const Seen& seen) {
  out.put(seen.denied);
  out.put(seen.claims);
  out.put(seen.denials);
  out.put(seen.weight);
  out.put(seen.clear);
}
Seen seen_of(PackedReader& in) {
  Seen seen;
  seen.denied = in.get<bool>();
  seen.claims = in.get<double>();
  seen.denials = in.get<double>();
  seen.weight = in.get<double>();
  seen.clear = in.get<double>();
  return seen;
}

/// What a reversal needs of the answer to the claim or a line.
void put_denials(PackedWriter& out, const Seen& seen) {
  out.put(seen.denied);
  out.put(seen.denials);
}
Seen denials_of(PackedReader& in) {
  Seen seen;
  seen.denied = in.get<bool>();
  seen.denials = in.get<double>();
  return seen;
}

void put(PackedWriter& out, const FiredRule& rule) {
  out.put_text(rule.rule_id);
  out.put_text(rule.family);
  out.put_text(rule.carc);
  out.put_number(rule.line.value_or(-1));
  out.put_number(rule.weight_bps);
  out.put_number(rule.strength);
  out.put(rule.locked);
  out.put(rule.shadow);
  out.put(rule.hard);
}
FiredRule rule_of(PackedReader& in) {
  FiredRule rule;
  rule.rule_id = in.text();
  rule.family = in.text();
  rule.carc = in.text();
  if (const auto line = in.number(); line >= 0) rule.line = static_cast<int>(line);
  rule.weight_bps = static_cast<int>(in.number());
  rule.strength = static_cast<int>(in.number());
  rule.locked = in.get<bool>();
  rule.shadow = in.get<bool>();
  rule.hard = in.get<bool>();
  return rule;
}

void put(PackedWriter& out, const Weights::Hit& hit) {
  put(out, hit.seen);
  out.put(hit.denied);
  out.put(hit.confirmed);
  out.put(hit.expected);
  out.put_number(hit.charge.cents());
  out.put(hit.is_first);
  out.put(static_cast<std::uint8_t>(hit.group));
}
Weights::Hit hit_of(PackedReader& in) {
  Weights::Hit hit;
  hit.seen = seen_of(in);
  hit.denied = in.get<bool>();
  hit.confirmed = in.get<bool>();
  hit.expected = in.get<double>();
  hit.charge = domain::Money::cents(in.number());
  hit.is_first = in.get<bool>();
  hit.group = static_cast<CarcGroup>(in.get<std::uint8_t>());
  return hit;
}

void put(PackedWriter& out, const PricedLine& line) {
  out.put(line.code);
  out.put(line.modifiers);
  out.put_number(line.units_milli);
  out.put_number(line.charge);
  out.put_number(line.fee);
  out.put(line.section);
}
PricedLine priced_of(PackedReader& in) {
  PricedLine line;
  line.code = in.get<Key>();
  line.modifiers = in.get<Key>();
  line.units_milli = in.number();
  line.charge = in.number();
  line.fee = in.number();
  line.section = in.get<Section>();
  return line;
}

constexpr std::array<float, kWaysToRefuse> kNoNews{1, 1, 1};

/// Most groups have no policy against them, so the likelihoods are packed only when they carry information.
void put(PackedWriter& out, const Cell::Counting& counting) {
  const bool tells = counting.likelihood != kNoNews;
  out.put(tells);
  out.put(counting.claims);
  out.put(counting.denials);
  if (tells) out.put(counting.likelihood);
}
Cell::Counting counting_of(PackedReader& in) {
  Cell::Counting counting;
  const bool tells = in.get<bool>();
  counting.claims = in.get<float>();
  counting.denials = in.get<float>();
  if (tells) counting.likelihood = in.get<std::array<float, kWaysToRefuse>>();
  return counting;
}

/// The effects that apply, each with the counts that a reversal takes back.
template <class Keys, class Weighed>
void put_keys(PackedWriter& out, const Keys& keys, const Weighed& weighed, bool answered) {
  static_assert(std::tuple_size_v<Keys> <= 32);
  std::uint32_t applies = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) applies |= keys[i] != 0 ? 1U << i : 0U;
  out.put_number(applies);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == 0) continue;
    out.put(keys[i]);
    if (!answered) continue;
    out.put(weighed[i].expected);
    put(out, weighed[i].counting);
  }
}
template <class Keys, class Weighed>
void get_keys(PackedReader& in, Keys& keys, Weighed& weighed, bool answered) {
  const auto applies = static_cast<std::uint32_t>(in.number());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if ((applies >> i & 1U) == 0) continue;
    keys[i] = in.get<Key>();
    if (!answered) continue;
    weighed[i].expected = in.get<float>();
    weighed[i].counting = counting_of(in);
  }
}

}  // namespace

Packed State::packed(const Waiting& waiting, bool answered) {
  PackedWriter out;
  const auto& effects = waiting.effects;
  out.put(answered);
  out.put(effects.payer);
  out.put(effects.record);
  put_keys(out, effects.keys, effects.weighed, answered);
  out.put(static_cast<std::int8_t>(effects.step.position));
  if (answered) {
    out.put(effects.step.counting.likelihood);
    for (const auto& seen : effects.seen) put_denials(out, seen);
  }
  out.put_number(static_cast<std::int64_t>(effects.lines.size()));
  for (const auto& line : effects.lines) {
    put_keys(out, line.keys, line.weighed, answered);
    out.put(line.record);
    out.put(line.share);
    if (!answered) continue;
    put_denials(out, line.seen);
    out.put(static_cast<std::uint8_t>(line.refused_for));
  }
  out.put_number(static_cast<std::int64_t>(effects.rules.size()));
  for (const auto& read : effects.rules) {
    put(out, read.rule);
    out.put_number(read.line);
    out.put(read.major);
    if (answered) put(out, read.hit);
  }
  out.put_number(static_cast<std::int64_t>(waiting.lines.size()));
  for (const auto& line : waiting.lines) put(out, line);
  return out.packed();
}

Packed State::packed(const Waiting& waiting, bool answered, Observation* observed) {
  if (observed && observed->waiting_) return observed->waiting_;
  auto record = packed(waiting, answered);
  if (observed) observed->waiting_ = record;
  return record;
}

void State::keep(Open& open, Packed waiting) {
  waiting_bytes_ += waiting.bytes().size() - open.waiting.bytes().size();
  open.waiting = std::move(waiting);
}

State::Waiting State::unpacked(const Packed& packed) {
  PackedReader in(packed);
  Waiting waiting;
  auto& effects = waiting.effects;
  const bool answered = in.get<bool>();
  effects.payer = in.get<Key>();
  effects.record = in.get<Key>();
  get_keys(in, effects.keys, effects.weighed, answered);
  effects.step.position = in.get<std::int8_t>();  // NOLINT(bugprone-signed-char-misuse): -1 is a position
  if (answered) {
    effects.step.counting.likelihood = in.get<ChargeSteps::Likelihood>();
    for (auto& seen : effects.seen) seen = denials_of(in);
  }
  effects.lines.resize(static_cast<std::size_t>(in.number()));
  for (auto& line : effects.lines) {
    get_keys(in, line.keys, line.weighed, answered);
    line.record = in.get<Key>();
    line.share = in.get<double>();
    if (!answered) continue;
    line.seen = denials_of(in);
    line.refused_for = static_cast<CarcGroup>(in.get<std::uint8_t>());
  }
  effects.rules.resize(static_cast<std::size_t>(in.number()));
  for (auto& read : effects.rules) {
    read.rule = rule_of(in);
    read.line = static_cast<int>(in.number());
    read.major = in.get<bool>();
    if (answered) read.hit = hit_of(in);
  }
  waiting.lines.resize(static_cast<std::size_t>(in.number()));
  for (auto& line : waiting.lines) line = priced_of(in);
  return waiting;
}

}  // namespace tideover::estimators
