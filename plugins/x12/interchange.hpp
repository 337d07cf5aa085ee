// Reads the envelopes of an X12 file: interchanges (ISA..IEA), functional groups (GS..GE) and transactions (ST..SE). A
// handler gets the segments of each transaction and every problem of an envelope. It returns, and the file is read on,
// or it throws.
//
//   struct Claims final : x12::InterchangeReader::Handler { ... } claims;
//   x12::InterchangeReader interchanges(source, "837", claims);
//   while (interchanges.next()) {}
//
// One thread at a time; next() calls the handler and passes its exceptions on. Throws Fault(INVALID_INPUT) with segment
// and byte where SegmentReader does, for SE without ST and for a segment outside every transaction. After an exception
// nothing more can be read.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "x12/segments.hpp"

namespace x12 {

enum Level : std::size_t { kInterchange, kGroup, kTransaction };

struct Problem {
  enum Kind {
    kIrregularIsa,  // SegmentReader::isa_problem
    kNoTrailer,     // GE or IEA is missing, and the file goes on; at an ISA, a missing IEA covers GE
    kNoHeader,      // GE without GS, IEA without ISA
    kWrongCount,    // SE01, GE01, IEA01
    kWrongControl,  // SE02, GE02, IEA02
    kTruncated,     // the file ends inside this level, or at an SE that only a wrong SE02 could prove to be complete
    kSurplus,       // SegmentReader::surplus
  };
  Kind kind;
  Level level;
  Position position;
  std::string text;       // without the position; kWrongCount quotes the count of the file
  std::string counted{};  // kWrongCount: "19 segments", what the file has
};

class InterchangeReader {
 public:
  class Handler {
   public:
    virtual ~Handler() = default;
    /// ISA, GS or ST, after the problems that it shows.
    virtual void open(const Segment& header) = 0;
    /// A segment between ST and SE.
    virtual void take(const Segment& segment) = 0;
    /// SE, before its count is checked, or the segment that shows that SE is missing.
    virtual void close(const Segment& trailer) = 0;
    virtual void problem(const Problem& problem) = 0;
  };

  /// `transaction` is the expected content of the file ("835"). `handler` must outlive this object.
  InterchangeReader(tideover::sdk::ByteSource source, const char* transaction, Handler& handler)
      : segments_(source, transaction), handler_(handler) {}
  /// Reads one segment; false at the end of the file.
  bool next();
  const Segment& segment() const { return segment_; }  // the latest
  const SegmentReader& segments() const { return segments_; }
  /// ISA, GS or ST of an open envelope.
  const std::optional<Segment>& header(Level level) const { return headers_[level]; }

 private:
  void take();
  void begin(Level level);
  void end(Level level);
  void end_from(std::size_t level);
  void end_file();
  void report(Problem::Kind kind, Level level, const std::string& text, const std::string& counted = {});

  SegmentReader segments_;
  Handler& handler_;
  Segment segment_;
  std::array<std::optional<Segment>, 3> headers_;
  std::array<int, 3> counts_{};  // groups, transactions, segments
};

}  // namespace x12
