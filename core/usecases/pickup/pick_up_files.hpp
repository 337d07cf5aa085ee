// One round over a watched folder: posts each complete file once, archives it, and logs what it became
// (packaging/docs/pickup.md). A crash at any instruction leaves a file that the next round of any node finishes:
//   1. a row owns the content: status received
//   2. the posting, with the content as its idempotency key
//   3. the row says what the file became and where it goes
//   4. error text or answers, then the move
//   5. the row says where the file is
//
// Threads: one thread at a time.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/ports/clock.hpp"
#include "core/ports/pickup_folder.hpp"
#include "core/usecases/pickup/post_picked_file.hpp"

namespace tideover::usecases {

struct PickupTerms {
  std::string folder;  // its name in the log
  std::string tenant;  // its name
  domain::PickupKind kind = domain::PickupKind::automatic;
  std::string format;                       // empty: any format of the kind
  std::chrono::milliseconds stable_for{0};  // a file is complete when it did not change for so long
  int archive_days = 0;                     // 0: archived files stay
  domain::Environment environment = domain::Environment::sandbox;
};

struct PickupRound {
  int posted = 0, duplicates = 0, quarantined = 0;
  int waiting = 0;                    // open files that this round could not finish
  std::vector<std::string> problems;  // for operators
};

class PickUpFiles {
 public:
  PickUpFiles(ports::Store& store, PostPickedFile& post, ports::PickupFolder& folder, const ports::Clock& clock,
              ports::IdSource& ids, PickupTerms terms)
      : store_(store), post_(post), folder_(folder), clock_(clock), ids_(ids), terms_(std::move(terms)) {}

  PickupRound operator()(const std::function<bool()>& stopping);

 private:
  struct Seen {
    std::int64_t bytes = 0;
    std::int64_t changed_ns = 0;
    domain::Timestamp since;
  };

  bool find_tenant();
  void go_on_with(domain::PickupFile file);
  void go_on_moving(domain::PickupFile file);
  void arrive(domain::PickupFile file);
  void close_missing(domain::PickupFile file, const std::string& what);
  bool is_complete(const ports::InboxEntry& entry);
  void take(const ports::InboxEntry& entry);
  void take_unreadable(const ports::InboxEntry& entry, const domain::Error& error);
  domain::PickupFile new_file(const ports::InboxEntry& entry, const std::string& sha256);
  void attempt(domain::PickupFile file, const ports::FileContent& content);
  void settle(domain::PickupFile& file, domain::PickupStatus status, const char* where);
  void quarantine(domain::PickupFile& file, const domain::Error& error);
  void finish(domain::PickupFile file);
  void count(const domain::PickupFile& file);
  domain::Status write_beside(const domain::PickupFile& file);
  domain::Status write_answers(const domain::PickupFile& file);
  bool keep(const domain::PickupFile& file);
  void report(const std::string& place, const domain::Error& error);
  RequestContext context_of(const domain::PickupFile& file) const;

  ports::Store& store_;
  PostPickedFile& post_;
  ports::PickupFolder& folder_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const PickupTerms terms_;
  domain::Tenant tenant_;
  std::map<std::string, Seen> seen_;  // files of the inbox, by name
  PickupRound round_;
};

}  // namespace tideover::usecases
