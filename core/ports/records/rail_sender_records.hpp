// The node that sends over a rail that does not recognise repeated keys. There is one, because only its own journal
// knows what it sent (core/docs/reliability.md#one-sending-node). The first node that serves the rail becomes its
// sender. Only a command moves it afterwards.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"

namespace tideover::ports {

struct RailSender {
  std::string rail;
  std::string node;
  int epoch = 1;  // raised by each move
  domain::Timestamp since;
};

class RailSenderRecords {
 public:
  virtual ~RailSenderRecords() = default;
  virtual std::optional<RailSender> find(std::string_view rail) const = 0;
  virtual std::vector<RailSender> all() const = 0;
  /// A second sender of a rail is a unique violation.
  virtual void insert(const RailSender& sender) = 0;
  /// Writes node, epoch and since where the row still has `expected_epoch`; false: another writer was first.
  virtual bool update(const RailSender& sender, int expected_epoch) = 0;
};

}  // namespace tideover::ports
