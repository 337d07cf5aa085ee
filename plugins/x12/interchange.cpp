#include "x12/interchange.hpp"

#include "x12/elements.hpp"

namespace x12 {
namespace {

struct Names {
  const char *header, *trailer, *parts, *control, *left_open;
  std::size_t control_at;
};
constexpr std::array<Names, 3> kNames{{{"ISA", "IEA", "groups", "ISA13", "the interchange has no IEA", 13},
                                       {"GS", "GE", "transactions", "GS06", "the group has no GE", 6},
                                       {"ST", "SE", "segments", "ST02", "the last transaction has no SE", 2}}};

}  // namespace

bool InterchangeReader::next() {
  const bool is_read = segments_.next(segment_);
  is_read ? take() : end_file();
  return is_read;
}

void InterchangeReader::take() {
  ++counts_[kTransaction];
  for (const Level level : {kInterchange, kGroup, kTransaction}) {
    if (segment_.id() == kNames[level].header) return begin(level);
    if (segment_.id() == kNames[level].trailer) return end(level);
  }
  if (headers_[kTransaction]) return handler_.take(segment_);
  if (segment_.id() != "TA1") throw fault_at(segment_, "a segment is outside every transaction");
}

void InterchangeReader::begin(Level level) {
  end_from(level);
  if (level == kInterchange && !segments_.isa_problem().empty())
    report(Problem::kIrregularIsa, level, segments_.isa_problem());
  if (level != kInterchange) ++counts_[level - 1];
  counts_[level] = level == kTransaction ? 1 : 0;  // ST counts
  headers_[level] = segment_;
  handler_.open(segment_);
}

void InterchangeReader::end(Level level) {
  end_from(level + 1);
  const auto& names = kNames[level];
  const auto& header = headers_[level];
  const std::string id = names.trailer, counted = std::to_string(counts_[level]);
  const bool is_transaction = level == kTransaction;
  if (!header && is_transaction) throw fault_at(segment_, "SE without ST");
  if (!header) return report(Problem::kNoHeader, level, id + " without " + names.header);
  const bool is_same = same_control_number(segment_.at(2), header->at(names.control_at));
  const bool is_proof = is_transaction && !segments_.has_envelope();  // without IEA only SE02 shows that SE is complete
  const std::string control = id + "02 is not the control number of its " + names.control;
  if (!is_same && is_proof) report(Problem::kTruncated, level, "the file is truncated: " + control);
  if (is_transaction) handler_.close(segment_);
  if (!is_same && is_transaction && !is_proof) report(Problem::kWrongControl, level, control);
  if (parse_count(segment_.at(1)) != counts_[level])
    report(Problem::kWrongCount, level,
           id + "01 counts " + printable(segment_.at(1).substr(0, 12)) + ' ' + names.parts +
               (is_transaction ? ", the transaction has " : ", the file has ") + counted,
           counted + ' ' + names.parts);
  if (!is_same && !is_transaction) report(Problem::kWrongControl, level, control);
  headers_[level].reset();
}

void InterchangeReader::end_from(std::size_t level) {
  for (const Level open : {kTransaction, kGroup, kInterchange}) {
    if (open < level || !headers_[open]) continue;
    if (open == kTransaction) handler_.close(segment_);
    if (open == kGroup && (level == kGroup || !headers_[kInterchange]))
      report(Problem::kNoTrailer, open, "the group before this segment has no GE");
    if (open == kInterchange)
      report(Problem::kNoTrailer, open, "the interchange before this ISA has no IEA and may be incomplete");
  }
  for (; level < headers_.size(); ++level) headers_[level].reset();
}

void InterchangeReader::end_file() {
  for (const Level level : {kTransaction, kGroup, kInterchange})
    if (headers_[level] && (level != kGroup || segments_.has_envelope()))
      report(Problem::kTruncated, level, std::string("the file is truncated: ") + kNames[level].left_open);
  if (const auto& at = segments_.surplus())
    handler_.problem({Problem::kSurplus, kInterchange, *at, "the data after the last IEA is not X12 and is skipped"});
}

void InterchangeReader::report(Problem::Kind kind, Level level, const std::string& text, const std::string& counted) {
  handler_.problem({kind, level, segment_.position(), text, counted});
}

}  // namespace x12
