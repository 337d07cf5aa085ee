// Attributes a denial to causes: by the payer's code and the denied lines, weighted with the probability of each cause.
// A denial for one cause is no evidence for the others, because they could not be observed any more.
#include <algorithm>
#include <array>

#include "core/domain/basics/within.hpp"
#include "core/estimators/effects/strengths.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

constexpr double kUsualDenial = 0.10;

}  // namespace

/// The answer per submitted line: in order where the procedure codes agree, otherwise by code.
State::Answer State::answer_of(const std::vector<PricedLine>& lines, const Label& label) {
  Answer answer{label.denied(), {packed_carc(label.carc), label.group}, {}};
  answer.lines.assign(lines.size(), {answer.denied, answer.code});
  if (label.lines.empty() || label.lines.front().code.empty()) return answer;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto is_same = [&](const LineLabel& line) { return key_of(line.code) == lines[i].code; };
    const auto at = i < label.lines.size() && is_same(label.lines[i])
                        ? label.lines.begin() + static_cast<std::ptrdiff_t>(i)
                        : std::find_if(label.lines.begin(), label.lines.end(), is_same);
    if (at == label.lines.end()) continue;
    answer.lines[i] = {at->denied,
                       {packed_carc(at->carc), at->carc.empty() ? CarcGroup::other : group_of_carc(at->carc)}};
  }
  return answer;
}

/// P(not denied) without rules.
double State::spared_without_rules(const Effects& effects) {
  double spared = 1;
  for (const Cause cause : {Cause::office, Cause::enrolment, Cause::patient, Cause::timing, Cause::documents})
    spared *= 1 - static_cast<double>(effects.estimated(cause));
  for (const auto& line : effects.lines) spared *= 1 - line.share * static_cast<double>(line.estimated());
  return spared;
}

/// P(denied) without this rule and its family; `spared`: without any rule.
double State::denied_without(const Effects& effects, const RuleReading& read, double spared) {
  for (const auto& other : effects.rules)
    if (&other != &read && !other.rule.shadow && (other.rule.family.empty() || other.rule.family != read.rule.family))
      spared *= 1 - other.weight;
  return domain::within(1 - spared, 1e-4, 0.99);
}

/// Computes what the answer says about each cause, about the claim and its lines, and about each rule.
void State::attribute(Effects& effects, const Answer& answer) const {
  const auto by_rule = [&](const RuleReading& read, Code code) {
    return read.weight * weights_.code_share(read.rule, code.group);
  };
  const auto estimated = [&](Cause cause) { return static_cast<double>(effects.estimated(cause)); };
  const auto share = [](double part, double of) { return of > 0 ? part / of : 0.0; };
  const std::size_t lines =
      std::max<std::size_t>(answer.lines.size(), 1);  // without lines: one line of unknown procedure
  const auto line_answer = [&](std::size_t i) {
    return answer.lines.empty() ? Answer::Line{answer.denied, answer.code} : answer.lines[i];
  };
  bool may_be_whole = true;  // all denied with one code: by a cause of the claim, or each line by itself
  for (std::size_t i = 0; i < lines; ++i)
    may_be_whole = may_be_whole && line_answer(i).denied && line_answer(i).code == line_answer(0).code;

  std::array<double, kCauses> by{};
  double of_claim = 0, of_lines = 1;
  if (may_be_whole) {
    for (const Cause cause : {Cause::office, Cause::enrolment, Cause::patient, Cause::timing, Cause::documents})
      of_claim += by[static_cast<std::size_t>(cause)] = estimated(cause) * reasons_.share(cause, answer.code.group);
    for (const auto& read : effects.rules)
      if (read.line < 0 && !read.rule.shadow) of_claim += by_rule(read, answer.code);
  }
  std::vector<double> of_line(lines, 0.0), by_procedure(lines, 0.0);
  for (std::size_t i = 0; i < lines; ++i)
    of_line[i] = by_procedure[i] =
        (answer.lines.empty() ? estimated(Cause::procedure) : static_cast<double>(effects.lines[i].estimated())) *
        reasons_.share(Cause::procedure, line_answer(i).code.group);
  for (const auto& read : effects.rules)
    if (read.line >= 0 && !read.rule.shadow)
      of_line[static_cast<std::size_t>(read.line)] +=
          by_rule(read, line_answer(static_cast<std::size_t>(read.line)).code);
  for (const double one : of_line) of_lines *= one;
  const double whole = may_be_whole ? share(of_claim, of_claim + of_lines) : 0, apart = 1 - whole;

  for (const Cause cause : {Cause::office, Cause::enrolment, Cause::patient, Cause::timing, Cause::documents})
    effects.seen[static_cast<std::size_t>(cause)] = {may_be_whole, 1,
                                                     whole * share(by[static_cast<std::size_t>(cause)], of_claim)};
  Seen procedures{may_be_whole, 0, 0};
  for (std::size_t i = 0; i < lines; ++i) {
    const Seen seen{line_answer(i).denied, apart,
                    line_answer(i).denied ? apart * share(by_procedure[i], of_line[i]) : 0};
    procedures.claims += seen.claims;
    procedures.denials += seen.denials;
    if (!answer.lines.empty()) effects.lines[i].seen = seen;
  }
  effects.seen[static_cast<std::size_t>(Cause::procedure)] = procedures;

  const double spared = spared_without_rules(effects);
  for (auto& read : effects.rules) {
    auto& hit = read.hit;
    hit.expected = denied_without(effects, read, spared);
    hit.is_first = std::none_of(effects.rules.data(), &read,
                                [&](const RuleReading& earlier) { return earlier.rule.rule_id == read.rule.rule_id; });
    hit.denied = answer.denied;
    hit.confirmed = answer.denied && group_of_carc(read.rule.carc) == answer.code.group;
    const auto line = static_cast<std::size_t>(std::max(read.line, 0));
    hit.group = read.line < 0 ? answer.code.group : line_answer(line).code.group;
    const double own = by_rule(read, read.line < 0 ? answer.code : line_answer(line).code);
    const double all = (read.line < 0 ? of_claim : of_line[line]) + (read.rule.shadow ? own : 0);
    if (read.line < 0)
      hit.seen = {may_be_whole, 1, whole * share(own, all)};
    else
      hit.seen = {line_answer(line).denied, apart, line_answer(line).denied ? apart * share(own, all) : 0};
  }
}

void State::count(Open& open, Effects& effects, const Answer& answer, domain::Date day) {
  const Week now = std::max(week_, week_of(day));
  effects.week = now;
  weigh(effects);
  attribute(effects, answer);
  // From the narrowest group to the widest: a denial that a policy against a narrow group explains teaches nothing
  // about the wider groups.
  const auto count_one = [&](Key key, Weighed& weighed, Strength strength, Seen seen, std::uint16_t carc, double weight,
                             double clear) {
    if (key == 0) return 1.0;
    seen.weight = weight;
    seen.clear = clear;
    weighed.counting = cells_.at(key, now).count(now, seen, static_cast<double>(weighed.expected), carc, strength);
    return 1 - static_cast<double>(weighed.counting.refused);
  };
  // Each narrower group counts as evidence about a policy of the wider one once, mostly while it is new.
  const auto news_of = [&](Key narrower) {
    const Cell* known = cells_.find(narrower);
    const double share = kFewTell / (kFewTell + (known ? known->claims(now) : 0));
    return share * share;
  };
  const double news_of_servicer = news_of(effects.keys[kServicerPair]);
  double of_lines = 0;
  for (std::size_t line = 0; line < effects.lines.size(); ++line) {
    auto& read = effects.lines[line];
    const double news = news_of(read.keys[kCodeAtPayer]);
    double clear = 1;
    for (std::size_t i = kLineEffects; i-- > 0;)
      clear *= count_one(read.keys[i], read.weighed[i], kLineStrength[i], read.seen, answer.lines[line].code.carc,
                         i == kCodeOfClass ? news : 1, clear);
    cells_.at(read.record, now).count(now, read.seen.denied, kUsualDenial, answer.lines[line].code.carc);
    of_lines += clear / static_cast<double>(effects.lines.size());
    read.refused_for = answer.lines[line].code.group;
    if (read.seen.denied) reasons_.learn(Cause::procedure, read.refused_for, read.seen.denials);
  }
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    const bool of_procedures = cause == static_cast<std::size_t>(Cause::procedure);
    double clear = of_procedures && !effects.lines.empty() ? of_lines : 1;
    if (cause == static_cast<std::size_t>(Cause::documents)) {
      auto& step = effects.step;
      step.counting =
          steps_.count(effects.payer, now, step.position, effects.seen[cause], static_cast<double>(step.expected));
      clear *= 1 - static_cast<double>(step.counting.beyond);
    }
    for (std::size_t i = kLastOf[cause] + 1; i-- > kFirstOf[cause];)
      clear *= count_one(effects.keys[i], effects.weighed[i], kEffectStrength[i], effects.seen[cause], answer.code.carc,
                         i == kServicerEnrolled ? news_of_servicer : 1, clear);
    if (!of_procedures && effects.seen[cause].denied)
      reasons_.learn(static_cast<Cause>(cause), answer.code.group, effects.seen[cause].denials);
  }
  const bool denied = answer.denied;
  cells_.at(effects.record, now).count(now, denied, kUsualDenial, answer.code.carc);
  for (auto& read : effects.rules) {
    read.hit.charge = domain::Money::cents(open.assessed->amount);
    weights_.count(read.rule, open.assessed->payer, now, read.hit);
  }
  open.answered = true;
  open.denied = denied;
  open.carc = answer.code.carc;
  open.group = answer.code.group;
  open.answered_week = now;
  grades_.denial.add(open.assessed->graded.p_denial, denied);
  keep_matured(open, {open.assessed->features, denied, open.assessed->claim});
  ++since_fit_;
}

/// Adds a row to the ring that the blend is fitted to.
void State::keep_matured(Open& open, const MaturedClaim& matured) {
  if (matured_.size() < options_.matured) {
    open.matured_at = static_cast<std::uint32_t>(matured_.size());
    matured_.push_back(matured);
  } else if (!matured_.empty()) {
    open.matured_at = static_cast<std::uint32_t>(next_matured_);
    matured_[next_matured_] = matured;
    next_matured_ = (next_matured_ + 1) % matured_.size();
  }
}

void State::undo(Open& open, Observation* observed) {
  const Week then = open.answered_week, now = std::max(week_, then);
  const auto waiting = unpacked(open.waiting);
  const auto& effects = waiting.effects;
  const auto take_back = [&](Key key, const Weighed& weighed) {
    if (key != 0) cells_.uncount(key, now, then, weighed.counting, static_cast<double>(weighed.expected));
  };
  for (std::size_t i = 0; i < kEffects; ++i) take_back(effects.keys[i], effects.weighed[i]);
  const auto take_back_record = [&](Key key, bool denied) {
    Cell::Counting whole;
    whole.claims = 1;
    whole.denials = denied ? 1 : 0;
    cells_.uncount(key, now, then, whole, kUsualDenial);
  };
  steps_.uncount(effects.payer, effects.step.position, effects.step.counting);
  for (const auto& line : effects.lines) {
    for (std::size_t i = 0; i < kLineEffects; ++i) take_back(line.keys[i], line.weighed[i]);
    take_back_record(line.record, line.seen.denied);
    if (line.seen.denied) reasons_.learn(Cause::procedure, line.refused_for, -line.seen.denials);
  }
  for (const Cause cause : {Cause::office, Cause::enrolment, Cause::patient, Cause::timing, Cause::documents})
    if (const auto& seen = effects.seen[static_cast<std::size_t>(cause)]; seen.denied)
      reasons_.learn(cause, open.group, -seen.denials);
  take_back_record(effects.record, open.denied);
  for (const auto& read : effects.rules) weights_.uncount(read.rule, open.assessed->payer, now, then, read.hit);
  grades_.denial.take_back(open.assessed->graded.p_denial, open.denied);
  if (open.matured_at < matured_.size() && matured_[open.matured_at].claim == open.assessed->claim)
    matured_[open.matured_at].claim = 0;
  take_back_amounts(open);
  if (Pair* pair = pairs_.find(joined(joined(open.assessed->billing, open.assessed->servicer), open.assessed->payer))) {
    pair->responses -= pair->responses > 0;
    pair->paid -= open.pair_paid && pair->paid > 0;
  }
  open.pair_paid = false;
  charts_.take_back(open.assessed->chart, open.assessed->payer, open.assessed->servicer, open.chart_change);
  open.chart_change = {};
  keep(open, packed(waiting, false, observed));
  open.answered = open.denied = false;
  if (open.cash <= 0) open.first_posted.reset();
}

}  // namespace tideover::estimators
